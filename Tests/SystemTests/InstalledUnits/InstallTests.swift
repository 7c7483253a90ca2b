import Foundation
import TestSupport
import Testing

/// The script that builds release binaries and puts them and the units in place.
@Suite(.blocking) struct InstallTests {
  @Test(arguments: [
    (["--system"], "usr/local", "lib/systemd/system"),
    (["--user", "--prefix", "/home/person/.local"], "home/person/.local", "share/systemd/user"),
  ])
  func installingTwiceAndRemovingLeavesNoFile(options: [String], prefix: String, units: String) throws {
    let root = try TemporaryDirectory()
    let expected = [
      "bin/scenectl 755", "bin/scened 755", "share/doc/scened/README.md 644", "\(units)/scened.service 644",
      "\(units)/scened.socket 644",
    ].map { "\(prefix)/\($0)" }.sorted()
    for _ in 1...2 {
      try Rig.run("installation", [root.path] + options)
      #expect(try Self.files(below: root.path) == expected)
    }
    let unit = try String(
      contentsOfFile: root.appending("\(prefix)/\(units)/scened.service"),
      encoding: .utf8
    )
    #expect(unit.contains("\nExecStart=/\(prefix)/bin/scened"))
    #expect(!unit.contains("@PREFIX@"))

    try Rig.run("installation", [root.path] + options + ["--uninstall"])
    #expect(try Self.files(below: root.path) == [])
    try Rig.run("installation", [root.path] + options + ["--uninstall"])
  }

  @Test func removalStopsTheService() throws {
    let box = try SystemBox([
      SystemBox.installation(): "/opt/installation",
      PackageDirectory.appending("systemd"): "/opt/package/systemd",
    ])
    try box.run("cp", "--recursive", "/opt/installation/usr", "/")
    try box.run("systemctl", "daemon-reload")
    try box.run("systemctl", "enable", "--now", "scened.socket")
    try box.run("systemctl", "start", "scened.service")
    #expect(try box.property("ActiveState") == "active")

    try box.run("/opt/package/systemd/install", "--system", "--uninstall")
    #expect(try box.property("LoadState") == "not-found")
    #expect(try box.attempt("pgrep", "-x", "scened").ending == .exit(1))
    #expect(
      try box.run("find", "/usr/local", "/etc", "/run", "-name", "*scened*", "-not", "-type", "d") == ""
    )
  }

  @Test(arguments: [
    (["--prefix"], "--prefix needs a directory"),
    (["--prefix", "here"], "the prefix 'here' is not an absolute path"),
    (["--everywhere"], "unknown option '--everywhere'; see --help"),
  ])
  func mistakesAreUsageErrors(options: [String], message: String) throws {
    let (ending, _, error) = try SpawnedProgram.run(PackageDirectory.appending("systemd/install"), options)
    #expect(ending == .exit(64))
    #expect(error == "install: \(message)\n")
  }

  /// The regular files and links below `root`, with their modes.
  private static func files(below root: String) throws -> [String] {
    let arguments = [root, "-not", "-type", "d", "-printf", "%P %m\n"]
    let (ending, output, error) = try SpawnedProgram.run("/usr/bin/find", arguments)
    try #require(ending == .exit(0), "\(error)")
    return output.split(separator: "\n").map(String.init).sorted()
  }
}
