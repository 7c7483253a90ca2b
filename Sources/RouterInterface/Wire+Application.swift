package import Varlink

extension Wire {
  /// A kind of scene an application can open, and the events a new one is opened for.
  package struct SceneDeclaration: Sendable, Equatable {
    /// Unique within the application.
    package var declarationID: String
    /// For people.
    package var title: String?
    /// Defaults to ``Kind/windowGroup``.
    package var kind: Kind?
    /// Identifiers a new scene of this kind is opened for.
    ///
    /// `*` matches everything, an empty array nothing. Nil means no condition: taken only if no declaration
    /// of the application with a condition matches.
    package var matching: [String]?
    /// What a document group opens: MIME types (`image/png`, `image/*`) or filename extensions (`png`).
    package var supportedTypes: [String]?
    /// Whether there is never more than one scene of this kind.
    ///
    /// Defaults to false.
    package var isSingleton: Bool?

    /// Makes a declaration.
    package init(
      declarationID: String,
      title: String? = nil,
      kind: Kind? = nil,
      matching: [String]? = nil,
      supportedTypes: [String]? = nil,
      isSingleton: Bool? = nil
    ) {
      self.declarationID = declarationID
      self.title = title
      self.kind = kind
      self.matching = matching
      self.supportedTypes = supportedTypes
      self.isSingleton = isSingleton
    }
  }
}

extension Wire.SceneDeclaration: ObjectDecodable, ObjectEncodable {
  /// Reads a declaration.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    declarationID = try object.required("declarationId")
    title = try object.optional("title")
    kind = try object.optional("kind")
    matching = try object.optional("matching")
    supportedTypes = try object.optional("supportedTypes")
    isSingleton = try object.optional("isSingleton")
  }

  /// Writes a declaration.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("declarationId", declarationID)
    object.member("title", ifPresent: title)
    object.member("kind", ifPresent: kind)
    object.member("matching", ifPresent: matching)
    object.member("supportedTypes", ifPresent: supportedTypes)
    object.member("isSingleton", ifPresent: isSingleton)
  }
}

extension Wire {
  /// The events an application stands for.
  ///
  /// An event that some application claims is never routed to one that does not.
  package struct Claims: Sendable, Equatable {
    /// URL schemes, without the colon.
    package var schemes: [String]?
    /// Types of activities.
    package var activityTypes: [String]?
    /// MIME types of the files named by URLs.
    package var mimeTypes: [String]?

    /// Makes claims.
    package init(schemes: [String]? = nil, activityTypes: [String]? = nil, mimeTypes: [String]? = nil) {
      self.schemes = schemes
      self.activityTypes = activityTypes
      self.mimeTypes = mimeTypes
    }
  }
}

extension Wire.Claims: ObjectDecodable, ObjectEncodable {
  /// Reads claims.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    schemes = try object.optional("schemes")
    activityTypes = try object.optional("activityTypes")
    mimeTypes = try object.optional("mimeTypes")
  }

  /// Writes claims.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("schemes", ifPresent: schemes)
    object.member("activityTypes", ifPresent: activityTypes)
    object.member("mimeTypes", ifPresent: mimeTypes)
  }
}

extension Wire {
  /// An application that declared its scenes.
  package struct Application: Sendable, Equatable {
    /// Names the application.
    package var applicationID: String
    /// The scenes it can open, in the order of the rules.
    package var scenes: [SceneDeclaration]
    /// The events it stands for.
    package var claims: Claims?
    /// Whether it has one scene at most, which gets every event of the application.
    package var isSingleScene: Bool
    /// The desktop entry by which the router starts the application.
    package var desktopID: String?
    /// Where the declaration comes from: `file` or `connection`.
    package var source: String
    /// The file it comes from; set for source `file`.
    package var path: String?
    /// Whether a process is there to take open requests.
    package var isRunning: Bool

    /// Makes an application.
    package init(
      applicationID: String,
      scenes: [SceneDeclaration],
      claims: Claims? = nil,
      isSingleScene: Bool,
      desktopID: String? = nil,
      source: String,
      path: String? = nil,
      isRunning: Bool
    ) {
      self.applicationID = applicationID
      self.scenes = scenes
      self.claims = claims
      self.isSingleScene = isSingleScene
      self.desktopID = desktopID
      self.source = source
      self.path = path
      self.isRunning = isRunning
    }
  }
}

extension Wire.Application: ObjectDecodable, ObjectEncodable {
  /// Reads an application.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    applicationID = try object.required("applicationId")
    scenes = try object.required("scenes")
    claims = try object.optional("claims")
    isSingleScene = try object.required("isSingleScene")
    desktopID = try object.optional("desktopId")
    source = try object.required("source")
    path = try object.optional("path")
    isRunning = try object.required("isRunning")
  }

  /// Writes an application.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("applicationId", applicationID)
    object.member("scenes", scenes)
    object.member("claims", ifPresent: claims)
    object.member("isSingleScene", isSingleScene)
    object.member("desktopId", ifPresent: desktopID)
    object.member("source", source)
    object.member("path", ifPresent: path)
    object.member("isRunning", isRunning)
  }
}

extension Wire {
  /// The first reply to ``DeclareApplication``.
  package struct ApplicationDeclared: Sendable, Equatable {
    /// Capability for all further calls about this application; never listed, logged or shown.
    package var applicationHandle: String
    /// The state of the registry that has the declarations.
    package var generation: Int64

    /// Makes what an application is told first.
    package init(applicationHandle: String, generation: Int64) {
      self.applicationHandle = applicationHandle
      self.generation = generation
    }
  }
}

extension Wire.ApplicationDeclared: ObjectDecodable, ObjectEncodable {
  /// Reads what an application is told first.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    applicationHandle = try object.required("applicationHandle")
    generation = try object.required("generation")
  }

  /// Writes what an application is told first.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("applicationHandle", applicationHandle)
    object.member("generation", generation)
  }
}

extension Wire {
  /// Asks an application for a new scene.
  ///
  /// Answered by ``OpenScene`` with the same id, on which the event is delivered first, or by
  /// ``DeclineOpenRequest``.
  package struct OpenRequest: Sendable, Equatable {
    /// Names the request.
    package var openRequestID: String
    /// The event, by its decisions.
    package var decisionID: String
    /// The kind of scene.
    package var declarationID: String
    /// What the scene is opened for.
    package var event: Event
    /// As given to ``SendEvent``: tells an event that was sent again after a crash.
    package var eventID: String?
    /// Lets the new scene raise its window.
    package var activationToken: String?
    /// The time left to answer it, in microseconds.
    package var timeoutUSec: Int64

    /// Makes a request.
    package init(
      openRequestID: String,
      decisionID: String,
      declarationID: String,
      event: Event,
      eventID: String? = nil,
      activationToken: String? = nil,
      timeoutUSec: Int64
    ) {
      self.openRequestID = openRequestID
      self.decisionID = decisionID
      self.declarationID = declarationID
      self.event = event
      self.eventID = eventID
      self.activationToken = activationToken
      self.timeoutUSec = timeoutUSec
    }
  }
}

extension Wire.OpenRequest: ObjectDecodable, ObjectEncodable {
  /// Reads a request.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    openRequestID = try object.required("openRequestId")
    decisionID = try object.required("decisionId")
    declarationID = try object.required("declarationId")
    event = try object.required("event")
    eventID = try object.optional("eventId")
    activationToken = try object.optional("activationToken")
    timeoutUSec = try object.required("timeoutUSec")
  }

  /// Writes a request.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("openRequestId", openRequestID)
    object.member("decisionId", decisionID)
    object.member("declarationId", declarationID)
    object.member("event", event)
    object.member("eventId", ifPresent: eventID)
    object.member("activationToken", ifPresent: activationToken)
    object.member("timeoutUSec", timeoutUSec)
  }
}

extension Wire.SceneDeclaration {
  /// What a declaration is chosen by.
  package enum Kind: String, Sendable {
    /// Its ``SceneDeclaration/matching`` set.
    case windowGroup
    /// Its ``SceneDeclaration/supportedTypes`` alone.
    case documentGroup
  }
}

extension Wire.SceneDeclaration.Kind: JSONDecodable, JSONEncodable {}
