import RouterInterface
import VarlinkClient

/// How an event ended.
public enum EventOutcome: Sendable, Equatable {
  /// A scene took it, or a plain application was handed it.
  case taken(EventReport)
  /// No rule found a target.
  case notRouted(RouteDecision)
  /// The last target there was declined it, or was closed.
  case declined(EventReport)
  /// The last target there was did not take it in time.
  case timedOut(EventReport)
  /// The application of the last target could not be started, or did not open the scene.
  case launchFailed(EventReport)
  /// The router is going away and has not learned the end of the event; the decision made last, if there was one.
  case serviceStopping(RouteDecision?)

  /// Whether somebody took the event.
  public var isTaken: Bool {
    if case .taken = self { true } else { false }
  }

  /// What was decided last.
  public var decision: RouteDecision? {
    switch self {
    case .taken(let report), .declined(let report), .timedOut(let report), .launchFailed(let report):
      report.decision
    case .notRouted(let decision): decision
    case .serviceStopping(let decision): decision
    }
  }

  /// Every attempt, in order.
  public var attempts: [Settlement] {
    switch self {
    case .taken(let report), .declined(let report), .timedOut(let report), .launchFailed(let report):
      report.attempts
    case .notRouted, .serviceStopping: []
    }
  }
}

/// The last decision about an event, and what became of each attempt.
public struct EventReport: Sendable, Equatable, WireRepresentable {
  /// The last decision.
  public let decision: RouteDecision
  /// How the last attempt ended.
  public let settlement: Settlement
  /// Every attempt, in order, the last one included.
  public let attempts: [Settlement]

  init(_ decision: Wire.RouteDecision, _ settlement: Wire.Settlement, _ attempts: [Wire.Settlement]) {
    self.decision = RouteDecision(decision)
    self.settlement = Settlement(settlement)
    self.attempts = attempts.map(Settlement.init)
  }

  /// Nil if the reply does not say how the event ended.
  init?(_ reply: Wire.SendEvent.Reply) {
    guard let decision = reply.decision, let settlement = reply.settlement, !reply.attempts.isEmpty
    else { return nil }
    self.init(decision, settlement, reply.attempts)
  }

  var wire: Wire.SendEvent.Reply {
    Wire.SendEvent.Reply(
      decision: decision.wire,
      settlement: settlement.wire,
      attempts: attempts.map(\.wire)
    )
  }
}

extension EventOutcome {
  /// The outcome that the error of a call reports; nil if it reports none.
  init?(_ error: VarlinkClientError) {
    guard case .errorReply(let message) = error, let error = message.decoded({ Wire.RouterError($0) }) else {
      return nil
    }
    self.init(error)
  }

  /// The outcome that an error reports; nil if it reports none.
  init?(_ error: Wire.RouterError) {
    switch error {
    case .notRouted(let decision): self = .notRouted(RouteDecision(decision))
    case .declined(let decision, let settlement, let attempts):
      self = .declined(EventReport(decision, settlement, attempts))
    case .timedOut(let decision, let settlement, let attempts):
      self = .timedOut(EventReport(decision, settlement, attempts))
    case .launchFailed(let decision, let settlement, let attempts):
      self = .launchFailed(EventReport(decision, settlement, attempts))
    case .serviceStopping(let decision): self = .serviceStopping(decision.map(RouteDecision.init))
    default: return nil
    }
  }
}

extension EventOutcome: CustomStringConvertible {
  /// A sentence that says how the event ended.
  public var description: String {
    switch self {
    case .taken(let report) where report.settlement.result == .launched:
      "The event was handed to an application."
    case .taken(let report):
      "The event was taken" + (report.settlement.sceneID.map { " by the scene '\($0)'." } ?? ".")
    case .notRouted: "No rule found a target for the event."
    case .declined(let report) where report.settlement.result == .sceneClosed:
      "The scene was closed before it took the event."
    case .declined(let report): Self.sentence("The event was declined", report)
    case .timedOut(let report): Self.sentence("The event was not taken in time", report)
    case .launchFailed(let report): Self.sentence("No scene was opened for the event", report)
    case .serviceStopping: "The router is stopping; the outcome of the event is not known."
    }
  }

  private static func sentence(_ fact: String, _ report: EventReport) -> String {
    report.settlement.reason.map { "\(fact): \($0)." } ?? "\(fact)."
  }
}
