import RouterInterface

/// Numbers about the current state of the router, and the number of events that have ended since its start.
public struct Statistics: Sendable, Equatable, WireRepresentable {
  let wire: Wire.GetStatisticsCall.Reply

  init(_ wire: Wire.GetStatisticsCall.Reply) {
    self.wire = wire
  }

  /// The generation of the registry, a number that grows with each change of the registry.
  public var generation: Int64 { wire.generation }
  /// The time at which the router was started, since 1970 (`CLOCK_REALTIME`).
  public var started: Duration { .microseconds(wire.startedUSec) }
  /// The number of open scenes.
  public var scenes: Int64 { wire.scenes }
  /// The number of declared applications.
  public var applications: Int64 { wire.applications }
  /// The number of open connections.
  public var connections: Int64 { wire.connections }
  /// The number of deliveries that are not settled.
  public var pendingDeliveries: Int64 { wire.pendingDeliveries }
  /// The number of scenes and declarations that were open before the router's restart and for which it still waits; nil
  /// if it waits for none.
  public var missing: Int64? { wire.missing }
  /// The number of ended events for each result: the name of a ``Settlement/Result``, or `notRouted`.
  public var events: [String: Int64] { wire.events }
}
