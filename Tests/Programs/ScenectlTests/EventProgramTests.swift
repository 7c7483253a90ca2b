import Foundation
import TestSupport
import Testing

/// The programs that `--exec` starts: each one ends when its delivery is withdrawn or when scenectl ends.
@Suite(.blocking) struct EventProgramTests {
  private let router: Router

  init() throws { router = try Router() }

  /// Tells a test when a program and all its children have ended.
  ///
  /// Each of these processes keeps a pipe open until it ends.
  private final class Trace {
    private let directory: TemporaryDirectory
    private let path: String
    private let reader: SpawnedProgram

    init() throws {
      directory = try TemporaryDirectory()
      path = directory.appending("pipe")
      #expect(mkfifo(path, 0o600) == 0)
      reader = try SpawnedProgram("/bin/cat", [path])
    }

    /// Returns a shell command that opens the pipe and then runs `rest`.
    ///
    /// The command does nothing for events other than `n:1`.
    func program(_ rest: String) -> String {
      "case $SCENED_URL in n:1) exec 9>'\(path)'; echo started >&9; \(rest);; esac"
    }

    func waitForStart() throws { try reader.outputLine(containing: "started") }

    func waitForEnd() throws { #expect(try reader.waitForEnd() == .exit(0)) }
  }

  /// Three of the programs do not end easily.
  ///
  /// - The second program has a child.
  /// - The third program ignores `SIGTERM`.
  /// - The fourth program has a child that ignores `SIGTERM`.
  private static let programs = [
    "exec sleep 1000", "sleep 1000 & wait", "trap '' TERM; while :; do sleep 0.2; done",
    "(trap '' TERM; while :; do sleep 0.2; done) & wait",
  ]

  @Test(arguments: programs)
  func programOfAWithdrawnDeliveryEnds(program: String) throws {
    let trace = try Trace()
    let (id, scene) = try router.scene("--allow", "*", "--exec", "sh", "--", "-c", trace.program(program))
    let open = try router.openWithoutEnd("--timeout", "3", "n:1")
    try trace.waitForStart()
    #expect(try open.waitForEnd() == .exit(5))
    #expect(try scene.nextLine() == "\(id): withdrawn (timeout)")
    try trace.waitForEnd()
    #expect(try router.scenectl("open", "n:2").status == 0, "The scene stays open.")
    #expect(try scene.nextLine() == "\(id): acknowledged n:2")
    #expect(scene.errorText == "")
  }

  @Test(arguments: programs, [SIGINT, SIGTERM, SIGHUP])
  func programEndsWithTheTool(program: String, signal: CInt) throws {
    let trace = try Trace()
    let (_, scene) = try router.scene("--allow", "*", "--exec", "sh", "--", "-c", trace.program(program))
    let open = try router.openWithoutEnd("n:1")
    try trace.waitForStart()
    scene.send(signal: signal)
    #expect(try scene.waitForEnd() == .signal(signal))
    try trace.waitForEnd()
    #expect(try open.waitForEnd() == .exit(4))
  }

  /// If scenectl is killed, the kernel sends a signal to the program that scenectl has started.
  ///
  /// The children of this program get no signal.
  @Test func programEndsWithAToolThatIsKilled() throws {
    let trace = try Trace()
    let (_, scene) = try router.scene(
      "--allow",
      "*",
      "--exec",
      "sh",
      "--",
      "-c",
      trace.program("exec sleep 1000")
    )
    let open = try router.openWithoutEnd("n:1")
    try trace.waitForStart()
    scene.send(signal: SIGKILL)
    try trace.waitForEnd()
    #expect(try open.waitForEnd() == .exit(4))
  }

  @Test(arguments: programs)
  func programEndsWithTheRouter(program: String) throws {
    let trace = try Trace()
    let application = try router.declare(
      "--no-reconnect",
      "--application",
      "A",
      "--scene",
      "main",
      "--exec",
      "sh",
      "--",
      "-c",
      trace.program(program)
    )
    let open = try router.openWithoutEnd("n:1")
    try trace.waitForStart()
    router.daemon.send(signal: SIGTERM)
    #expect(try application.waitForEnd() == .exit(1))
    try trace.waitForEnd()
    #expect(try open.waitForEnd() == .exit(7))
  }
}
