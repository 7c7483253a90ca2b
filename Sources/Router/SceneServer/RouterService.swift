import Logging
import RouterInterface
import SceneRouting
import UnixSocket
import Varlink
import VarlinkServer

/// Serves `io.scened.Router` and `io.scened.Manager` on top of a ``Router``.
///
/// Effects of the router become replies, in order, before the next call of a client is read. An effect on many scenes,
/// events or calls is cut into pieces of work, which run later.
final class RouterService: VarlinkService {
  /// An open call that gets many replies.
  enum Stream {
    case scene(SceneID)
    case application(String)
    case list(Listing)
    case monitor
  }

  let serviceInterface: ServiceInterface
  let port: ReplyPort
  let ids: PublicIDs
  let startedUSec: Int64
  var router: Router
  /// Each has a connection of its own.
  var streams: [ConnectionID: Stream] = [:]
  var scenes: SceneStreams
  var applications: ApplicationStreams
  var waiters: EventWaiters
  var monitors: Monitors
  var history: EventHistory
  /// `nil` if the history is kept in memory only.
  var recordWriter: RecordWriter?
  /// `nil` if the number of open scenes and declarations is not kept.
  var restartPage: RestartPage?
  /// `nil` if the service is not stopping.
  var settlesUntil: UInt64?
  /// By connection, from the first `SendEvent` or `ExplainEvent` on.
  var senders: IDTable<ConnectionID, Sender?>
  let log: Logger
  /// Kept, so that the log is not asked for its level at each event.
  let logsEvents: Bool
  /// Reports the end of the start to ``startEnded(_:failure:)``; `nil` if applications cannot be started.
  var launcher: ((ApplicationLaunch, ApplicationStart) -> Void)?
  /// Answers the call at the end; `nil` if the service reads no files.
  var reload: ((CallID) -> Void)?
  /// `nil` if the service reads no files.
  var refreshing: Refreshing?
  private var pieces = PieceQueue()
  /// Whether `pieces` has a `deadline`.
  private var isExpiring = false
  private let instance: Instance
  private let owner: UserID
  /// In this user namespace.
  private let root: UserID
  var refusals: RefusalLog
  private let status: StatusReporter
  private var random = SystemRandomNumberGenerator()

  init(
    port: ReplyPort,
    serviceInterface: ServiceInterface,
    instance: Instance,
    owner: UserID,
    root: UserID,
    machineName: String?,
    limits: Limits,
    history: HistoryDetail,
    log: Logger,
    status: StatusReporter
  ) {
    self.port = port
    self.serviceInterface = serviceInterface
    self.instance = instance
    self.owner = owner
    self.root = root
    self.log = log
    logsEvents = log.logLevel <= .info
    refusals = RefusalLog(log)
    self.status = status
    router = Router(limits: limits, machineName: machineName)
    ids = PublicIDs(using: &random)
    startedUSec = RealTimeClock.now
    self.history = EventHistory(history)
    let seed = random.next()
    scenes = SceneStreams(port, ids, seed: seed)
    applications = ApplicationStreams(port, ids, seed: seed)
    waiters = EventWaiters(port, ids, seed: seed)
    senders = IDTable(vacant: nil, seed: seed)
    monitors = Monitors(port, ids, limits)
  }

  func makeHandle() -> Handle { Handle(using: &random) }

  func client(of id: CallID) -> Client {
    let peer = port.peer(of: id.connection)
    return Client(
      user: peer.map { UserID(rawValue: $0.userID) } ?? owner,
      processID: peer?.processID,
      connection: id.connection.rawValue
    )
  }
}

// MARK: - Effects and pieces

extension RouterService {
  func carryOut(_ effects: consuming [Effect]) {
    // Reversed, so that each effect is taken from the end without a copy.
    effects.reverse()
    while let effect = effects.popLast() {
      carryOut(effect)
      monitors.show(effect, router)
    }
    router.reuse(effects)
    router.reportsSteps = waiters.followsSteps || !monitors.isEmpty
  }

  private func carryOut(_ effect: Effect) {
    switch effect {
    case .deliver(let delivery): scenes.deliver(delivery)
    case .requestScene(let request): applications.request(request)
    case .start(let application): pieces.append(.start(application: application))
    case .withdrawDelivery(let delivery, from: let scene, let reason):
      scenes.withdraw(delivery, from: scene, reason)
    case .withdrawOpenRequest(let request, fromApplication: let application, let reason):
      applications.withdraw(request, from: application, reason)
    case .activityTaken(let scene, let activityType, let taker):
      scenes.reportTaken(activityType, by: taker, to: scene)
    case .decided(let event, _, let decision): waiters.report(decision, event)
    case .settled(let settlement): waiters.report(settlement)
    case .resume(let event): pieces.append(.resume(event))
    case .returned:
      noteOpen()
      pieces.append(.held)
    case .ended(let sent, let end):
      report(end, sent.id)
      remember(sent, end)
      // `noteOpen` counts a started program only while an event waits for it.
      noteOpen()
    case .sceneChanged, .sceneClosed, .applicationChanged, .applicationRemoved:
      status.note(counts, at: MonotonicClock.now)
      noteOpen()
    }
  }

  private func report(_ end: EventEnd, _ event: DecisionID) {
    guard let (first, others) = waiters.remove(event) else { return }
    report(end, event, to: first)
    if !others.isEmpty { pieces.append(.report(EndReport(event, end, others))) }
  }

  private func report(_ end: EventEnd, _ event: DecisionID, to call: WaitingCall) {
    waiters.report(end, event, to: call)
    if let user = call.user { _ = router.charge(-WaitingCall.charge, to: user) }
  }

  var hasWork: Bool { !pieces.isEmpty }

  var hasConnectionEnds: Bool { pieces.hasConnectionEnds }

  func work() {
    switch pieces.next() {
    case .connectionEnd(let connection)?: carryOut(endStream(of: connection))
    case .start(let application)?: start(application)
    case .resume(let event)?: carryOut(router.resume(event, now: MonotonicClock.now))
    case .held?:
      guard let effects = router.decideHeld(now: MonotonicClock.now) else { break }
      carryOut(effects)
      pieces.append(.held)
    case .deadline?:
      let effects = router.expireNext(now: MonotonicClock.now)
      isExpiring = effects != nil
      carryOut(effects ?? [])
      if isExpiring { pieces.append(.deadline) }
    case .report(let report)?:
      let (call, isLast) = report.next()
      if let call { self.report(report.end, report.event, to: call) }
      if !isLast { pieces.append(.report(report)) }
    case .part(let connection)?: reportPart(to: connection)
    case .records?: writeRecords()
    case nil: break
    }
  }

  func reportPart(to connection: ConnectionID) {
    let hasMore =
      switch streams[connection] {
      case .list(let listing)?: reportPart(of: listing)
      case .monitor?: monitors.reportPart(to: connection, router)
      case .scene?, .application?, nil: false
      }
    if hasMore { pieces.append(.part(connection)) }
  }

  func writeRecordsSoon() { pieces.append(.records) }

  func outputDrained(_ connection: ConnectionID) { pieces.append(.part(connection)) }

  func connectionEnded(_ connection: ConnectionID) {
    senders.remove(connection)
    if streams[connection] != nil { pieces.append(.connectionEnd(connection)) }
  }

  private func endStream(of connection: ConnectionID) -> [Effect] {
    switch streams.removeValue(forKey: connection) {
    case .scene(let scene)?:
      scenes.forget(scene)
      guard case .success(let effects) = router.closeScene(scene, now: MonotonicClock.now) else { return [] }
      return effects
    case .application(let application)?:
      applications.forget(application)
      return router.withdrawDeclaration(of: application, now: MonotonicClock.now)
    case .monitor?:
      if let user = monitors.forget(connection) {
        _ = router.charge(-router.limits.pendingBytesPerMonitor, to: user)
      }
      return []
    case .list(let listing)?:
      release(listing)
      return []
    case nil: return []
    }
  }
}

// MARK: - Peers and time

extension RouterService {
  /// A user's own instance serves only this user and root, even if the socket's mode lets other users connect.
  func admission(of peer: PeerCredentials) -> Admission {
    if instance == .system || [owner.rawValue, root.rawValue].contains(peer.userID) { return .admitted }
    refusals.noteDenied(peer, at: MonotonicClock.now)
    return .denied
  }

  /// Logs only refusals by a limit.
  func noteRefusal(_ id: CallID, _ error: CallError) {
    guard case .limitExceeded(let limit, let maximum) = error, let peer = port.peer(of: id.connection) else {
      return
    }
    refusals.note(limit, maximum: maximum, of: peer, at: MonotonicClock.now)
  }

  func refuseConnection(_ id: CallID, _ limit: ConnectionLimit) {
    switch limit {
    case .connectionsPerUser(let maximum): refuse(id, .limitExceeded(.connectionsPerUser, maximum: maximum))
    case .descriptors(let maximum): refuse(id, .limitExceeded(.fileDescriptors, maximum: maximum))
    }
  }

  func connectionViolated(_ violation: ProtocolViolation, _ peer: PeerCredentials) {
    refusals.note(violation, of: peer, at: MonotonicClock.now)
  }

  func charge(_ bytes: Int, toUser user: UInt32) -> Bool {
    router.charge(bytes, to: UserID(rawValue: user))
  }

  var nextDeadline: UInt64? {
    let deadline = isExpiring ? nil : router.nextDeadline
    let report = MonotonicClock.earliest(status.nextReport, refusals.nextReport)
    let write = MonotonicClock.earliest(recordWriter?.nextWrite, settlesUntil)
    let held = MonotonicClock.earliest(write, refreshing?.waitsUntil)
    return MonotonicClock.earliest(MonotonicClock.earliest(deadline, report), held)
  }

  func advance(to now: UInt64) {
    if !isExpiring, let deadline = router.nextDeadline, deadline <= now {
      isExpiring = true
      pieces.append(.deadline)
    }
    refreshing?.advance(to: now)
    status.report(counts, at: now)
    refusals.report(at: now)
    if recordWriter?.becomesDue(at: now) == true { writeRecordsSoon() }
  }

  /// A stream gets a last reply, unless it is a list.
  func stop() {
    settlesUntil = nil
    // The page keeps its number, which counts programs that are starting now and will connect to the next service.
    // Ending their events below could lower it.
    restartPage = nil
    carryOut(router.shutDown(now: MonotonicClock.now))
    while hasWork { work() }
    while recordWriter?.hasWaiting == true { writeRecords() }
    // Unlocks the file, because the next service may start before this object is released.
    recordWriter = nil
    for (connection, stream) in streams {
      switch stream {
      case .scene(let scene): scenes.close(scene, reason: "shutdown")
      case .application(let application): applications.close(application, reason: "shutdown")
      case .monitor: monitors.close(connection, reason: "shutdown")
      case .list: break
      }
    }
    streams = [:]
  }

  var counts: ServerCounts {
    ServerCounts(
      scenes: router.registry.sceneCount,
      applications: applications.count,
      connections: port.connectionCount
    )
  }
}
