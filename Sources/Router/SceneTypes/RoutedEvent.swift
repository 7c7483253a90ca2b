/// An event, and the decision about it.
public struct RoutedEvent: Sendable, Equatable {
  /// The event.
  public let event: Event
  /// The decision about the event.
  public let decision: RouteDecision

  package init(event: Event, decision: RouteDecision) {
    self.event = event
    self.decision = decision
  }
}
