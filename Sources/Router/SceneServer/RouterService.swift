import Logging
import RouterInterface
import SceneRouting
import UnixSocket
import Varlink
import VarlinkServer

/// Serves the interfaces `io.scened.Router` and `io.scened.Manager` on top of a ``Router``.
///
/// The service passes the calls of clients on to the router. The effects that the router returns become replies, in
/// order, before the next call of a client is read. An effect on many scenes, events or calls is cut into pieces of
/// work, which run later.
final class RouterService: VarlinkService {
  /// What a stream is for; a stream is an open call that gets many replies.
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
  /// The open streams; each stream has a connection of its own.
  var streams: [ConnectionID: Stream] = [:]
  var scenes: SceneStreams
  var applications: ApplicationStreams
  var waiters: EventWaiters
  var monitors: Monitors
  var history: EventHistory
  /// Writes the history for the next run of the service; `nil` if the history is kept in memory only.
  var recordWriter: RecordWriter?
  /// Keeps the number of open scenes and declarations for the next run of the service.
  ///
  /// The value is `nil` if the number is not kept.
  var restartPage: RestartPage?
  /// The time until which clients can settle events while the service stops; `nil` if the service is not stopping.
  var settlesUntil: UInt64?
  /// The senders that are known already; the key is the id of the connection.
  ///
  /// A sender is added when it first calls `SendEvent` or `ExplainEvent` over the connection.
  var senders: IDTable<Sender?>
  let log: Logger
  /// Whether ended events are logged.
  ///
  /// The value is kept, so that the log is not asked for its level at each event.
  let logsEvents: Bool
  /// Starts an application and reports the end of the start to ``startEnded(_:failure:)``; `nil` if applications cannot
  /// be started.
  var launcher: ((ApplicationLaunch, ApplicationStart) -> Void)?
  /// Reads the files of applications again and then answers the call; `nil` if the service reads no files.
  var reload: ((CallID) -> Void)?
  private var pieces = PieceQueue()
  /// Whether `pieces` already has a piece that ends attempts past their deadlines.
  private var isExpiring = false
  private let instance: Instance
  private let owner: UserID
  /// The user id of root in this user namespace.
  private let root: UserID
  /// The peers that were refused, with the reasons.
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

  /// Makes a handle that no other scene or application has.
  func makeHandle() -> Handle { Handle(using: &random) }

  /// Returns the client that made a call.
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
  /// Turns the effects of a router call into replies and pieces of work, in order.
  func carryOut(_ effects: consuming [Effect]) {
    // The array is reversed so that each effect can be taken from the end, which moves the effect without a copy.
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
      // The number that `noteOpen` writes includes a started program only while an event waits for the program.
      // So the end of an event can change the number.
      noteOpen()
    case .sceneChanged, .sceneClosed, .applicationChanged, .applicationRemoved:
      status.note(counts, at: MonotonicClock.now)
      noteOpen()
    }
  }

  /// Reports the end of an event to the first call that waits for the event, and later to the other calls.
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

  /// Reports the next part of a list or of a monitor's backlog.
  ///
  /// If another part can follow without a pause, a new piece of work will report it.
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
    senders.remove(connection.rawValue)
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
  /// Returns whether a peer may use the service.
  ///
  /// A user's own instance serves only this user and root, even if the socket's mode lets other users connect.
  func admission(of peer: PeerCredentials) -> Admission {
    if instance == .system || [owner.rawValue, root.rawValue].contains(peer.userID) { return .admitted }
    refusals.noteDenied(peer, at: MonotonicClock.now)
    return .denied
  }

  /// Logs a refused call if the reason is a limit.
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
    return MonotonicClock.earliest(MonotonicClock.earliest(deadline, report), write)
  }

  func advance(to now: UInt64) {
    if !isExpiring, let deadline = router.nextDeadline, deadline <= now {
      isExpiring = true
      pieces.append(.deadline)
    }
    status.report(counts, at: now)
    refusals.report(at: now)
    if recordWriter?.becomesDue(at: now) == true { writeRecordsSoon() }
  }

  /// Ends every event, reports each end to the sender, and ends every stream.
  ///
  /// A stream gets a last reply, unless it is a list.
  func stop() {
    settlesUntil = nil
    // The restart page keeps its number from here on. Programs that are starting now will connect to the next service,
    // so the number must include these programs. Ending their events below could lower the number.
    restartPage = nil
    carryOut(router.shutDown(now: MonotonicClock.now))
    while hasWork { work() }
    while recordWriter?.hasWaiting == true { writeRecords() }
    // The history's file is unlocked here, because the next service may start before this object is released.
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

  /// The counts shown in the status line.
  var counts: ServerCounts {
    ServerCounts(
      scenes: router.registry.sceneCount,
      applications: applications.count,
      connections: port.connectionCount
    )
  }
}
