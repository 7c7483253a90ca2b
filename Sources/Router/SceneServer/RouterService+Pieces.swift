import SceneRouting
import VarlinkServer

/// Each piece takes less than a millisecond; the server's loop runs pieces for a few milliseconds between reads.
///
/// Ends of connections come first, so that the scenes of all ended connections are removed before an event gets its
/// next decision. Other pieces run in the order of their arrival.
struct PieceQueue: ~Copyable {
  enum Piece {
    case connectionEnd(ConnectionID)
    case resume(DecisionID)
    /// Repeats itself until no held event is left.
    case held
    case start(application: String)
    /// Repeats itself until no attempt is past its deadline.
    case deadline
    /// Repeats itself until no waiting call is left.
    case report(EndReport)
    /// Repeats itself while many records wait.
    case records
    /// Of a list, or of a monitor's backlog.
    case part(ConnectionID)
  }

  private var connectionEnds = Queue<Piece>()
  private var others = Queue<Piece>()
  // Stored, because the loop reads both in every pass. Computed from the queues, whose generic type is in another
  // module, they would take a thousand instructions.

  private(set) var isEmpty = true
  private(set) var hasConnectionEnds = false

  mutating func append(_ piece: Piece) {
    if case .connectionEnd = piece {
      connectionEnds.append(piece)
      hasConnectionEnds = true
    } else {
      others.append(piece)
    }
    isEmpty = false
  }

  mutating func next() -> Piece? {
    let piece = connectionEnds.popFirst() ?? others.popFirst()
    hasConnectionEnds = !connectionEnds.isEmpty
    isEmpty = connectionEnds.isEmpty && others.isEmpty
    return piece
  }
}

extension RouterService {
  func report(_ end: EventEnd, _ event: DecisionID) {
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
    case .connectionEnd(let connection)?: apply(endStream(of: connection))
    case .start(let application)?: start(application)
    case .resume(let event)?: apply(router.resume(event, now: MonotonicClock.now))
    case .held?:
      guard let effects = router.decideHeld(now: MonotonicClock.now) else { break }
      apply(effects)
      pieces.append(.held)
    case .deadline?:
      let effects = router.expireNext(now: MonotonicClock.now)
      isExpiring = effects != nil
      apply(effects ?? [])
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

// MARK: - Time

extension RouterService {
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
    apply(router.stop(now: MonotonicClock.now))
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
}
