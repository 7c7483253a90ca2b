import TestSupport
import Testing

@Suite struct DaemonOptionsTests {
  @Test func versionAndHelpArePrinted() throws {
    let version = try SpawnedProgram.run("scened", ["--version"])
    #expect(version == (.exit(0), "scened 1.0.0\n", ""))
    let help = try SpawnedProgram.run("scened", ["--help"])
    #expect((help.ending, help.error) == (.exit(0), ""))
    for option in ["--socket", "--system", "--log-level", "--version", "--help"] {
      #expect(help.output.contains("  \(option)"))
    }
  }

  @Test(arguments: [
    (["--nonsense"], "--nonsense"), (["router"], "router"), ([""], "''"), (["-h"], "-h"),
    (["--socket"], "--socket"), (["--socket", ""], "--socket"), (["--socket="], "--socket"),
    (["--log-level"], "--log-level"), (["--log-level", "loud"], "loud"), (["--system=yes"], "--system"),
    (["--version", "now"], "now"), (["--help=all"], "--help"),
  ])
  func commandLineWithoutSenseIsRefused(_ arguments: [String], _ fault: String) throws {
    let (ending, output, error) = try SpawnedProgram.run("scened", arguments)
    #expect(ending == .exit(64))
    #expect(output == "")
    #expect(error.hasPrefix("scened: ") && error.contains(fault), "\(error)")
  }
}
