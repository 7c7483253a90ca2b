package import Varlink

extension Wire {
  /// Tells where an event would go, and why, without sending it.
  package struct ExplainEvent: Sendable, Equatable {
    /// What to route.
    package var event: Event
    /// Only consider this application's scenes and declarations.
    package var applicationID: String?
    /// Only this scene.
    package var sceneID: String?
    /// Never route back to the scene the event comes from.
    package var originSceneID: String?
    /// Whether a scene may be opened for it.
    ///
    /// Defaults to true.
    package var allowNewScene: Bool?
    /// How many steps of the trace to return.
    ///
    /// Defaults to 100.
    package var maxTraceSteps: Int64?

    /// Makes a call.
    package init(
      event: Event,
      applicationID: String? = nil,
      sceneID: String? = nil,
      originSceneID: String? = nil,
      allowNewScene: Bool? = nil,
      maxTraceSteps: Int64? = nil
    ) {
      self.event = event
      self.applicationID = applicationID
      self.sceneID = sceneID
      self.originSceneID = originSceneID
      self.allowNewScene = allowNewScene
      self.maxTraceSteps = maxTraceSteps
    }
  }
}

extension Wire.ExplainEvent: Wire.Method {
  /// `io.scened.Router.ExplainEvent`.
  package static var method: StaticString { "io.scened.Router.ExplainEvent" }

  /// Reads the parameters of a call.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    event = try object.required("event")
    applicationID = try object.optional("applicationId")
    sceneID = try object.optional("sceneId")
    originSceneID = try object.optional("originSceneId")
    allowNewScene = try object.optional("allowNewScene")
    maxTraceSteps = try object.optional("maxTraceSteps", atLeast: 0)
  }

  /// Writes the parameters of a call.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("event", event)
    object.member("applicationId", ifPresent: applicationID)
    object.member("sceneId", ifPresent: sceneID)
    object.member("originSceneId", ifPresent: originSceneID)
    object.member("allowNewScene", ifPresent: allowNewScene)
    object.member("maxTraceSteps", ifPresent: maxTraceSteps)
  }
}

extension Wire.ExplainEvent {
  /// The answer to ``ExplainEvent``.
  package struct Reply: Sendable, Equatable {
    /// Where the event would go.
    package var decision: Wire.RouteDecision

    /// Makes a reply.
    package init(decision: Wire.RouteDecision) {
      self.decision = decision
    }
  }
}

extension Wire.ExplainEvent.Reply: ObjectDecodable, ObjectEncodable {
  /// Reads a reply.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    decision = try object.required("decision")
  }

  /// Writes a reply.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("decision", decision)
  }
}
