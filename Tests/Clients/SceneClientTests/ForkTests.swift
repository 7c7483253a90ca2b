import Foundation
import TestSupport
import Testing

/// A child of fork(2) has no part in the connections of its parent.
@Suite(.blocking) struct ForkTests {
  @Test(arguments: ["closes", "exits", "killed", "execs"])
  func sceneEndsWithItsProgram(_ end: String) throws {
    let directory = try TemporaryDirectory()
    let socket = directory.appending("router")
    let daemon = try SpawnedProgram("scened", ["--system", "--socket", socket])
    try daemon.errorLine(containing: "Ready.")
    let environment = ["SCENED_SOCKET": socket]
    let monitor = try SpawnedProgram(
      "scenectl",
      ["monitor", "--json", "--no-decisions"],
      environment: environment
    )
    try monitor.outputLine(containing: "snapshot")
    let parent = try SpawnedProgram("ForkWithScene", [end], environment: environment)
    let child = try #require(pid_t(parent.outputLine(containing: "")))
    defer { kill(child, SIGKILL) }
    // After the end of the parent, what the child prints is not read.
    if end == "closes" { try parent.errorLine(containing: "error: ") }
    try monitor.outputLine(containing: "sceneClosed")
    #expect(kill(child, 0) == 0)
  }
}
