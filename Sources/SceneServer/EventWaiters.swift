import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

/// A call that waits for what becomes of an event.
struct WaitingCall {
  /// Which replies it gets.
  enum Interest {
    /// The first decision, alone.
    case decision
    /// One reply at the end.
    case outcome
    /// Every decision and every settlement.
    case everything
  }

  let call: CallID
  let interest: Interest
  /// Who is charged for it; `nil` for the sender's, which is charged with the event.
  var user: UserID?

  /// What is charged for a call that waits.
  static var charge: Int { MemoryLayout<WaitingCall>.stride }

  init(_ call: CallID, _ waitFor: Wire.SendEvent.WaitFor? = nil) {
    self.call = call
    interest = waitFor == .decision ? .decision : call.mode == .more ? .everything : .outcome
  }
}

/// The calls that have yet to get the end of an event, where they are many.
final class EndReport {
  let event: DecisionID
  let end: EventEnd
  private var calls: [WaitingCall]

  init(_ event: DecisionID, _ end: EventEnd, _ calls: [WaitingCall]) {
    (self.event, self.end, self.calls) = (event, end, calls)
  }

  /// The next call, and whether others are left.
  func next() -> (call: WaitingCall?, isLast: Bool) { (calls.popLast(), calls.isEmpty) }
}

/// The calls that wait for what becomes of events: those of senders, of whoever sent an event again or awaits it.
struct EventWaiters {
  /// Those that wait for one event; nearly always one.
  private struct Calls {
    var first: WaitingCall
    var others: [WaitingCall] = []
  }

  private let port: ReplyPort
  private let ids: PublicIDs
  private var waiting: [DecisionID: Calls] = [:]

  init(_ port: ReplyPort, _ ids: PublicIDs) { (self.port, self.ids) = (port, ids) }

  mutating func add(_ call: WaitingCall, to event: DecisionID) {
    if waiting[event]?.others.append(call) == nil { waiting[event] = Calls(first: call) }
  }

  /// Takes out the calls that wait for an event, which has ended.
  mutating func remove(_ event: DecisionID) -> (first: WaitingCall, others: [WaitingCall])? {
    waiting.removeValue(forKey: event).map { ($0.first, $0.others) }
  }

  /// Reports a decision to all who want to see each, or the first of all.
  mutating func report(_ decision: Decision, _ event: DecisionID) {
    guard decision.rule != nil, let calls = waiting[event] else { return }
    report(decision, event, to: calls.first)
    for call in calls.others { report(decision, event, to: call) }
    // Only its sender can wait for a decision alone: others are told the first at once.
    if calls.first.interest == .decision { removeFirst(event, calls.others) }
  }

  private mutating func removeFirst(_ event: DecisionID, _ others: [WaitingCall]) {
    waiting[event] = others.first.map { Calls(first: $0, others: Array(others.dropFirst())) }
  }

  /// Reports the end of an attempt to all who want to see each.
  func report(_ settlement: Settlement) {
    guard let calls = waiting[settlement.decisionID] else { return }
    report(settlement, to: calls.first)
    for call in calls.others { report(settlement, to: call) }
  }
}

// MARK: - Replies

extension EventWaiters {
  /// Reports what has become of an event so far; returns whether that is all the call wants to see.
  func report(_ progress: EventProgress, to call: WaitingCall) -> Bool {
    let decisions = progress.settledAttempts.map(\.decision) + (progress.decision.map { [$0] } ?? [])
    if call.interest == .decision, let first = decisions.first {
      report(first, progress.id, to: call)
      return true
    }
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
      Wire.EventReply.decision(Wire.RouteDecision(decision, ids.text(event), ids)),
      continues: waiting.interest == .everything
    )
  }

  /// Reports an attempt that failed; one that succeeded is the end, and reported there.
  private func report(_ settlement: Settlement, to waiting: WaitingCall) {
    guard waiting.interest == .everything, !settlement.result.isTaken else { return }
    port.reply(
      to: waiting.call,
      Wire.EventReply.settlement(Wire.Settlement(settlement, ids)),
      continues: true
    )
  }

  /// Reports how an event ended, which is the call's last reply.
  func report(_ end: EventEnd, _ event: DecisionID, to waiting: WaitingCall) {
    let call = waiting.call
    guard let last = end.settlement else {
      return port.reply(to: call, error: Wire.NotRouted(decision: decision(event, end)))
    }
    if last.result.isTaken, waiting.interest == .everything {
      return port.reply(to: call, Wire.EventReply.settlement(Wire.Settlement(last, ids)))
    }
    switch last.result {
    case .acknowledged, .launched: port.reply(to: call, outcome(end, last))
    case .declined, .sceneClosed: port.reply(to: call, error: Wire.Declined(outcome(end, last)))
    case .timeout: port.reply(to: call, error: Wire.TimedOut(outcome(end, last)))
    case .launchFailed: port.reply(to: call, error: Wire.LaunchFailed(outcome(end, last)))
    case .shutdown: port.reply(to: call, error: Wire.ServiceStopping(decision: decision(event, end)))
    }
  }

  private func outcome(_ end: EventEnd, _ last: Settlement) -> Wire.EventOutcome {
    let settlement = Wire.Settlement(last, ids)
    return Wire.EventOutcome(
      decision: Wire.RouteDecision(end.decision, settlement.decisionID, ids),
      settlement: settlement,
      attempts: end.earlierAttempts.map { Wire.Settlement($0.settlement, ids) } + [settlement]
    )
  }

  private func decision(_ event: DecisionID, _ end: EventEnd) -> Wire.RouteDecision {
    Wire.RouteDecision(end.decision, ids.text(event), ids)
  }
}
