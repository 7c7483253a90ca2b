import Foundation
import TestSupport
import Testing

@Suite(.blocking) struct DemoTests {
  @Test func rulesAreShownInOrderAndNothingIsLeft() throws {
    let run = try Self.play("/bin/sh", ["-c", #"exec "$0" demo"#, Self.tool])
    #expect(run.ending == .exit(0) && run.error == "", "\(run.error)")
    let shown = run.output.matches(of: /\n  \S.*?  +(\w+) window '(.+?)' +(\w+)(?: (.+))?/).map {
      [$0.1, $0.2, $0.3, $0.4 ?? ""]
    }
    #expect(
      shown == [
        ["open", "Wikipedia", "showing", "https://en.wikipedia.org/wiki/Cat"],
        ["open", "Meetings", "claims", "meet.jit.si"],
        ["open", "Start page", "allowing", "*"],
        ["new", "Photo sunset", "matching", "photoIdentifier="],
        ["open", "Photo sunset", "preferring", "photoIdentifier=sunset"],
        ["new", "Photo harbour", "matching", "photoIdentifier="],
        ["new", "Photos", "default", ""],
      ]
    )
  }

  @Test func nothingIsLeftWhenItFails() throws {
    let run = try Self.play("/bin/sh", ["-c", #""$0" demo | head -1"#, Self.tool])
    #expect(run.ending == .exit(0) && run.error == "")
    #expect(run.output.hasPrefix("A browser ") && run.output.hasSuffix(":\n"))
  }

  /// The package scened has no examples.
  @Test func examplesMayBeMissing() throws {
    let directory = try TemporaryDirectory()
    // Another process writes the copy, which this process could not run while a child of another test has it open.
    _ = try SpawnedProgram.run("/bin/cp", [Self.tool, directory.appending("scenectl")])
    try FileManager.default.createSymbolicLink(
      atPath: directory.appending("scened"),
      withDestinationPath: SpawnedProgram.buildDirectory + "/scened"
    )
    let run = try Self.play(directory.appending("scenectl"), ["demo"])
    #expect(run.ending == .exit(0) && run.error == "", "\(run.error)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 5 && lines[1].contains("open window 'Wikipedia'"))
    #expect(lines.last == "The package scened-examples has a program that opens windows for its links.")
  }

  private static let tool = SpawnedProgram.buildDirectory + "/scenectl"

  /// Runs a command that plays the demonstration, and expects that no process and no directory is left.
  private static func play(
    _ program: String,
    _ arguments: [String]
  ) throws -> (ending: SpawnedProgram.Ending, output: String, error: String) {
    let before = try directories
    // Every process that the command starts inherits this variable, so that the test can find processes that are left.
    let mark = "DEMO_OF_TEST=\(UUID())"
    let run = try SpawnedProgram.run(
      "/usr/bin/env",
      [mark, program] + arguments
    )
    for process in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int(process) != nil {
      let variables = FileManager.default.contents(atPath: "/proc/\(process)/environ") ?? Data()
      #expect(!String(decoding: variables, as: UTF8.self).contains(mark), "Process \(process) is left.")
    }
    // A new directory can belong to a demonstration that another test runs at the same time. So this test waits until
    // no new directory is left.
    try Deadline(in: .seconds(60)).wait("The directory of the socket is left.") {
      try directories.subtracting(before).isEmpty
    }
    return run
  }

  private static var directories: Set<String> {
    get throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: "/tmp")
      return Set(names.filter { $0.hasPrefix("scened-demo-") })
    }
  }
}
