import Glibc
import TestSupport
import Testing

/// Commands that outlast the router, and restore their scenes and declarations at the next router.
@Suite(.blocking) struct ReconnectingTests {
  @Test(arguments: [SIGKILL, SIGTERM])
  func sceneDeclarationAndMonitorComeBack(_ signal: CInt) throws {
    let router = try Router()
    let (_, scene) = try router.scene("--title", "T", "--allow", "scene/")
    let application = try router.declare("--application", "A", "--claim-scheme", "a", "--scene", "main")
    let monitor = try router.start("monitor")
    try monitor.outputLine(containing: "watching 1 scene and 1 application")
    router.daemon.send(signal: signal)
    _ = try router.daemon.waitForEnd()
    for program in [scene, application, monitor] { try program.errorLine(containing: "is lost.") }

    let next = try SpawnedProgram("scened", ["--system", "--socket", router.socket])
    try next.errorLine(containing: "Ready.")
    for program in [scene, application, monitor] { try program.errorLine(containing: "is restored.") }
    try monitor.outputLine(containing: "watching")
    let listed = try router.scenectl("scenes", "--json").objects()
    #expect(listed.map { $0["context.title"] } == ["T"])
    #expect(try router.scenectl("open", "x:scene/1").status == 0)
    try scene.outputLine(containing: "acknowledged")
    #expect(try router.scenectl("open", "a:1").status == 0)
    try application.outputLine(containing: "acknowledged")
  }
}
