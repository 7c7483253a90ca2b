import Foundation
import TestSupport
import Testing

/// `scenectl open` shows failures as notifications of the desktop if standard error is not a terminal.
@Suite(.blocking) struct NotificationTests {
  private let router: Router

  init() throws {
    try TestEnvironment.run("get-command", ["busctl", "systemd"])
    router = try Router()
  }

  @Test func failureIsShownByTheDesktop() throws {
    let bus = try MessageBus()
    let desktop = try SpawnedProgram("PrintNotifications", environment: bus.environment)
    try desktop.outputLine(containing: "ready")
    _ = try router.scene("--prefer", "good")

    #expect(try router.scenectl("open", "x:good", environment: bus.environment).status == 0)
    #expect(try router.scenectl("open", "x:<b>&", environment: bus.environment).status == 3)
    #expect(
      try desktop.nextLine()
        == "scened|dialog-warning|A link could not be opened|x:&lt;b&gt;&amp; not routed: no open scene takes it, "
        + "and no application claims x:; see: scenectl explain 'x:&lt;b&gt;&amp;'"
    )
    #expect(try router.scenectl("open", "/no/such/file", environment: bus.environment).status == 1)
    #expect(
      try desktop.nextLine().hasSuffix(
        "|/no/such/file This is neither a URL nor the path of an existing file."
      )
    )
    #expect(try router.scenectl("open", "http://", environment: bus.environment).status == 1)
    #expect(try desktop.nextLine().hasSuffix("|http:// This URL names no host."))
  }

  @Test func missingDaemonIsShownByTheDesktop() throws {
    let bus = try MessageBus()
    let desktop = try SpawnedProgram("PrintNotifications", environment: bus.environment)
    try desktop.outputLine(containing: "ready")
    let none = ["SCENED_SOCKET": "/nonexistent"].merging(bus.environment) { own, _ in own }
    #expect(try Router.scenectl(["open", "x:1"], environment: none).status == 1)
    #expect(try desktop.nextLine().contains("|x:1 The router cannot be reached. "))
  }

  @Test func nothingIsShownOfWhatTheTerminalShows() throws {
    let bus = try MessageBus()
    let desktop = try SpawnedProgram("PrintNotifications", environment: bus.environment)
    try desktop.outputLine(containing: "ready")
    let program = SpawnedProgram.buildDirectory + "/scenectl"
    let run = try router.shell("script -qec '\(program) open x:seen' /dev/null", environment: bus.environment)
    #expect(run.status == 3)
    #expect(
      try router.scenectl("send", "--activity-type", "t", environment: bus.environment).status == 3,
      "Only `open` is started from a desktop."
    )
    #expect(try router.scenectl("open", "x:unseen", environment: bus.environment).status == 3)
    #expect(try desktop.nextLine().contains("|x:unseen "))
  }

  /// With `--as-handler`, the tool prints nothing, and shows failures as notifications.
  ///
  /// The tool shares the output of the program that opens the link, so any text would appear in this program's output.
  @Test func handlerPrintsNothingAndShowsFailures() throws {
    let bus = try MessageBus()
    let desktop = try SpawnedProgram("PrintNotifications", environment: bus.environment)
    try desktop.outputLine(containing: "ready")
    let (id, scene) = try router.scene("--prefer", "good")
    let program = SpawnedProgram.buildDirectory + "/scenectl"
    for url in ["x:good", "x:bad"] {
      let run = try router.shell(
        "script -qec '\(program) open --as-handler \(url)' /dev/null",
        environment: bus.environment
      )
      #expect(run.status == (url == "x:good" ? 0 : 3))
      #expect(run.output == "" && run.error == "", "\(run.output)")
    }
    #expect(try scene.nextLine() == "\(id): acknowledged x:good")
    #expect(try desktop.nextLine().contains("|x:bad not routed: "))
    let json = try router.scenectl("open", "--as-handler", "--json", "x:bad", environment: bus.environment)
    #expect(json.output == "" && json.error == "")
    #expect(try desktop.nextLine().contains("|x:bad not routed: "))
  }

  @Test func failureOfAHandlerIsOnStandardErrorWithoutADesktop() throws {
    let run = try router.scenectl(
      "open",
      "--as-handler",
      "x:1",
      "/no/such/file",
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"]
    )
    #expect(run.status == 3 && run.output == "")
    #expect(
      run.error.split(separator: "\n").map { $0.prefix(26) } == [
        "scenectl: x:1: not routed:", "scenectl: /no/such/file: T",
      ]
    )
  }

  @Test func nobodyNeedsToShowIt() throws {
    let bus = try MessageBus()
    let run = try router.scenectl("open", "x:1", environment: bus.environment)
    #expect(run.status == 3)
    #expect(run.error == "")
  }

  @Test(arguments: [[:], ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"]])
  func noBusIsNeeded(environment: [String: String]) throws {
    let run = try router.scenectl("open", "x:1", environment: environment)
    #expect(run.status == 3)
    #expect(run.error == "")
  }
}
