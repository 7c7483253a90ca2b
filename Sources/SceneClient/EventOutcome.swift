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
  let wire: Wire.EventOutcome

  init(_ wire: Wire.EventOutcome) {
    self.wire = wire
  }

  /// The last decision.
  public var decision: RouteDecision { RouteDecision(wire.decision) }
  /// How the last attempt ended.
  public var settlement: Settlement { Settlement(wire.settlement) }
  /// Every attempt, in order, the last one included.
  public var attempts: [Settlement] { wire.attempts.map(Settlement.init) }
}

extension EventOutcome {
  /// The outcome that an error of a call tells; nil if it tells none.
  init?(_ error: VarlinkClientError) {
    guard case .errorReply(let message) = error else { return nil }
    switch message.decoded({ Wire.RouterError($0) }) {
    case .notRouted(let error): self = .notRouted(RouteDecision(error.decision))
    case .declined(let error): self = .declined(EventReport(error.outcome))
    case .timedOut(let error): self = .timedOut(EventReport(error.outcome))
    case .launchFailed(let error): self = .launchFailed(EventReport(error.outcome))
    case .serviceStopping(let error): self = .serviceStopping(error.decision.map(RouteDecision.init))
    default: return nil
    }
  }
}

extension EventOutcome: CustomStringConvertible {
  /// A sentence that tells the outcome.
  public var description: String {
    switch self {
    case .taken(let report):
      report.settlement.result == .launched
        ? "The event was handed to an application."
        : "The event was taken" + (report.settlement.sceneID.map { " by the scene '\($0)'." } ?? ".")
    case .notRouted(let decision):
      "\(Wire.RouterError.notRouted(Wire.NotRouted(decision: decision.wire)))"
    case .declined(let report): "\(Wire.RouterError.declined(Wire.Declined(report.wire)))"
    case .timedOut(let report): "\(Wire.RouterError.timedOut(Wire.TimedOut(report.wire)))"
    case .launchFailed(let report): "\(Wire.RouterError.launchFailed(Wire.LaunchFailed(report.wire)))"
    case .serviceStopping(let decision):
      "\(Wire.RouterError.serviceStopping(Wire.ServiceStopping(decision: decision?.wire)))"
    }
  }
}
