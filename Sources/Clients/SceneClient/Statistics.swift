import RouterInterface

/// What the router has done since it was started.
public struct Statistics: Sendable, Equatable, WireRepresentable {
  let wire: Wire.GetStatistics.Reply

  init(_ wire: Wire.GetStatistics.Reply) {
    self.wire = wire
  }

  /// The state of the registry.
  public var generation: Int64 { wire.generation }
  /// When the router was started, in time since 1970 (`CLOCK_REALTIME`).
  public var started: Duration { .microseconds(wire.startedUSec) }
  /// Open scenes.
  public var scenes: Int64 { wire.scenes }
  /// Declared applications.
  public var applications: Int64 { wire.applications }
  /// Open connections.
  public var connections: Int64 { wire.connections }
  /// Deliveries not yet settled.
  public var pendingDeliveries: Int64 { wire.pendingDeliveries }
  /// How many events ended which way: the name of a ``Settlement/Result``, or `notRouted`.
  public var events: [String: Int64] { wire.events }
}
