import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

struct Monitors: ~Copyable {
  private let port: ReplyPort
  private let ids: PublicIDs
  private let limits: Limits
  private var monitors: [ConnectionID: Monitor] = [:]

  init(_ port: ReplyPort, _ ids: PublicIDs, _ limits: Limits) {
    (self.port, self.ids, self.limits) = (port, ids, limits)
  }

  func count(of user: UserID) -> Int { monitors.values.count { $0.user == user } }

  mutating func add(_ monitor: Monitor) { monitors[monitor.call.connection] = monitor }

  var isEmpty: Bool { monitors.isEmpty }

  /// Returns the monitor's user.
  mutating func forget(_ connection: ConnectionID) -> UserID? {
    monitors.removeValue(forKey: connection)?.user
  }

  mutating func show(_ effect: Effect, _ router: borrowing Router) {
    guard !monitors.isEmpty, let news = News(effect) else { return }
    var calls: [CallID] = []
    for index in monitors.values.indices where monitors.values[index].wants(news) {
      if monitors.values[index].isBehind {
        monitors.values[index].hold(news, limits)
      } else if hasRoom(monitors.values[index].call.connection) {
        reportDropped(at: index)
        calls.append(monitors.values[index].call)
      } else {
        monitors.values[index].dropped += 1
        port.noticeDrain(of: monitors.values[index].call.connection)
      }
    }
    if !calls.isEmpty { port.reply(to: calls, reply(showing: news, router), continues: true) }
  }

  /// Sends a part of the snapshot, or then one of the held news; returns whether more is to be sent at once.
  ///
  /// Nothing is sent while the client has too many unread bytes.
  mutating func reportPart(to connection: ConnectionID, _ router: borrowing Router) -> Bool {
    guard let index = monitors.index(forKey: connection) else { return false }
    guard hasRoom(connection) else {
      port.noticeDrain(of: connection)
      return false
    }
    let call = monitors.values[index].call
    if monitors.values[index].snapshot != nil {
      let part = monitors.values[index].nextPart(router, ids)
      port.reply(to: call, Wire.MonitorCall.Reply.snapshot(part), continues: true)
    } else if let news = monitors.values[index].nextHeld() {
      port.reply(to: call, reply(showing: news, router), continues: true)
    }
    if !monitors.values[index].isBehind { reportDropped(at: index) }
    return monitors.values[index].isBehind
  }

  func close(_ connection: ConnectionID, reason: String) {
    guard let monitor = monitors[connection] else { return }
    port.reply(to: monitor.call, Wire.MonitorCall.Reply.closed(reason))
  }

  private func hasRoom(_ connection: ConnectionID) -> Bool {
    port.queuedBytes(of: connection) < limits.pendingBytesPerMonitor
  }

  private mutating func reportDropped(at index: Dictionary<ConnectionID, Monitor>.Index) {
    let monitor = monitors.values[index]
    guard monitor.dropped > 0 else { return }
    monitors.values[index].dropped = 0
    port.reply(to: monitor.call, Wire.MonitorCall.Reply.dropped(monitor.dropped), continues: true)
  }

  /// News of a scene or an application has its present state.
  private func reply(showing news: News, _ router: borrowing Router) -> Wire.MonitorCall.Reply {
    switch news {
    case .decision(let id, let event, let decision):
      let decision = RouteDecision(decision, ids.text(id), ids)
      return .decision(RoutedEvent(event: event.withoutPrivateParts, decision: decision))
    case .settlement(let settlement):
      return .settlement(Settlement(settlement, ids.text(settlement.decisionID), ids))
    case .scene(let id):
      guard let scene = router.registry.description(of: id) else { return .sceneClosed(ids.text(id)) }
      return .sceneChanged(SceneDescription(scene, router, ids))
    case .application(let id):
      guard let application = router.registry.description(ofApplication: id) else {
        return .applicationGone(id)
      }
      return .applicationChanged(ApplicationDescription(application))
    }
  }
}

enum News {
  case decision(DecisionID, Event, Decision)
  case settlement(AttemptEnd)
  case scene(SceneID)
  case application(String)

  init?(_ effect: Effect) {
    switch effect {
    case .decided(let id, let event, let decision): self = .decision(id, event, decision)
    case .settled(let settlement): self = .settlement(settlement)
    case .sceneChanged(let id), .sceneClosed(let id): self = .scene(id)
    case .applicationChanged(let id), .applicationRemoved(let id): self = .application(id)
    case .deliver, .requestScene, .start, .withdrawDelivery, .withdrawOpenRequest, .activityTaken, .resume,
      .returned, .ended:
      return nil
    }
  }

  /// A generous estimate of the bytes in memory.
  var size: Int {
    switch self {
    case .decision(_, let event, _): 512 + event.size
    case .settlement, .scene, .application: 512
    }
  }
}

struct Monitor {
  private enum Subject: Hashable {
    case scene(SceneID)
    case application(String)
  }

  let call: CallID
  let user: UserID
  private let showsDecisions: Bool
  private let showsRegistry: Bool
  /// What a monitor gets first; `nil` once all of it is sent.
  private(set) var snapshot: Listing?
  /// Sent after the snapshot, in the order of arrival.
  private var held = Queue<News>()
  private var heldSize = 0
  /// A further change of a subject in `held` is not added.
  private var heldSubjects: Set<Subject> = []
  /// Replies that the client has not been told about yet.
  var dropped: Int64 = 0

  init(_ parameters: Wire.MonitorCall, _ call: CallID, _ user: UserID) {
    self.call = call
    self.user = user
    showsDecisions = parameters.showDecisions ?? true
    showsRegistry = parameters.showRegistry ?? true
    snapshot = Listing(.everything, call)
  }

  var isBehind: Bool { snapshot != nil || !held.isEmpty }

  func wants(_ news: News) -> Bool {
    switch news {
    case .decision, .settlement: showsDecisions
    case .scene, .application: showsRegistry
    }
  }

  /// Drops the news if too many bytes wait.
  mutating func hold(_ news: News, _ limits: Limits) {
    if let subject = Self.subject(of: news), heldSubjects.contains(subject) { return }
    guard heldSize + news.size <= limits.pendingBytesPerMonitor else { return dropped += 1 }
    heldSize += news.size
    held.append(news)
    if let subject = Self.subject(of: news) { heldSubjects.insert(subject) }
  }

  mutating func nextHeld() -> News? {
    guard let news = held.popFirst() else { return nil }
    heldSize -= news.size
    if let subject = Self.subject(of: news) { heldSubjects.remove(subject) }
    return news
  }

  mutating func nextPart(_ router: borrowing Router, _ ids: PublicIDs) -> RegistrySnapshot {
    let part = snapshot?.nextPart(router, ids) ?? Listing.Part()
    let isComplete = snapshot?.isFinished ?? true
    if isComplete { snapshot = nil }
    return RegistrySnapshot(
      scenes: part.scenes,
      applications: part.applications,
      generation: Int64(router.registry.generation),
      isComplete: isComplete
    )
  }

  private static func subject(of news: News) -> Subject? {
    switch news {
    case .decision, .settlement: nil
    case .scene(let id): .scene(id)
    case .application(let id): .application(id)
    }
  }
}
