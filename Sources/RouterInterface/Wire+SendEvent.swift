package import Varlink

extension Wire {
  /// Routes an event (supports `more`).
  ///
  /// Without `more` there is one reply, when the event was taken, or, if ``waitFor`` says so, after the
  /// first decision. With it each decision and each settlement is replied as it comes. An event that nobody
  /// took ends in an error.
  package struct SendEvent: Sendable, Equatable {
    /// What is answered.
    package typealias Reply = EventReply

    /// What to route.
    package var event: Event
    /// Defaults to ``WaitFor/settlement``.
    package var waitFor: WaitFor?
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
    /// Chosen by the sender.
    ///
    /// A second event with the same id from the same user is not routed again: it gets the reply of the
    /// first.
    package var eventID: String?
    /// For the target's window; may be used once.
    package var activationToken: String?
    /// Time for one target to settle the event, in microseconds.
    ///
    /// Defaults to 10 seconds.
    package var timeoutUSec: Int64?

    /// Makes a call.
    package init(
      event: Event,
      waitFor: WaitFor? = nil,
      applicationID: String? = nil,
      sceneID: String? = nil,
      originSceneID: String? = nil,
      allowNewScene: Bool? = nil,
      eventID: String? = nil,
      activationToken: String? = nil,
      timeoutUSec: Int64? = nil
    ) {
      self.event = event
      self.waitFor = waitFor
      self.applicationID = applicationID
      self.sceneID = sceneID
      self.originSceneID = originSceneID
      self.allowNewScene = allowNewScene
      self.eventID = eventID
      self.activationToken = activationToken
      self.timeoutUSec = timeoutUSec
    }
  }
}

extension Wire.SendEvent: Wire.Method {
  /// `io.scened.Router.SendEvent`.
  package static var method: StaticString { "io.scened.Router.SendEvent" }

  /// Reads the parameters of a call.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    event = try object.required("event")
    waitFor = try object.optional("waitFor")
    applicationID = try object.optional("applicationId")
    sceneID = try object.optional("sceneId")
    originSceneID = try object.optional("originSceneId")
    allowNewScene = try object.optional("allowNewScene")
    eventID = try object.optional("eventId")
    activationToken = try object.optional("activationToken")
    timeoutUSec = try object.optional("timeoutUSec", atLeast: 0)
  }

  /// Writes the parameters of a call.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("event", event)
    object.member("waitFor", ifPresent: waitFor)
    object.member("applicationId", ifPresent: applicationID)
    object.member("sceneId", ifPresent: sceneID)
    object.member("originSceneId", ifPresent: originSceneID)
    object.member("allowNewScene", ifPresent: allowNewScene)
    object.member("eventId", ifPresent: eventID)
    object.member("activationToken", ifPresent: activationToken)
    object.member("timeoutUSec", ifPresent: timeoutUSec)
  }
}

extension Wire {
  /// Waits for the end of an event sent earlier with an id, by anyone of the same user (supports `more`).
  ///
  /// Answers as ``SendEvent`` would have.
  package struct AwaitEvent: Sendable, Equatable {
    /// What is answered.
    package typealias Reply = EventReply

    /// The id given to ``SendEvent/eventID``.
    package var eventID: String

    /// Makes a call.
    package init(eventID: String) {
      self.eventID = eventID
    }
  }
}

extension Wire.AwaitEvent: Wire.Method {
  /// `io.scened.Router.AwaitEvent`.
  package static var method: StaticString { "io.scened.Router.AwaitEvent" }

  /// Reads the parameters of a call.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    eventID = try object.required("eventId")
  }

  /// Writes the parameters of a call.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("eventId", eventID)
  }
}

extension Wire.SendEvent {
  /// What a reply waits for.
  package enum WaitFor: String, Sendable {
    /// The first decision.
    case decision
    /// The end of the event.
    case settlement
  }
}

extension Wire.SendEvent.WaitFor: JSONDecodable, JSONEncodable {}
