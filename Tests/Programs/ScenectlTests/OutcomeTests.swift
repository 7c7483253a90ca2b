import Foundation
import TestSupport
import Testing

/// Events that no scene takes: each outcome has its exit status.
@Suite(.blocking) struct OutcomeTests {
  private let router: Router

  init() throws { router = try Router() }

  @Test func declinedEventHasStatusFour() throws {
    let (id, scene) = try router.scene("--allow", "*", "--decline")
    let run = try router.scenectl("open", "n:1")
    #expect(run.status == 4)
    #expect(run.output == "n:1: declined by scene \(id)\n")
    #expect(try scene.nextLine() == "\(id): declined n:1")
    let object = try #require(try router.scenectl("open", "--json", "n:1").objects().first)
    #expect(object["outcome"] == "declined")
  }

  @Test func everyAttemptIsTold() throws {
    let (first, _) = try router.scene("--allow", "*", "--decline")
    let (second, _) = try router.scene("--allow", "*")
    let run = try router.scenectl("open", "n:1")
    #expect(run.status == 0)
    #expect(
      run.output == """
        n:1: declined by scene \(first); taken by scene \(second) of scenectl: it allows every event ('*')

        """
    )
  }

  @Test func unansweredEventHasStatusFive() throws {
    let (id, scene) = try router.scene("--allow", "*")
    scene.freeze()
    let run = try router.scenectl("open", "--timeout", "0.05", "n:1")
    #expect(run.status == 5)
    #expect(run.output == "n:1: scene \(id) did not answer in time\n")
    #expect(
      try router.scenectl("open", "--timeout", "0.05", "--json", "n:1").objects()[0]["outcome"] == "timeout"
    )
  }

  @Test func nobodyWaitsWithNoWait() throws {
    let (id, scene) = try router.scene("--allow", "*")
    scene.freeze()
    let run = try router.scenectl("open", "--no-wait", "n:1")
    #expect(run.status == 0)
    #expect(run.output == "n:1: routed to scene \(id) of scenectl: it allows every event ('*')\n")
    let object = try #require(try router.scenectl("open", "--no-wait", "--json", "n:2").objects().first)
    #expect(object["decision.sceneId"] == id)
    #expect(object["outcome"] == nil)
  }

  @Test func unroutedEventHasStatusThreeWithNoWait() throws {
    let run = try router.scenectl("open", "--no-wait", "n:1")
    #expect(run.status == 3)
    #expect(
      run.output
        == "n:1: not routed: no open scene takes it, and no application claims n:; see: scenectl explain n:1\n"
    )
  }

  /// For an event that goes nowhere, the tool prints a `scenectl explain` command that explains the same event.
  ///
  /// The printed command repeats the options that limit the targets of the event.
  @Test(arguments: [
    (["open", "n:it's&1"], #"n:it'\''s&1"#), (["open", "--no-new-scene", "n:1"], "--no-new-scene n:1"),
    (["open", "--no-wait", "n:1"], "n:1"),
    (["send", "--activity-type", "a b", "--webpage-url", "w:1"], "--activity-type 'a b' --webpage-url w:1"),
  ])
  func unroutedEventNamesTheCommandThatExplainsIt(arguments: [String], words: String) throws {
    _ = try router.scene("--application", "A", "--prefer", "other")
    let run = try Router.scenectl(arguments, environment: router.environment)
    let line = try #require(run.lines.first)
    let command = try #require(line.split(separator: "; see: ").last.map(String.init))
    #expect(command.contains(words), "\(line)")
    let explained = try router.shell(command)
    #expect(explained.status == 3)
    #expect(explained.lines[0].contains(" would go nowhere: no open scene takes it, and "))
    #expect(explained.lines[0].hasPrefix(line.prefix { $0 != ":" }))
    #expect(explained.lines.last?.hasSuffix("does not match") == true)
  }

  @Test func failedLaunchHasStatusSix() throws {
    let application = try router.declare("--application", "Photos", "--scene", "browser")
    application.freeze()
    let open = try router.openWithoutEnd("p:1")
    application.send(signal: SIGKILL)
    #expect(try open.waitForEnd() == .exit(6))
    #expect(open.outputText.hasPrefix("p:1: Photos opened no scene"))
  }

  @Test(arguments: [SIGTERM, SIGKILL])
  func outcomeIsUnknownIfNoRouterComesBack(_ signal: CInt) throws {
    let (_, scene) = try router.scene("--allow", "*")
    scene.freeze()
    let open = try router.openWithoutEnd("--json", "n:1")
    router.daemon.send(signal: signal)
    #expect(try open.waitForEnd() == .exit(7))
    #expect(open.errorText.hasPrefix("scenectl: n:1: The connection to the router has ended."))
    #expect(
      try JSONObject(open.outputText)["error"]?.hasPrefix("The connection to the router has ended.") == true
    )
  }
}
