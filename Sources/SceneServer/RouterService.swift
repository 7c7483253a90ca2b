import Logging
import RouterInterface
import SceneRouting
import UnixSocket
import Varlink
import VarlinkServer

/// The interfaces `io.scened.Router` and `io.scened.Manager` on top of a ``Router``.
///
/// Each call becomes one call of the router; what follows from it, the router's effects, becomes replies, in
/// order, before the next call is looked at.
final class RouterService: VarlinkService {
  /// What a stream of replies on a connection is about.
  enum Stream {
    case scene(SceneID)
    case application(String)
    case listing(Listing)
    case monitor
  }

  /// An open scene's call of `OpenScene`.
  struct SceneStream {
    var call: CallID
    var handle: Handle
  }

  /// A declared application's call of `DeclareApplication`.
  struct ApplicationStream {
    var call: CallID
    var handle: Handle
  }

  let serviceInterface: ServiceInterface
  let port: ReplyPort
  let instance: Instance
  let owner: UserID
  let clock: ServerClock
  let names: Names
  private var violations: ViolationLog
  let startedUSec: Int64
  var router: Router
  var effects: [Effect] = []
  var streams: [ConnectionID: Stream] = [:]
  var scenes: [SceneID: SceneStream] = [:]
  var sceneHandles: [Handle: SceneID] = [:]
  var applications: [String: ApplicationStream] = [:]
  var applicationHandles: [Handle: String] = [:]
  /// The calls that are told the end of an event alone, apart from the others as most events have no others.
  var waiters: [DecisionID: WaitingCalls] = [:]
  /// The calls that are told more.
  var followers: [DecisionID: WaitingCalls] = [:] {
    didSet { reportStepsIfFollowed() }
  }
  var monitors: [ConnectionID: MonitorStream] = [:] {
    didSet { reportStepsIfFollowed() }
  }
  var longEndings = WorkQueue<LongEnding>()
  let status: StatusReporter
  private var random = SystemRandomNumberGenerator()

  init(
    port: ReplyPort,
    serviceInterface: ServiceInterface,
    instance: Instance,
    owner: UserID,
    limits: Limits,
    clock: ServerClock,
    log: Logger,
    status: StatusReporter
  ) {
    self.port = port
    self.serviceInterface = serviceInterface
    self.instance = instance
    self.owner = owner
    self.clock = clock
    violations = ViolationLog(log)
    self.status = status
    router = Router(limits: limits)
    names = Names(using: &random)
    startedUSec = clock.realTime()
    reportStepsIfFollowed()
  }

  /// Lets the router report the steps of events while anybody is told more than their ends.
  func reportStepsIfFollowed() { router.reportsSteps = !followers.isEmpty || !monitors.isEmpty }

  /// A handle that nobody else has.
  func makeHandle() -> Handle { Handle(using: &random) }

  /// The open scene with a handle.
  func scene(with handle: String) -> SceneID? { Handle(handle).flatMap { sceneHandles[$0] } }

  /// The user that a call is charged to.
  func user(of id: CallID) -> UserID {
    UserID(rawValue: port.peer(of: id.connection)?.userID ?? owner.rawValue)
  }

  /// The process that made a call; `nil` if it is in another PID namespace.
  func processID(of id: CallID) -> Int32? { port.peer(of: id.connection)?.processID }
}

// MARK: - Peers and time

extension RouterService {
  /// A user's own instance serves its user and root, whatever the mode of the socket.
  func admission(of peer: PeerCredentials) -> Admission {
    instance == .system || peer.userID == owner.rawValue || peer.userID == 0 ? .admitted : .denied
  }

  func refuseConnection(_ id: CallID, maximum: Int) {
    port.reply(
      to: id,
      error: Wire.LimitExceeded(limit: Limit.connectionsPerUser.rawValue, maximum: Int64(maximum))
    )
  }

  func connectionViolated(_ violation: ProtocolViolation, _ peer: PeerCredentials) {
    violations.note(violation, of: peer, at: clock.monotonic())
  }

  func charge(_ bytes: Int, toUser user: UInt32) -> Bool {
    router.charge(bytes, to: UserID(rawValue: user))
  }

  func connectionEnded(_ connection: ConnectionID) {
    switch streams.removeValue(forKey: connection) {
    case .scene(let scene):
      forget(scene)
      _ = router.closeScene(scene, now: clock.monotonic(), effects: &effects)
    case .application(let application):
      forget(application)
      router.withdrawDeclaration(of: application, now: clock.monotonic(), effects: &effects)
    case .monitor: monitors[connection] = nil
    case .listing, nil: break
    }
    carryOutEffects()
  }

  func outputDrained(_ connection: ConnectionID) {
    switch streams[connection] {
    case .listing(let listing): go(on: listing)
    case .monitor: goOnMonitoring(connection)
    case .scene, .application, nil: break
    }
  }

  var nextDeadline: UInt64? {
    let report = MonotonicClock.earliest(status.nextReport, violations.nextReport)
    return MonotonicClock.earliest(router.nextDeadline, report)
  }

  func advance(to now: UInt64) {
    router.advance(to: now, effects: &effects)
    carryOutEffects()
    status.report(counts, at: now)
    violations.report(at: now)
  }

  /// Every event ends, every sender learns of it, and every stream gets its last reply.
  func stop() {
    violations.finish()
    router.shutDown(now: clock.monotonic(), effects: &effects)
    carryOutEffects()
    tellAll()
    for scene in scenes.values { port.reply(to: scene.call, Wire.OpenScene.Reply.closed("shutdown")) }
    for application in applications.values {
      port.reply(to: application.call, Wire.DeclareApplication.Reply.closed("shutdown"))
    }
    for monitor in monitors.values { port.reply(to: monitor.call, Wire.Monitor.Reply.closed("shutdown")) }
    scenes = [:]
    applications = [:]
    monitors = [:]
    streams = [:]
  }

  /// What the status line tells.
  var counts: ServerCounts {
    ServerCounts(
      scenes: router.registry.sceneCount,
      applications: applications.count,
      connections: port.connectionCount
    )
  }

  func forget(_ scene: SceneID) {
    if let stream = scenes.removeValue(forKey: scene) { sceneHandles[stream.handle] = nil }
  }

  func forget(_ application: String) {
    if let stream = applications.removeValue(forKey: application) { applicationHandles[stream.handle] = nil }
  }
}
