import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

struct WaitingCall {
  enum Interest {
    /// One reply, as soon as the event has its first decision.
    case decision
    /// One reply, when the event ends.
    case outcome
    /// A reply for each decision and for each settlement of the event.
    case everything
  }

  let call: CallID
  let interest: Interest
  /// `nil` for the sender's call, because the sender is charged for the event.
  var user: UserID?

  /// In bytes.
  static var charge: Int { MemoryLayout<WaitingCall>.stride }

  init(_ call: CallID, _ waitFor: Wire.SendEventCall.WaitFor? = nil) {
    self.call = call
    interest = waitFor == .decision ? .decision : call.mode == .more ? .everything : .outcome
  }
}

/// The service reports the end to one call at a time, and does other work in between.
final class EndReport {
  let event: DecisionID
  let end: EventEnd
  private var calls: [WaitingCall]

  init(_ event: DecisionID, _ end: EventEnd, _ calls: [WaitingCall]) {
    (self.event, self.end, self.calls) = (event, end, calls)
  }

  func next() -> (call: WaitingCall?, isLast: Bool) { (calls.popLast(), calls.isEmpty) }
}

/// `SendEvent` calls, the sender's and later ones with the same `eventId`, and `AwaitEvent` calls.
struct EventWaiters: ~Copyable {
  /// Nearly always one call.
  private struct Calls {
    var first: WaitingCall?
    var others: [WaitingCall] = []

    func forEach(_ body: (WaitingCall) -> Void) {
      if let first { body(first) }
      for call in others { body(call) }
    }
  }

  private let port: ReplyPort
  private let ids: PublicIDs
  private var waiting: IDTable<DecisionID, Calls>
  /// The calls that get a reply before the end of their event.
  private var followerCount = 0

  init(_ port: ReplyPort, _ ids: PublicIDs, seed: UInt64) {
    (self.port, self.ids) = (port, ids)
    waiting = IDTable(vacant: Calls(), seed: seed)
  }

  var followsSteps: Bool { followerCount > 0 }

  mutating func add(_ call: WaitingCall, to event: DecisionID) {
    if call.interest != .outcome { followerCount += 1 }
    if let place = waiting.place(of: event) {
      waiting[place: place].others.append(call)
    } else {
      waiting.insert(Calls(first: call), for: event)
    }
  }

  mutating func remove(_ event: DecisionID) -> (first: WaitingCall, others: [WaitingCall])? {
    guard let calls = waiting.remove(event), let first = calls.first else { return nil }
    if followerCount > 0 { calls.forEach { if $0.interest != .outcome { followerCount -= 1 } } }
    return (first, calls.others)
  }

  mutating func report(_ decision: Decision, _ event: DecisionID) {
    guard decision.destination != .none, let calls = waiting[event] else { return }
    calls.forEach { report(decision, event, to: $0) }
    // The sender's call that asked only for the first decision has got its last reply.
    //
    // A later `SendEvent` call with the same `eventId`, possible after a restart, stays until the event ends, because
    // its user is charged for it until then. Any further reply to it is dropped.
    guard let first = calls.first, first.interest == .decision, first.user == nil,
      let place = waiting.place(of: event)
    else { return }
    followerCount -= 1
    waiting[place: place].first = waiting[place: place].others.popLast()
    if waiting[place: place].first == nil { waiting.remove(event) }
  }

  func report(_ settlement: AttemptEnd) {
    waiting[settlement.decisionID]?.forEach { report(settlement, to: $0) }
  }
}

// MARK: - Replies

extension EventWaiters {
  /// Returns whether the call has got its last reply.
  func report(_ progress: EventCourse, to call: WaitingCall) -> Bool {
    if call.interest == .decision, let first = progress.firstDecision {
      report(first, progress.id, to: call)
      return true
    }
    let decisions = progress.settledAttempts.map(\.decision) + (progress.decision.map { [$0] } ?? [])
    for (index, decision) in decisions.enumerated() {
      report(decision, progress.id, to: call)
      if index < progress.settledAttempts.count {
        report(progress.settledAttempts[index].settlement, to: call)
      }
    }
    guard let end = progress.end else { return false }
    report(end, progress.id, to: call)
    return true
  }

  private func report(_ decision: Decision, _ event: DecisionID, to waiting: WaitingCall) {
    guard waiting.interest != .outcome else { return }
    port.reply(
      to: waiting.call,
      Wire.SendEventCall.Reply(decision: RouteDecision(decision, ids.text(event), ids)),
      continues: waiting.interest == .everything
    )
  }

  /// A successful attempt is reported with the end of the event.
  private func report(_ settlement: AttemptEnd, to waiting: WaitingCall) {
    guard waiting.interest == .everything, !settlement.result.isTaken else { return }
    port.reply(
      to: waiting.call,
      Wire.SendEventCall.Reply(
        settlement: Settlement(settlement, ids.text(settlement.decisionID), ids)
      ),
      continues: true
    )
  }

  func report(_ end: EventEnd, _ event: DecisionID, to waiting: WaitingCall) {
    let call = waiting.call
    let id = ids.text(event)
    let decision = RouteDecision(end.decision, id, ids)
    guard let last = end.settlement else {
      return port.reply(to: call, error: Wire.RouterErrorReply.notRouted(decision))
    }
    let settlement = Settlement(last, id, ids)
    if last.result.isTaken, waiting.interest == .everything {
      return port.reply(to: call, Wire.SendEventCall.Reply(settlement: settlement))
    }
    let earlier = end.earlierAttempts.map { Settlement($0.settlement, id, ids) }
    let error: Wire.RouterErrorReply
    switch last.result {
    case .acknowledged, .launched: return reply(to: call, decision, settlement, after: earlier)
    case .declined, .sceneClosed:
      error = .declined(decision: decision, settlement: settlement, attempts: earlier + [settlement])
    case .timeout:
      error = .timedOut(decision: decision, settlement: settlement, attempts: earlier + [settlement])
    case .launchFailed:
      error = .launchFailed(decision: decision, settlement: settlement, attempts: earlier + [settlement])
    case .shutdown: error = .serviceStopping(decision: decision, isShown: end.mayBeTaken)
    }
    port.reply(to: call, error: error)
  }

  /// The settlement is in the reply twice, as `settlement` and as the last of `attempts`; it is encoded once.
  private func reply(
    to call: CallID,
    _ decision: RouteDecision,
    _ settlement: Settlement,
    after earlier: [Settlement]
  ) {
    port.reply(to: call) { writer in
      decision.encode(as: "decision", to: &writer)
      writer.name("settlement")
      let start = writer.count
      settlement.encode(to: &writer)
      let end = writer.count
      writer.beginArray("attempts")
      for attempt in earlier { attempt.encode(to: &writer) }
      writer.repeatValue(start..<end)
      writer.endArray()
    }
  }
}
