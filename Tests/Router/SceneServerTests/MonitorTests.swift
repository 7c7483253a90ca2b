import RouterInterface
import SceneRouting
import TestSupport
import Testing

@testable import SceneServer
@testable import Varlink
@testable import VarlinkServer

@Suite struct MonitorTests {
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func snapshotIsWhatIsRegistered(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    #expect(try router.monitor().snapshot.generation == router.statistics().generation)
    let scenes = try ["one", "two"].map { try router.open(title: $0) }
    let application = try router.declare()
    let snapshot = try router.monitor().snapshot
    #expect(snapshot.scenes == (try router.call(Wire.ListScenesCall()).scenes))
    #expect(snapshot.scenes.map(\.runtime.sceneID) == scenes.map(\.id))
    #expect(snapshot.applications == (try router.call(Wire.ListApplicationsCall()).applications))
    #expect(snapshot.generation == application.declared.generation)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func monitorSeesEachStepInOrder(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let monitor = try router.monitor()
    let scene = try router.open()
    guard case .sceneChanged(let shown) = try monitor.next() else { throw Overdue("No scene came.") }
    #expect(shown.runtime.sceneID == scene.id)

    let secret = UserInfo(bytes: Array(#"{"secret":1}"#.utf8))
    let activity = Activity(activityType: "type", title: "title", userInfo: secret)
    var call = Wire.SendEventCall(event: Event(.activity(activity)), activationToken: "token")
    let sender = try router.send(call)
    let delivery = try scene.delivery()
    guard case .decision(let routed) = try monitor.next() else { throw Overdue("No decision came.") }
    #expect(routed.decision.decisionID == delivery.decisionID)
    #expect((routed.decision.sceneID, routed.decision.rule) == (scene.id, .allowing))
    #expect(routed.event.activity == Activity(activityType: "type", title: "title"))
    try scene.decline(delivery, reason: "busy")
    guard case .declined(_, let settlement, _) = try sender.failure() else { throw Overdue("It was taken.") }
    #expect(try monitor.next() == .settlement(settlement))

    try router.call(Wire.UpdateSceneCall(sceneHandle: scene.handle, isActive: false))
    try router.call(Wire.UpdateSceneCall(sceneHandle: scene.handle, title: "New"))
    func changed(_ registrations: [Registration]) -> Wire.MonitorCall.Reply {
      let context = SceneContext(applicationID: "app", title: "New", registrations: registrations)
      return .sceneChanged(SceneDescription(context: context, runtime: shown.runtime))
    }
    #expect(try monitor.next() == changed(shown.context.registrations))
    let view = Registration(id: "view", preferring: ["x"], allowing: [])
    try router.call(Wire.SetRegistrationCall(sceneHandle: scene.handle, registration: view))
    #expect(try monitor.next() == changed([view]))
    try router.call(Wire.RemoveRegistrationCall(sceneHandle: scene.handle, registrationID: "view"))
    #expect(try monitor.next() == changed([]))

    let application = try router.declare()
    let listed = try router.call(Wire.ListApplicationsCall()).applications
    #expect(try listed.map { .applicationChanged($0) } == [monitor.next()])
    call.event = Event(.url("test:new"))
    _ = try router.send(call)
    guard case .decision(let requested) = try monitor.next() else { throw Overdue("No decision came.") }
    #expect(requested.decision.target == .newScene)
    try application.client.leave()
    #expect(try monitor.next() == .applicationGone("app"))
    guard case .settlement(let failed) = try monitor.next() else { throw Overdue("No settlement came.") }
    #expect(failed.result == .launchFailed)
    try scene.close()
    #expect(try monitor.next() == .sceneClosed(scene.id))
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func monitorSeesTheEndOfAnEventThatWasUnderWay(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let sender = try router.send("test:one")
    let delivery = try scene.delivery()
    let monitor = try router.monitor(showRegistry: false)
    try router.call(scene.acknowledgement(of: delivery))
    #expect(try monitor.next() == .settlement(sender.outcome().settlement))
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func monitorSeesWhatItAskedFor(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let decisions = try router.monitor(showRegistry: false)
    let registry = try router.monitor(showDecisions: false)
    let neither = try router.monitor(showDecisions: false, showRegistry: false)
    let scene = try router.open()
    let sender = try router.send("test:one")
    try scene.acknowledgeNext()
    _ = try sender.outcome()
    try scene.close()
    router.stop()
    let kinds = try [decisions, registry, neither].map { monitor in
      var kinds: [String] = []
      repeat {
        switch try monitor.next() {
        case .decision: kinds.append("decision")
        case .settlement: kinds.append("settlement")
        case .sceneChanged: kinds.append("changed")
        case .sceneClosed: kinds.append("closed")
        default: break
        }
      } while monitor.client.continues
      return kinds
    }
    #expect(kinds == [["decision", "settlement"], ["changed", "closed"], []])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func largeSnapshotComesInParts(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scenes = try (0..<5).map { try router.open(allowing: LargeText.identifiers($0)) }
    let client = try router.connect()
    try client.send(Wire.MonitorCall(), .more)
    var parts: [RegistrySnapshot] = []
    repeat {
      guard case .snapshot(let part) = try client.reply(to: Wire.MonitorCall.self) else {
        throw Overdue("No snapshot came.")
      }
      #expect(client.continues)
      parts.append(part)
    } while parts.last?.isComplete == false
    #expect(parts.count > 1)
    #expect(parts.flatMap(\.scenes).map(\.runtime.sceneID) == scenes.map(\.id))
  }
}

// MARK: - Held news

/// The news that a monitor holds until its snapshot is sent.
extension MonitorTests {
  private static var monitor: Monitor {
    let call = CallID(connection: ConnectionID(rawValue: 1), ticket: CallTicket(number: 1, mode: .more))
    return Monitor(Wire.MonitorCall(), call, UserID(rawValue: 1))
  }

  private static var news: [News] { (1...2).map { .scene(SceneID(rawValue: $0)) } }

  @Test func changeIsHeldOnceUntilItIsTaken() {
    var monitor = Self.monitor
    for news in [Self.news[0], Self.news[1], Self.news[0]] { monitor.hold(news, Limits()) }
    let first = monitor.nextHeld()
    monitor.hold(Self.news[0], Limits())
    let held = [first] + (1...3).map { _ in monitor.nextHeld() }
    let scenes = held.map { news -> UInt64? in if case .scene(let id)? = news { id.rawValue } else { nil } }
    #expect(scenes == [1, 2, 1, nil])
  }

  @Test func takenNewsMakeRoomForOthers() {
    var monitor = Self.monitor
    var limits = Limits()
    limits.pendingBytesPerMonitor = Self.news[0].size
    for _ in 1...3 {
      monitor.hold(Self.news[0], limits)
      _ = monitor.nextHeld()
    }
    #expect(monitor.dropped == 0)
    for news in Self.news { monitor.hold(news, limits) }
    #expect(monitor.dropped == 1)
  }
}
