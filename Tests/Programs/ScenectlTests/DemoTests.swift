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
        ["Ada", "allowing", "*"],
        ["Ada", "preferring", "3B1C6A52-4E0C-4D5A-9A54-6B5E1B0F1A01"],
        ["Grace", "default", ""],
        ["Grace", "preferring", "3B1C6A52-4E0C-4D5A-9A54-6B5E1B0F1A02"],
        ["Photo", "matching", "photoIdentifier="],
        ["Photo", "preferring", "photoIdentifier=sunset"],
        ["Photo", "matching", "photoIdentifier="],
        ["Photos", "default", ""],
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
      let variables = FileManager.default.contents(atPath: "/proc/\(process)/environ") ?? Data()
      #expect(!String(decoding: variables, as: UTF8.self).contains(socket.1), "Process \(process) is left.")
    }
  }
}
