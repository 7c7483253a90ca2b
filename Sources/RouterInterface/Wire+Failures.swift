package import Varlink

extension Wire {
  /// The scene, or the handle, is unknown.
  package struct NoSuchScene: Sendable, Equatable {
    /// The scene, unless it was named by a handle.
    package var sceneID: String?

    /// Makes an error.
    package init(sceneID: String? = nil) {
      self.sceneID = sceneID
    }
  }
}

extension Wire.NoSuchScene: Wire.Failure {
  /// `io.scened.Router.NoSuchScene`.
  package static var error: StaticString { "io.scened.Router.NoSuchScene" }

  /// Reads the parameters of an error.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    sceneID = try object.optional("sceneId")
  }

  /// Writes the parameters of an error.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("sceneId", ifPresent: sceneID)
  }
}

extension Wire {
  /// The scene has no such registration.
  package struct NoSuchRegistration: Sendable, Equatable {
    /// The id that is unknown.
    package var registrationID: String

    /// Makes an error.
    package init(registrationID: String) {
      self.registrationID = registrationID
    }
  }
}

extension Wire.NoSuchRegistration: Wire.Failure {
  /// `io.scened.Router.NoSuchRegistration`.
  package static var error: StaticString { "io.scened.Router.NoSuchRegistration" }

  /// Reads the parameters of an error.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    registrationID = try object.required("registrationId")
  }

  /// Writes the parameters of an error.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("registrationId", registrationID)
  }
}

extension Wire {
  /// The application, or the handle, is unknown.
  package struct NoSuchApplication: Sendable, Equatable {
    /// The application, unless it was named by a handle.
    package var applicationID: String?

    /// Makes an error.
    package init(applicationID: String? = nil) {
      self.applicationID = applicationID
    }
  }
}

extension Wire.NoSuchApplication: Wire.Failure {
  /// `io.scened.Router.NoSuchApplication`.
  package static var error: StaticString { "io.scened.Router.NoSuchApplication" }

  /// Reads the parameters of an error.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    applicationID = try object.optional("applicationId")
  }

  /// Writes the parameters of an error.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("applicationId", ifPresent: applicationID)
  }
}

extension Wire {
  /// The delivery is unknown, or already settled.
  package struct NoSuchDelivery: Sendable, Equatable {
    /// The delivery.
    package var deliveryID: String
    /// How it was settled; see ``Settlement/result``.
    package var result: String?

    /// Makes an error.
    package init(deliveryID: String, result: String? = nil) {
      self.deliveryID = deliveryID
      self.result = result
    }
  }
}

extension Wire.NoSuchDelivery: Wire.Failure {
  /// `io.scened.Router.NoSuchDelivery`.
  package static var error: StaticString { "io.scened.Router.NoSuchDelivery" }

  /// Reads the parameters of an error.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    deliveryID = try object.required("deliveryId")
    result = try object.optional("result")
  }

  /// Writes the parameters of an error.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("deliveryId", deliveryID)
    object.member("result", ifPresent: result)
  }
}

extension Wire {
  /// The open request is unknown, or already answered.
  package struct NoSuchOpenRequest: Sendable, Equatable {
    /// The request.
    package var openRequestID: String
    /// How it ended: `opened`, `declined`, `timeout` or `launchFailed`.
    package var result: String?

    /// Makes an error.
    package init(openRequestID: String, result: String? = nil) {
      self.openRequestID = openRequestID
      self.result = result
    }
  }
}

extension Wire.NoSuchOpenRequest: Wire.Failure {
  /// `io.scened.Router.NoSuchOpenRequest`.
  package static var error: StaticString { "io.scened.Router.NoSuchOpenRequest" }

  /// Reads the parameters of an error.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    openRequestID = try object.required("openRequestId")
    result = try object.optional("result")
  }

  /// Writes the parameters of an error.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("openRequestId", openRequestID)
    object.member("result", ifPresent: result)
  }
}

extension Wire {
  /// The application, or the declaration, is single-scene and has its scene already.
  package struct SceneAlreadyOpen: Sendable, Equatable {
    /// The application.
    package var applicationID: String
    /// The scene it has.
    package var sceneID: String

    /// Makes an error.
    package init(applicationID: String, sceneID: String) {
      self.applicationID = applicationID
      self.sceneID = sceneID
    }
  }
}

extension Wire.SceneAlreadyOpen: Wire.Failure {
  /// `io.scened.Router.SceneAlreadyOpen`.
  package static var error: StaticString { "io.scened.Router.SceneAlreadyOpen" }

  /// Reads the parameters of an error.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    applicationID = try object.required("applicationId")
    sceneID = try object.required("sceneId")
  }

  /// Writes the parameters of an error.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("applicationId", applicationID)
    object.member("sceneId", sceneID)
  }
}

extension Wire {
  /// Another connection already takes open requests for the application.
  package struct ApplicationAlreadyDeclared: Sendable, Equatable {
    /// The application.
    package var applicationID: String
    /// The process at the other end of that connection.
    package var processID: Int64?

    /// Makes an error.
    package init(applicationID: String, processID: Int64? = nil) {
      self.applicationID = applicationID
      self.processID = processID
    }
  }
}

extension Wire.ApplicationAlreadyDeclared: Wire.Failure {
  /// `io.scened.Router.ApplicationAlreadyDeclared`.
  package static var error: StaticString { "io.scened.Router.ApplicationAlreadyDeclared" }

  /// Reads the parameters of an error.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    applicationID = try object.required("applicationId")
    processID = try object.optional("processId")
  }

  /// Writes the parameters of an error.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("applicationId", applicationID)
    object.member("processId", ifPresent: processID)
  }
}

extension Wire {
  /// A limit of the service was hit.
  package struct LimitExceeded: Sendable, Equatable {
    /// `urlLength`, `identifierLength`, `userInfoSize`, `scenesPerUser` and others.
    package var limit: String
    /// The largest value that is allowed.
    package var maximum: Int64

    /// Makes an error.
    package init(limit: String, maximum: Int64) {
      self.limit = limit
      self.maximum = maximum
    }
  }
}

extension Wire.LimitExceeded: Wire.Failure {
  /// `io.scened.Router.LimitExceeded`.
  package static var error: StaticString { "io.scened.Router.LimitExceeded" }

  /// Reads the parameters of an error.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    limit = try object.required("limit")
    maximum = try object.required("maximum")
  }

  /// Writes the parameters of an error.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("limit", limit)
    object.member("maximum", maximum)
  }
}
