/// Numbers about the current state of the router, and the number of events that have ended since its start.
public struct Statistics: Sendable, Equatable {
  /// The generation of the registry, a number that grows with each change of the registry.
  public let generation: Int64
  /// By `CLOCK_REALTIME`.
  package let startedUSec: Int64
  /// The number of open scenes.
  public let scenes: Int64
  /// The number of declared applications.
  public let applications: Int64
  /// The number of open connections.
  public let connections: Int64
  /// The number of deliveries that are not settled.
  public let pendingDeliveries: Int64
  /// The number of scenes and declarations that were open before the router's restart and for which it still waits; nil
  /// if it waits for none.
  public let missing: Int64?
  /// The number of ended events for each result: the name of a ``Settlement/Result``, or `notRouted`.
  public let events: [String: Int64]

  package init(
    generation: Int64,
    startedUSec: Int64,
    scenes: Int64,
    applications: Int64,
    connections: Int64,
    pendingDeliveries: Int64,
    missing: Int64? = nil,
    events: [String: Int64]
  ) {
    self.generation = generation
    self.startedUSec = startedUSec
    self.scenes = scenes
    self.applications = applications
    self.connections = connections
    self.pendingDeliveries = pendingDeliveries
    self.missing = missing
    self.events = events
  }

  /// The time at which the router was started, since 1970 (`CLOCK_REALTIME`).
  public var started: Duration { .microseconds(startedUSec) }
}
