package import Varlink

extension Wire {
  /// Adds a registration to a scene or replaces the one with the same id, both sets at once.
  ///
  /// Any decision of this or a later generation has seen the change.
  package struct SetRegistration: Sendable, Equatable {
    /// What is answered.
    package typealias Reply = GenerationReply

    /// From ``SceneOpened``.
    package var sceneHandle: String
    /// The registration.
    package var registration: Registration

    /// Makes a call.
    package init(sceneHandle: String, registration: Registration) {
      self.sceneHandle = sceneHandle
      self.registration = registration
    }
  }
}

extension Wire.SetRegistration: Wire.Method {
  /// `io.scened.Router.SetRegistration`.
  package static var method: StaticString { "io.scened.Router.SetRegistration" }

  /// Reads the parameters of a call.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    sceneHandle = try object.required("sceneHandle")
    registration = try object.required("registration")
  }

  /// Writes the parameters of a call.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("sceneHandle", sceneHandle)
    object.member("registration", registration)
  }
}

extension Wire {
  /// Takes a registration out of a scene's union.
  package struct RemoveRegistration: Sendable, Equatable {
    /// What is answered.
    package typealias Reply = GenerationReply

    /// From ``SceneOpened``.
    package var sceneHandle: String
    /// Which one.
    package var registrationID: String

    /// Makes a call.
    package init(sceneHandle: String, registrationID: String) {
      self.sceneHandle = sceneHandle
      self.registrationID = registrationID
    }
  }
}

extension Wire.RemoveRegistration: Wire.Method {
  /// `io.scened.Router.RemoveRegistration`.
  package static var method: StaticString { "io.scened.Router.RemoveRegistration" }

  /// Reads the parameters of a call.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    sceneHandle = try object.required("sceneHandle")
    registrationID = try object.required("registrationId")
  }

  /// Writes the parameters of a call.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("sceneHandle", sceneHandle)
    object.member("registrationId", registrationID)
  }
}

extension Wire {
  /// Changes what else is known of a scene; what is nil stays as it is.
  package struct UpdateScene: Sendable, Equatable {
    /// What is answered.
    package typealias Reply = GenerationReply

    /// From ``SceneOpened``.
    package var sceneHandle: String
    /// For people.
    package var title: String?
    /// True when the scene has become the one the user works in.
    package var isActive: Bool?

    /// Makes a call.
    package init(sceneHandle: String, title: String? = nil, isActive: Bool? = nil) {
      self.sceneHandle = sceneHandle
      self.title = title
      self.isActive = isActive
    }
  }
}

extension Wire.UpdateScene: Wire.Method {
  /// `io.scened.Router.UpdateScene`.
  package static var method: StaticString { "io.scened.Router.UpdateScene" }

  /// Reads the parameters of a call.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    sceneHandle = try object.required("sceneHandle")
    title = try object.optional("title")
    isActive = try object.optional("isActive")
  }

  /// Writes the parameters of a call.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("sceneHandle", sceneHandle)
    object.member("title", ifPresent: title)
    object.member("isActive", ifPresent: isActive)
  }
}

extension Wire {
  /// Ends the scene's ``OpenScene`` call with a final reply.
  ///
  /// Deliveries not yet settled count as `sceneClosed`.
  package struct CloseScene: Sendable, Equatable {
    /// What is answered.
    package typealias Reply = GenerationReply

    /// From ``SceneOpened``.
    package var sceneHandle: String

    /// Makes a call.
    package init(sceneHandle: String) {
      self.sceneHandle = sceneHandle
    }
  }
}

extension Wire.CloseScene: Wire.Method {
  /// `io.scened.Router.CloseScene`.
  package static var method: StaticString { "io.scened.Router.CloseScene" }

  /// Reads the parameters of a call.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    sceneHandle = try object.required("sceneHandle")
  }

  /// Writes the parameters of a call.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("sceneHandle", sceneHandle)
  }
}

extension Wire {
  /// The scene took the event.
  package struct AcknowledgeDelivery: Sendable, Equatable {
    /// What is answered.
    package typealias Reply = NoParameters

    /// From ``SceneOpened``.
    package var sceneHandle: String
    /// From ``Delivery``.
    package var deliveryID: String

    /// Makes a call.
    package init(sceneHandle: String, deliveryID: String) {
      self.sceneHandle = sceneHandle
      self.deliveryID = deliveryID
    }
  }
}

extension Wire.AcknowledgeDelivery: Wire.Method {
  /// `io.scened.Router.AcknowledgeDelivery`.
  package static var method: StaticString { "io.scened.Router.AcknowledgeDelivery" }

  /// Reads the parameters of a call.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    sceneHandle = try object.required("sceneHandle")
    deliveryID = try object.required("deliveryId")
  }

  /// Writes the parameters of a call.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("sceneHandle", sceneHandle)
    object.member("deliveryId", deliveryID)
  }
}

extension Wire {
  /// The scene does not want the event; the router takes the next best target, if there is one.
  package struct DeclineDelivery: Sendable, Equatable {
    /// What is answered.
    package typealias Reply = NoParameters

    /// From ``SceneOpened``.
    package var sceneHandle: String
    /// From ``Delivery``.
    package var deliveryID: String
    /// Why, for the sender.
    package var reason: String?

    /// Makes a call.
    package init(sceneHandle: String, deliveryID: String, reason: String? = nil) {
      self.sceneHandle = sceneHandle
      self.deliveryID = deliveryID
      self.reason = reason
    }
  }
}

extension Wire.DeclineDelivery: Wire.Method {
  /// `io.scened.Router.DeclineDelivery`.
  package static var method: StaticString { "io.scened.Router.DeclineDelivery" }

  /// Reads the parameters of a call.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    sceneHandle = try object.required("sceneHandle")
    deliveryID = try object.required("deliveryId")
    reason = try object.optional("reason")
  }

  /// Writes the parameters of a call.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("sceneHandle", sceneHandle)
    object.member("deliveryId", deliveryID)
    object.member("reason", ifPresent: reason)
  }
}
