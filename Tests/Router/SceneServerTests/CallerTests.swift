import Foundation
import TestSupport
import Testing
import UnixSocket

@testable import SceneServer

/// Tests who counts as the sender if a tool sends a link for another program.
@Suite final class CallerTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try #require(mkfifo(directory.appending("end"), 0o600) == 0)
    for tool in ["xdg-open", "gio", "scenectl"] {
      try directory.writeScript(tool, #"case $1 in "") echo id $$; read x <>"$D/end";; *) "$@";; esac; true"#)
    }
  }

  /// Runs a script under a name, and asks for the caller of the process whose id the script writes.
  private func caller(of script: String, named name: String) throws -> Caller {
    try directory.writeScript(name, script)
    let program = try SpawnedProgram(directory.appending(name), [], environment: ["D": directory.path])
    let line = try program.outputLine(containing: "id ")
    let caller = Caller(of: try #require(Int32(line.dropFirst(3))))
    FileHandle(forWritingAtPath: directory.appending("end"))?.write(Data("x\n".utf8))
    _ = try program.waitForEnd()
    return caller
  }

  @Test(arguments: [
    "\"$D/scenectl\"; true", "\"$D/xdg-open\" \"$D/scenectl\"; true",
    "\"$D/xdg-open\" \"$D/gio\" \"$D/scenectl\"; true", "env \"$D/scenectl\"; true",
    "sh \"$D/xdg-open\" \"$D/scenectl\"; true", "sh -e \"$D/xdg-open\" \"$D/scenectl\"; true",
    "sh -c '\"$0\" \"$D/scenectl\"; true' \"$D/xdg-open\"; true", "sh -c \"$D/scenectl || true\"; true",
  ])
  func toolSendsForTheProgramThatStartedIt(_ script: String) throws {
    let caller = try caller(of: script, named: "chat")
    // A shell whose first word is a parameter may run anything, and is not passed over.
    #expect(caller.name == (script.contains("$0") ? "sh" : "chat"))
  }

  @Test func scriptOfAnotherNameIsNoTool() throws {
    try directory.writeScript("inner", "\"$D/scenectl\"; true")
    #expect(try caller(of: "\"$D/inner\"; true", named: "outer").name == "inner")
  }

  @Test func processThatIsNoToolSendsForItself() throws {
    let caller = try caller(of: #"sh -c 'echo id $$; read x <>"$D/end"; true'; true"#, named: "xdg-open")
    #expect(caller.name == "sh")
  }

  /// The parents end with this process, which stands for the router.
  @Test func routerIsNobodysCaller() throws {
    #expect(try caller(of: "\"$D/scenectl\"; true", named: "gio").name == "gio")
  }
}
