package import Varlink

extension Wire {
  /// Counters since the service was started.
  package struct GetStatistics: Sendable, Equatable {
    /// Makes a call.
    package init() {}
  }
}

extension Wire.GetStatistics: Wire.Method {
  /// `io.scened.Manager.GetStatistics`.
  package static var method: StaticString { "io.scened.Manager.GetStatistics" }

  /// Reads the parameters of a call.
  package init(from object: inout ObjectReader) throws(ParameterError) {}

  /// Writes the parameters of a call.
  package func encodeMembers(to object: inout JSONWriter) {}
}

extension Wire.GetStatistics {
  /// The answer to ``GetStatistics``.
  package struct Reply: Sendable, Equatable {
    /// State of the registry.
    package var generation: Int64
    /// When the service was started: CLOCK_REALTIME, in microseconds.
    package var startedUSec: Int64
    /// Open scenes.
    package var scenes: Int64
    /// Declared applications.
    package var applications: Int64
    /// Open connections.
    package var connections: Int64
    /// Deliveries not yet settled.
    package var pendingDeliveries: Int64
    /// How many events ended which way: ``Settlement/result``, or `notRouted`.
    package var events: [String: Int64]

    /// Makes a reply.
    package init(
      generation: Int64,
      startedUSec: Int64,
      scenes: Int64,
      applications: Int64,
      connections: Int64,
      pendingDeliveries: Int64,
      events: [String: Int64]
    ) {
      self.generation = generation
      self.startedUSec = startedUSec
      self.scenes = scenes
      self.applications = applications
      self.connections = connections
      self.pendingDeliveries = pendingDeliveries
      self.events = events
    }
  }
}

extension Wire.GetStatistics.Reply: ObjectDecodable, ObjectEncodable {
  /// Reads a reply.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    generation = try object.required("generation")
    startedUSec = try object.required("startedUSec")
    scenes = try object.required("scenes")
    applications = try object.required("applications")
    connections = try object.required("connections")
    pendingDeliveries = try object.required("pendingDeliveries")
    events = try object.required("events")
  }

  /// Writes a reply.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("generation", generation)
    object.member("startedUSec", startedUSec)
    object.member("scenes", scenes)
    object.member("applications", applications)
    object.member("connections", connections)
    object.member("pendingDeliveries", pendingDeliveries)
    object.member("events", events)
  }
}
