import TestSupport
import Testing

/// Python programs that know only the daemon's Varlink interface, and do not use this package's Python library.
@Suite(.blocking) struct PythonTests {
  @Test func sceneSenderMonitorAndDeclarerWorkTogether() throws {
    let daemon = try RunningDaemon()
    let monitor = try start("monitor.py", daemon.socket)
    try monitor.outputLine(containing: "snapshot: 0 scenes")
    let scene = try start("scene.py", daemon.socket, "org.example.Notes", "doc/42")
    try scene.outputLine(containing: "registered in generation")
    try monitor.outputLine(containing: "scene: org.example.Notes")
    let declarer = try start("declarer.py", daemon.socket, "org.example.Photos", "photoIdentifier=")
    try declarer.outputLine(containing: "declared in generation")
    try monitor.outputLine(containing: "application: org.example.Photos")

    let toScene = try start("sender.py", daemon.socket, "notes://doc/42")
    #expect(try toScene.waitForEnd() == .exit(0), "\(toScene.errorText)")
    #expect(toScene.outputText == "decided: scene by allowing with doc/42\nsettled: acknowledged\n")
    try scene.outputLine(containing: "took notes://doc/42 for ['view']")
    try monitor.outputLine(containing: "decision: notes://doc/42 allowing")
    try monitor.outputLine(containing: "settlement: acknowledged")

    let toDeclaration = try start("sender.py", daemon.socket, "photos:?photoIdentifier=7")
    #expect(try toDeclaration.waitForEnd() == .exit(0), "\(toDeclaration.errorText)")
    #expect(
      toDeclaration.outputText
        == "decided: newScene by matching with photoIdentifier=\nsettled: acknowledged\n"
    )
    try declarer.outputLine(containing: "asked for detail")
    try declarer.outputLine(containing: "took photos:?photoIdentifier=7")
    try monitor.outputLine(containing: "decision: photos:?photoIdentifier=7 matching")
    try monitor.outputLine(containing: "scene: org.example.Photos")
    try monitor.outputLine(containing: "settlement: acknowledged")

    let toNobody = try start("sender.py", daemon.socket, "other:thing")
    #expect(try toNobody.waitForEnd() == .exit(1))
    #expect(toNobody.outputText == "failed: io.scened.Router.NotRouted\n")

    #expect(try daemon.stop() == .exit(0))
    for program in [scene, monitor, declarer] {
      #expect(try program.waitForEnd() == .exit(0), "\(program.errorText)")
      #expect(program.outputText.hasSuffix("closed: shutdown\n"))
    }
  }

  private func start(_ script: String, _ arguments: String...) throws -> SpawnedProgram {
    try PythonProgram.start([PythonProgram.script(script)] + arguments)
  }
}
