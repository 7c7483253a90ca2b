package import Varlink

extension Wire {
  /// An event on its way to a scene.
  ///
  /// To be settled with ``AcknowledgeDelivery`` or ``DeclineDelivery`` before ``timeoutUSec`` have passed.
  package struct Delivery: Sendable, Equatable {
    /// Names the delivery.
    package let deliveryID: String
    /// The event, by its decisions.
    package let decisionID: String
    /// What is delivered.
    package let event: Event
    /// The registrations of the scene that made it match.
    package let registrationIDs: [String]
    /// As given to ``SendEvent``: tells an event that was sent again after a crash.
    package let eventID: String?
    /// Lets the scene raise its window (xdg-activation-v1, or X11 startup id).
    package let activationToken: String?
    /// The time left to settle it, in microseconds.
    package let timeoutUSec: Int64

    /// Makes a delivery.
    package init(
      deliveryID: String,
      decisionID: String,
      event: Event,
      registrationIDs: [String],
      eventID: String? = nil,
      activationToken: String? = nil,
      timeoutUSec: Int64
    ) {
      self.deliveryID = deliveryID
      self.decisionID = decisionID
      self.event = event
      self.registrationIDs = registrationIDs
      self.eventID = eventID
      self.activationToken = activationToken
      self.timeoutUSec = timeoutUSec
    }
  }
}

extension Wire.Delivery: ObjectDecodable, ObjectEncodable {
  /// Reads a delivery.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    deliveryID = try object.required("deliveryId")
    decisionID = try object.required("decisionId")
    event = try object.required("event")
    registrationIDs = try object.required("registrationIds")
    eventID = try object.optional("eventId")
    activationToken = try object.optional("activationToken")
    timeoutUSec = try object.required("timeoutUSec")
  }

  /// Writes a delivery.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("deliveryId", deliveryID)
    object.member("decisionId", decisionID)
    object.name("event")
    event.encode(to: &object)
    object.member("registrationIds", registrationIDs)
    object.member("eventId", ifPresent: eventID)
    object.member("activationToken", ifPresent: activationToken)
    object.member("timeoutUSec", timeoutUSec)
  }
}

extension Wire {
  /// Something offered earlier is no longer to be answered.
  ///
  /// Exactly one of the two ids is set.
  package struct Withdrawal: Sendable, Equatable {
    /// The delivery, if it was one.
    package let deliveryID: String?
    /// The open request, if it was one.
    package let openRequestID: String?
    /// `timeout` or `shutdown`.
    ///
    /// More may be added.
    package let reason: String

    /// Makes a withdrawal.
    package init(deliveryID: String? = nil, openRequestID: String? = nil, reason: String) {
      self.deliveryID = deliveryID
      self.openRequestID = openRequestID
      self.reason = reason
    }
  }
}

extension Wire.Withdrawal: ObjectDecodable, ObjectEncodable {
  /// Reads a withdrawal.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    deliveryID = try object.optional("deliveryId")
    openRequestID = try object.optional("openRequestId")
    reason = try object.required("reason")
  }

  /// Writes a withdrawal.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("deliveryId", ifPresent: deliveryID)
    object.member("openRequestId", ifPresent: openRequestID)
    object.member("reason", reason)
  }
}

extension Wire {
  /// How one attempt at an event ended.
  package struct Settlement: Sendable, Equatable {
    /// The event, by its decisions.
    package let decisionID: String
    /// The delivery, if it got that far.
    package let deliveryID: String?
    /// The open request, if there was one.
    package let openRequestID: String?
    /// The scene that took the event; for an open request, the new one.
    package let sceneID: String?
    /// How it ended.
    ///
    /// `acknowledged`, `launched` (handed to an application that knows nothing of scenes), `declined`,
    /// `timeout`, `sceneClosed`, `launchFailed` or `shutdown`. More may be added.
    package let result: String
    /// Why, in the words of who caused it.
    package let reason: String?

    /// Makes a settlement.
    package init(
      decisionID: String,
      deliveryID: String? = nil,
      openRequestID: String? = nil,
      sceneID: String? = nil,
      result: String,
      reason: String? = nil
    ) {
      self.decisionID = decisionID
      self.deliveryID = deliveryID
      self.openRequestID = openRequestID
      self.sceneID = sceneID
      self.result = result
      self.reason = reason
    }
  }
}

extension Wire.Settlement: ObjectDecodable, ObjectEncodable {
  /// Reads a settlement.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    decisionID = try object.required("decisionId")
    deliveryID = try object.optional("deliveryId")
    openRequestID = try object.optional("openRequestId")
    sceneID = try object.optional("sceneId")
    result = try object.required("result")
    reason = try object.optional("reason")
  }

  /// Writes a settlement.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("decisionId", decisionID)
    object.member("deliveryId", ifPresent: deliveryID)
    object.member("openRequestId", ifPresent: openRequestID)
    object.member("sceneId", ifPresent: sceneID)
    object.member("result", result)
    object.member("reason", ifPresent: reason)
  }
}
