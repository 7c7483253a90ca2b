import RouterInterface
import VarlinkClient

/// How an event ended: for example, a scene took the event.
public enum EventOutcome: Sendable, Equatable {
  /// A scene has taken the event, or the router has handed the event to an application without scenes.
  case taken(EventReport)
  /// No rule has found a target.
  case notRouted(RouteDecision)
  /// The last target has declined the event, or was closed.
  case declined(EventReport)
  /// The last target has not taken the event in time.
  case timedOut(EventReport)
  /// The application of the last target was not started, or has not opened the scene.
  case launchFailed(EventReport)
  /// The router is stopping, and the end of the event is not known.
  ///
  /// The value is the last decision, if there was one. A ``RouterConnection`` that reconnects sends the event again
  /// instead of returning this outcome.
  case serviceStopping(RouteDecision?)

  /// Whether the event was taken.
  public var isTaken: Bool {
    if case .taken = self { true } else { false }
  }

  var isEndOfRouter: Bool {
    if case .serviceStopping = self { true } else { false }
  }

  /// The last decision that the router made about the event.
  public var decision: RouteDecision? {
    switch self {
    case .taken(let report), .declined(let report), .timedOut(let report), .launchFailed(let report):
      report.decision
    case .notRouted(let decision): decision
    case .serviceStopping(let decision): decision
    }
  }

  /// How each attempt to hand the event to a target ended, in order.
  public var attempts: [Settlement] {
    switch self {
    case .taken(let report), .declined(let report), .timedOut(let report), .launchFailed(let report):
      report.attempts
    case .notRouted, .serviceStopping: []
    }
  }
}

/// The last decision about an event, and how each attempt to hand the event to a target ended.
public struct EventReport: Sendable, Equatable, WireRepresentable {
  /// The last decision that the router made about the event.
  public let decision: RouteDecision
  /// How the last attempt ended.
  public let settlement: Settlement
  /// How each attempt ended, in order; the last element is ``settlement``.
  public let attempts: [Settlement]

  init(_ decision: RouteDecision, _ settlement: Settlement, _ attempts: [Settlement]) {
    (self.decision, self.settlement, self.attempts) = (decision, settlement, attempts)
  }

  /// `nil` if the reply does not say how the event ended.
  init?(_ reply: Wire.SendEventCall.Reply) {
    guard let decision = reply.decision, let settlement = reply.settlement, !reply.attempts.isEmpty
    else { return nil }
    self.init(decision, settlement, reply.attempts)
  }

  var wire: Wire.SendEventCall.Reply {
    Wire.SendEventCall.Reply(decision: decision, settlement: settlement, attempts: attempts)
  }
}

extension EventOutcome {
  /// `nil` if the error contains no outcome.
  init?(_ error: VarlinkClientError) {
    guard case .errorReply(let message) = error, let error = message.decoded({ Wire.RouterErrorReply($0) })
    else {
      return nil
    }
    self.init(error)
  }

  /// `nil` if the error contains no outcome.
  init?(_ error: Wire.RouterErrorReply) {
    switch error {
    case .notRouted(let decision): self = .notRouted(decision)
    case .declined(let decision, let settlement, let attempts):
      self = .declined(EventReport(decision, settlement, attempts))
    case .timedOut(let decision, let settlement, let attempts):
      self = .timedOut(EventReport(decision, settlement, attempts))
    case .launchFailed(let decision, let settlement, let attempts):
      self = .launchFailed(EventReport(decision, settlement, attempts))
    case .serviceStopping(let decision, _): self = .serviceStopping(decision)
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
