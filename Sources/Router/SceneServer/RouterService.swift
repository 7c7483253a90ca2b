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
  var pieces = PieceQueue()
  /// Whether `pieces` has a `deadline`.
  var isExpiring = false
  private let instance: Instance
  private let owner: UserID
  /// In this user namespace.
  private let root: UserID
  var refusals: RefusalLog
  let status: StatusReporter
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

// MARK: - Calls

extension RouterService {
  /// Returns `false` for an unknown method; the most frequent methods come first.
  func dispatch(_ call: borrowing Call, _ id: CallID) -> Bool {
    let method = call.method
    if method.equals(Wire.AcknowledgeDeliveryCall.method) {
      take(call, id) { acknowledge($0, id) }
    } else if method.equals(Wire.SendEventCall.method) {
      take(call, id) { send($0, id) }
    } else if method.equals(Wire.UpdateSceneCall.method) {
      take(call, id) { update($0, id) }
    } else if method.equals(Wire.SetRegistrationCall.method) {
      take(call, id) { setRegistration($0, id) }
    } else if method.equals(Wire.SetActivityCall.method) {
      take(call, id) { setActivity($0, id) }
    } else if method.equals(Wire.DeclineDeliveryCall.method) {
      take(call, id) { decline($0, id) }
    } else if method.equals(Wire.OpenSceneCall.method) {
      take(call, id, needsMore: true) { openScene($0, id) }
    } else if method.equals(Wire.CloseSceneCall.method) {
      take(call, id) { closeScene($0, id) }
    } else if method.equals(Wire.RemoveRegistrationCall.method) {
      take(call, id) { removeRegistration($0, id) }
    } else if method.equals(Wire.AwaitEventCall.method) {
      take(call, id) { awaitEvent($0, id) }
    } else if method.equals(Wire.ExplainEventCall.method) {
      take(call, id) { explain($0, id) }
    } else if method.equals(Wire.DeclareApplicationCall.method) {
      take(call, id, needsMore: true) { declare($0, id) }
    } else if method.equals(Wire.DeclineOpenRequestCall.method) {
      take(call, id) { declineOpenRequest($0, id) }
    } else if method.equals(Wire.ListScenesCall.method) {
      take(call, id) { listScenes($0, id) }
    } else if method.equals(Wire.ListApplicationsCall.method) {
      take(call, id) { listApplications($0, id) }
    } else if method.equals(Wire.ListActivitiesCall.method) {
      take(call, id) { listActivities($0, id) }
    } else if method.equals(Wire.TakeActivityCall.method) {
      take(call, id) { takeActivity($0, id) }
    } else if method.equals(Wire.MonitorCall.method) {
      take(call, id, needsMore: true) { monitor($0, id) }
    } else if method.equals(Wire.ListRecordsCall.method) {
      take(call, id) { listRecords($0, id) }
    } else if method.equals(Wire.ClearRecordsCall.method) {
      take(call, id) { clearRecords($0, id) }
    } else if method.equals(Wire.GetStatisticsCall.method) {
      take(call, id) { (_: Wire.GetStatisticsCall) in getStatistics(id) }
    } else if method.equals(Wire.ReloadCall.method) {
      take(call, id) { (_: Wire.ReloadCall) in reload(id) }
    } else {
      return false
    }
    return true
  }

  private func take<Parameters: ObjectDecodable>(
    _ call: borrowing Call,
    _ id: CallID,
    needsMore: Bool = false,
    _ answer: (Parameters) -> [Effect]
  ) {
    if needsMore, id.mode != .more { return port.reply(to: id, error: ServiceError.expectedMore) }
    do throws(ParameterError) {
      var reader = try call.parameterReader()
      let parameters = try Parameters(from: &reader)
      try reader.finish()
      apply(answer(parameters))
    } catch {
      port.reply(to: id, error: ServiceError(error))
    }
  }

  /// The call must not have changed anything; `subject` is what the error is about, as the caller spelled it.
  func refuse(_ id: CallID, _ error: CallError, about subject: String? = nil) {
    noteRefusal(id, error)
    port.reply(to: id, error: Wire.RouterErrorReply(error, about: subject, ids))
  }

  /// Refuses the call and returns `nil` if the user would exceed `bytesPerUser`.
  func charge(_ bytes: Int, for id: CallID) -> UserID? {
    let user = client(of: id).user
    if router.charge(bytes, to: user) { return user }
    _ = router.charge(-bytes, to: user)
    refuse(id, .limitExceeded(.bytesPerUser, maximum: router.limits.bytesPerUser))
    return nil
  }

  func reply(_ id: CallID, afterChange change: Result<[Effect], CallError>) -> [Effect] {
    switch change {
    case .failure(let error):
      refuse(id, error)
      return []
    case .success(let effects):
      port.reply(to: id, Wire.SetRegistrationCall.Reply(generation: Int64(router.registry.generation)))
      return effects
    }
  }

  func reply(
    _ id: CallID,
    afterSettling settling: Result<[Effect], CallError>,
    about subject: String
  ) -> [Effect] {
    switch settling {
    case .failure(let error):
      refuse(id, error, about: subject)
      return []
    case .success(let effects):
      port.reply(to: id, NoParameters())
      return effects
    }
  }

  /// The end of the reading answers the call.
  private func reload(_ id: CallID) -> [Effect] {
    if let reload { reload(id) } else { port.reply(to: id, Reload(loaded: 0, problems: [])) }
    return []
  }

  private func getStatistics(_ id: CallID) -> [Effect] {
    var events: [String: Int64] = ["notRouted": Int64(router.notRoutedCount)]
    for (result, count) in router.endCounts { events[result.rawValue] = Int64(count) }
    port.reply(
      to: id,
      Statistics(
        generation: Int64(router.registry.generation),
        startedUSec: startedUSec,
        scenes: Int64(counts.scenes),
        applications: Int64(router.registry.applications().count),
        connections: Int64(counts.connections),
        pendingDeliveries: Int64(router.pendingDeliveryCount),
        missing: router.missingCount.map { Int64($0) },
        events: events
      )
    )
    return []
  }
}

extension ReplyPort {
  func reply(to id: CallID, _ parameters: some ObjectEncodable, continues: Bool = false) {
    reply(to: id, continues: continues) { parameters.encodeMembers(to: &$0) }
  }
}

// MARK: - Effects

extension RouterService {
  func apply(_ effects: consuming [Effect]) {
    // Reversed, so that each effect is taken from the end without a copy.
    effects.reverse()
    while let effect = effects.popLast() {
      apply(effect)
      monitors.show(effect, router)
    }
    router.reuse(effects)
    router.reportsSteps = waiters.followsSteps || !monitors.isEmpty
  }

  private func apply(_ effect: Effect) {
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
      writeOpenCount()
      pieces.append(.held)
    case .ended(let sent, let end):
      report(end, sent.id)
      addToHistory(sent, end)
      // `writeOpenCount` counts a started program only while an event waits for it.
      writeOpenCount()
    case .sceneChanged, .sceneClosed, .applicationChanged, .applicationRemoved:
      status.note(counts, at: MonotonicClock.now)
      writeOpenCount()
    }
  }
}

// MARK: - Peers

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

  var counts: ServerCounts {
    ServerCounts(
      scenes: router.registry.sceneCount,
      applications: applications.count,
      connections: port.connectionCount
    )
  }
}
