import Foundation
import TestSupport
import Testing

/// `scenectl bridge`, through which programs on other machines reach the router.
@Suite(.blocking) struct BridgeTests {
  private let router: Router

  init() throws { router = try Router() }

  /// Returns the output of the bridge for a standard input that holds `messages` and then ends.
  private func replies(
    to messages: [String],
    _ options: String = "",
    status: CInt = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let quoted = messages.map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
    let run = try router.shell("printf '%s\\0' \(quoted) | scenectl bridge \(options)")
    #expect(run.status == status, "\(run.error)", sourceLocation: sourceLocation)
    return run.output.split(separator: "\0").map(String.init)
  }

  private static func call(_ method: String, _ parameters: String = "{}", _ flags: String = "") -> String {
    #"{"method":"\#(method)","parameters":\#(parameters)\#(flags)}"#
  }

  private static func send(_ url: String, _ flags: String = "") -> String {
    call("io.scened.Router.SendEvent", #"{"event":{"url":"\#(url)"}}"#, flags)
  }

  /// Standard input ends after the last call.
  ///
  /// The bridge must still pass on all replies, in the order of the calls.
  @Test func callsAreAnsweredInTheirOrder() throws {
    let found = try replies(to: [
      Self.call("org.varlink.service.GetInfo"), Self.call("io.scened.Router.ListScenes"), Self.send("n:1"),
    ])
    try #require(found.count == 3)
    #expect(found[0].contains(#""product":"scened""#))
    #expect(found[1] == #"{"parameters":{"scenes":[],"generation":0}}"#)
    #expect(found[2].contains("io.scened.Router.NotRouted"))
  }

  @Test(arguments: ["", "--send-only"]) func itEndsWhenTheRouterDoes(options: String) throws {
    let fifo = "\(router.socket).fifo"
    // The pipe is open for writing too, so that the bridge never gets an end of file.
    let line = """
      mkfifo \(fifo); exec 3<>\(fifo); printf '%s\\0' '\(Self.send("n:1"))' >&3
      "$0" bridge \(options) <&3 | sed --null-data --unbuffered 's/$/\\n/'
      """
    let bridge = try SpawnedProgram(
      "/bin/bash",
      ["-c", line, SpawnedProgram.buildDirectory + "/scenectl"],
      environment: router.environment
    )
    try bridge.outputLine(containing: "NotRouted")
    router.daemon.send(signal: SIGTERM)
    #expect(try bridge.waitForEnd() == .exit(0))
  }

  @Test func whatItCannotReachItNames() throws {
    let run = try Router.scenectl(["bridge", "--socket", "/nonexistent/socket"])
    #expect(run.status == 1)
    #expect(run.error.contains("'/nonexistent/socket'") && run.error.contains("To start scened: "))
    #expect(run.error.split(separator: "\n").count == 1)
  }
}

/// `scenectl bridge --send-only`, which sshd runs for a key that may only send events.
extension BridgeTests {
  @Test(arguments: [
    call("org.varlink.service.GetInfo"), call("io.scened.Router.ListScenes"),
    call("io.scened.Router.Monitor", "{}", #","more":true"#),
    call("io.scened.Router.OpenScene", #"{"context":{"applicationId":"a"}}"#, #","more":true"#),
    call("io.scened.Router.ExplainEvent", #"{"event":{"url":"n:1"}}"#),
    call("io.scened.Router.SetRegistration"), call("io.scened.Manager.ListRecords"),
    call("io.scened.Manager.Reload"), call("io.scened.router.SendEvent"), call("SendEvent"),
    #"{"method":"io.scened.Router.List\u0053cenes"}"#, send("n:1", #","upgrade":true"#),
  ])
  func everythingButEventsIsRefused(call: String) throws {
    let found = try replies(to: [call, Self.send("n:1")], "--send-only")
    #expect(found.first == #"{"error":"org.varlink.service.PermissionDenied"}"#)
    #expect(found.count == 2 && found[1].contains("NotRouted"), "what follows is answered as usual")
  }

  /// The bridge checks each message separately, even if one read returns several messages or only a part of a message.
  @Test func nothingComesAlongWithAnEvent() throws {
    let send = Self.send("n:1")
    let list = Self.call("io.scened.Router.ListScenes")
    let found = try replies(to: [send, list, send], "--send-only")
    #expect(found.map { $0.contains("NotRouted") } == [true, false, true])
    let whole = "{ printf '%s' '\(list.prefix(20))'; printf '%s\\0' '\(list.dropFirst(20))'; }"
    let run = try router.shell("\(whole) | scenectl bridge --send-only")
    #expect(run.output == #"{"error":"org.varlink.service.PermissionDenied"}"# + "\0")
  }

  @Test(arguments: [
    #"{"method":"io.scened.Router.SendEvent","method":"io.scened.Router.ListScenes"}"#,
    #"{"method":"io.scened.Router.SendEvent","parameters":[]}"#, "GET / HTTP/1.1", "",
    send("n:1", #","more":true,"oneway":true"#),
  ])
  func whatIsNoCallEndsIt(message: String) throws {
    #expect(try replies(to: [message, Self.send("n:1")], "--send-only", status: 1) == [])
  }

  @Test func callsWithoutRepliesHaveNone() throws {
    let list = Self.call("io.scened.Router.ListScenes", "{}", #","oneway":true"#)
    let send = Self.send("n:oneway", #","oneway":true"#)
    let found = try replies(to: [list, send, Self.send("n:1")], "--send-only")
    #expect(found.count == 1)
    #expect(try router.scenectl("history").output.contains("n:oneway"))
  }

  /// The replies say only whether the event was taken, so that a sender learns nothing about scenes.
  ///
  /// There are only two different replies: one for all events that were taken, and one for all other events. The
  /// parameter `waitFor` and the flag `more` of a call do not change the reply.
  @Test(arguments: ["", #","more":true"#])
  func repliesTellTheResultAlone(flags: String) throws {
    let taker = try router.scene("--application", "org.example.Taker", "--prefer", "private-4711")
    let decliner = try router.scene("--application", "org.example.Decliner", "--allow", "1", "--decline")
    func decision(_ url: String) -> String {
      Self.call("io.scened.Router.SendEvent", #"{"event":{"url":"\#(url)"},"waitFor":"decision"}"#, flags)
    }
    let known = Self.call(
      "io.scened.Router.SendEvent",
      #"{"event":{"url":"n:private-4711"},"eventId":"mine"}"#,
      flags
    )
    let replies = try replies(
      to: [
        Self.send("n:private-4711", flags), Self.send("n:1", flags), Self.send("n:2", flags),
        decision("n:private-4711"), decision("n:1"), known,
        Self.call("io.scened.Router.AwaitEvent", #"{"eventId":"mine"}"#, flags),
        Self.call("io.scened.Router.AwaitEvent", #"{"eventId":"other"}"#, flags),
      ],
      "--send-only"
    )
    let taken = try #require(replies.first)
    let notTaken = try #require(replies.dropFirst().first)
    #expect(taken.contains(#""result":"acknowledged""#))
    #expect(notTaken.contains("io.scened.Router.NotRouted"))
    #expect(replies == [taken, notTaken, notTaken, taken, notTaken, taken, taken, notTaken])
    for secret in [taker.id, decliner.id, "example", "private", "4711", "preferring", "egistration"] {
      #expect(!(taken + notTaken).contains(secret))
    }
  }

  @Test func whatTheCallHasWrongIsSaid() throws {
    let replies = try replies(
      to: [
        Self.send("no URL"), Self.call("io.scened.Router.SendEvent", #"{"event":{"url":"n:1"},"more":1}"#),
        Self.call("io.scened.Router.SendEvent"),
      ],
      "--send-only"
    )
    #expect(
      replies.map { $0.contains("org.varlink.service.InvalidParameter") } == [true, true, true],
      "\(replies)"
    )
  }

  @Test(arguments: ["applicationId", "sceneId"])
  func noTargetCanBeNamed(member: String) throws {
    let scene = try router.scene("--application", "org.example.App", "--allow", "n:")
    func send(_ target: String) -> String {
      Self.call("io.scened.Router.SendEvent", #"{"event":{"url":"n:1"},"\#(member)":\#(target)}"#)
    }
    let target = member == "sceneId" ? scene.id : "org.example.App"
    let replies = try replies(to: [send("\"\(target)\""), send("null")], "--send-only")
    #expect(replies.first == #"{"error":"org.varlink.service.PermissionDenied"}"#)
    #expect(replies.count == 2 && replies[1].contains("acknowledged"))
  }

  /// The bridge sends an event only after the event before it has ended.
  ///
  /// This must also hold if calls ask for no reply, or wait only for the decision.
  @Test func oneEventIsUnderWayAtATime() throws {
    let scene = try router.scene("--allow", "n:")
    let oneway = Self.send("n:1", #","oneway":true"#)
    let decision = Self.call(
      "io.scened.Router.SendEvent",
      #"{"event":{"url":"n:1"},"waitFor":"decision"}"#
    )
    _ = try replies(to: Array(repeating: oneway, count: 10) + [decision, decision], "--send-only")
    let history = try router.scenectl("--json", "history").lines
    let times = try history.map { line in
      let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return (
        routed: try #require(record?["routedUSec"] as? Int),
        settled: try #require(record?["settledUSec"] as? Int)
      )
    }.sorted { $0.routed < $1.routed }
    #expect(times.count == 12)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0.settled <= $1.routed }, "\(times)")
    withExtendedLifetime(scene) {}
  }
}
