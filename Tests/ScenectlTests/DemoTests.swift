import Foundation
import TestSupport
import Testing

/// `scenectl demo`.
@Suite(.blocking) struct DemoTests {
  @Test func rulesAreShownInOrderAndNothingIsLeft() throws {
    let run = try Router.scenectl(["demo"])
    #expect(run.status == 0, "\(run.error)")
    #expect(run.error == "")
    let shown = run.output.matches(of: /\n    to (\w+).*?  (?:rule (\w+)(?: +identifier (.+))?|no rule)/).map
    {
      [$0.1, $0.2 ?? "", $0.3 ?? ""]
    }
    #expect(
      shown == [
        ["first", "allowing", "*"],
        ["first", "preferring", "contact-1"],
        ["second", "allowing", "*"],
        ["nowhere", "", ""],
        ["detail", "matching", "photoIdentifier="],
        ["detail", "preferring", "photos:?photoIdentifier=1"],
        ["detail", "matching", "photoIdentifier="],
        ["browser", "default", ""],
      ]
    )
    try expectNothingLeft(by: run)
    #expect(run.output.hasSuffix("\nAll that was started has ended.\n"))
  }

  @Test func nothingIsLeftWhenItFails() throws {
    let program = SpawnedProgram.buildDirectory + "/scenectl"
    let (ending, output, error) = try SpawnedProgram.run("/bin/sh", ["-c", #""$0" demo | head -1"#, program])
    #expect(ending == .exit(0))
    #expect(error == "")
    try expectNothingLeft(by: Router.Run(status: 0, output: output, error: error))
  }

  private func expectNothingLeft(by run: Router.Run) throws {
    let socket = try #require(run.output.firstMatch(of: /^Starting \S+ at ((\S+)\/socket)\.\n/))
    #expect(!FileManager.default.fileExists(atPath: String(socket.2)))
    for process in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int(process) != nil {
      let command = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
      #expect(!String(decoding: command, as: UTF8.self).contains(socket.1), "Process \(process) is left.")
    }
  }
}
