/// An event, and the decision about it.
public struct RoutedEvent: Sendable, Equatable {
  /// The event.
  public let event: Event
  /// The decision about the event.
  public let decision: RouteDecision

  /// Takes the values as they are on the wire.
  package init(event: Event, decision: RouteDecision) {
    self.event = event
    self.decision = decision
  }
}
