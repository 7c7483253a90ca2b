package import Varlink

extension Wire {
  /// One view's interest in events.
  ///
  /// A scene may hold many of these; it takes part in routing with the union of all of them.
  package struct Registration: Sendable, Equatable {
    /// Chosen by the client, unique within the scene.
    package var registrationID: String
    /// Identifiers this view wants to be chosen for over other scenes.
    package var preferring: [String]
    /// Identifiers this view accepts; `*` accepts everything.
    package var allowing: [String]

    /// Makes a registration.
    package init(registrationID: String, preferring: [String], allowing: [String]) {
      self.registrationID = registrationID
      self.preferring = preferring
      self.allowing = allowing
    }
  }
}

extension Wire.Registration: ObjectDecodable, ObjectEncodable {
  /// Reads a registration.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    registrationID = try object.required("registrationId")
    preferring = try object.required("preferring")
    allowing = try object.required("allowing")
  }

  /// Writes a registration.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("registrationId", registrationID)
    object.member("preferring", preferring)
    object.member("allowing", allowing)
  }
}

extension Wire {
  /// The part of a scene its owner decides.
  package struct SceneContext: Sendable, Equatable {
    /// The application it belongs to.
    package var applicationID: String
    /// The declaration this scene is an instance of, if any.
    package var declarationID: String?
    /// For people.
    package var title: String?
    /// What it is interested in.
    package var registrations: [Registration]?

    /// Makes the part a scene's owner decides.
    package init(
      applicationID: String,
      declarationID: String? = nil,
      title: String? = nil,
      registrations: [Registration]? = nil
    ) {
      self.applicationID = applicationID
      self.declarationID = declarationID
      self.title = title
      self.registrations = registrations
    }
  }
}

extension Wire.SceneContext: ObjectDecodable, ObjectEncodable {
  /// Reads the part a scene's owner decides.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    applicationID = try object.required("applicationId")
    declarationID = try object.optional("declarationId")
    title = try object.optional("title")
    registrations = try object.optional("registrations")
  }

  /// Writes the part a scene's owner decides.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("applicationId", applicationID)
    object.member("declarationId", ifPresent: declarationID)
    object.member("title", ifPresent: title)
    object.member("registrations", ifPresent: registrations)
  }
}

extension Wire {
  /// The part of a scene the router knows.
  package struct SceneRuntime: Sendable, Equatable {
    /// Names the scene.
    package var sceneID: String
    /// The process that opened it.
    package var processID: Int64?
    /// When it was opened: CLOCK_REALTIME, in microseconds.
    package var openedUSec: Int64
    /// When it last reported to be active: CLOCK_REALTIME, in microseconds.
    package var activeUSec: Int64?
    /// How many deliveries to it are not yet settled.
    package var pendingDeliveries: Int64

    /// Makes the part the router knows.
    package init(
      sceneID: String,
      processID: Int64? = nil,
      openedUSec: Int64,
      activeUSec: Int64? = nil,
      pendingDeliveries: Int64
    ) {
      self.sceneID = sceneID
      self.processID = processID
      self.openedUSec = openedUSec
      self.activeUSec = activeUSec
      self.pendingDeliveries = pendingDeliveries
    }
  }
}

extension Wire.SceneRuntime: ObjectDecodable, ObjectEncodable {
  /// Reads the part the router knows.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    sceneID = try object.required("sceneId")
    processID = try object.optional("processId")
    openedUSec = try object.required("openedUSec")
    activeUSec = try object.optional("activeUSec")
    pendingDeliveries = try object.required("pendingDeliveries")
  }

  /// Writes the part the router knows.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("sceneId", sceneID)
    object.member("processId", ifPresent: processID)
    object.member("openedUSec", openedUSec)
    object.member("activeUSec", ifPresent: activeUSec)
    object.member("pendingDeliveries", pendingDeliveries)
  }
}

extension Wire {
  /// An open scene (a window).
  package struct Scene: Sendable, Equatable {
    /// The part its owner decides.
    package var context: SceneContext
    /// The part the router knows.
    package var runtime: SceneRuntime

    /// Makes a scene.
    package init(context: SceneContext, runtime: SceneRuntime) {
      self.context = context
      self.runtime = runtime
    }
  }
}

extension Wire.Scene: ObjectDecodable, ObjectEncodable {
  /// Reads a scene.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    context = try object.required("context")
    runtime = try object.required("runtime")
  }

  /// Writes a scene.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("context", context)
    object.member("runtime", runtime)
  }
}

extension Wire {
  /// The first reply to ``OpenScene``.
  package struct SceneOpened: Sendable, Equatable {
    /// Names the scene.
    package var sceneID: String
    /// Capability for all further calls about this scene; never listed, logged or shown.
    package var sceneHandle: String
    /// The state of the registry that has the scene.
    package var generation: Int64

    /// Makes what a scene's owner is told first.
    package init(sceneID: String, sceneHandle: String, generation: Int64) {
      self.sceneID = sceneID
      self.sceneHandle = sceneHandle
      self.generation = generation
    }
  }
}

extension Wire.SceneOpened: ObjectDecodable, ObjectEncodable {
  /// Reads what a scene's owner is told first.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    sceneID = try object.required("sceneId")
    sceneHandle = try object.required("sceneHandle")
    generation = try object.required("generation")
  }

  /// Writes what a scene's owner is told first.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("sceneId", sceneID)
    object.member("sceneHandle", sceneHandle)
    object.member("generation", generation)
  }
}
