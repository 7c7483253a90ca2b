package import Varlink

extension Wire {
  /// Declares the scenes an application can open and streams requests to open them (requires `more`).
  ///
  /// The first reply is `declared`. The declarations replace those of the same application loaded from
  /// files, until the connection is closed.
  package struct DeclareApplication: Sendable, Equatable {
    /// Names the application.
    package var applicationID: String
    /// The scenes it can open, in the order of the rules.
    package var scenes: [SceneDeclaration]
    /// The events it stands for.
    package var claims: Claims?
    /// Whether it has one scene at most.
    ///
    /// Defaults to false.
    package var isSingleScene: Bool?

    /// Makes a call.
    package init(
      applicationID: String,
      scenes: [SceneDeclaration],
      claims: Claims? = nil,
      isSingleScene: Bool? = nil
    ) {
      self.applicationID = applicationID
      self.scenes = scenes
      self.claims = claims
      self.isSingleScene = isSingleScene
    }

    /// One of the replies to ``DeclareApplication``.
    package enum Reply: Sendable, Equatable {
      /// The application is declared: the first reply.
      case declared(ApplicationDeclared)
      /// A scene is asked for.
      case openRequest(OpenRequest)
      /// A request is no longer to be answered.
      case withdrawn(Withdrawal)
      /// The final reply: `shutdown`.
      ///
      /// More may be added.
      case closed(String)
      /// Nothing that this version knows: to be skipped.
      case unrecognized
    }
  }
}

extension Wire.DeclareApplication: Wire.Method {
  /// `io.scened.Router.DeclareApplication`.
  package static var method: StaticString { "io.scened.Router.DeclareApplication" }

  /// Reads the parameters of a call.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    applicationID = try object.required("applicationId")
    scenes = try object.required("scenes")
    claims = try object.optional("claims")
    isSingleScene = try object.optional("isSingleScene")
  }

  /// Writes the parameters of a call.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("applicationId", applicationID)
    object.member("scenes", scenes)
    object.member("claims", ifPresent: claims)
    object.member("isSingleScene", ifPresent: isSingleScene)
  }
}

extension Wire.DeclareApplication.Reply: ObjectDecodable, ObjectEncodable {
  /// Reads a reply.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    if let declared: Wire.ApplicationDeclared = try object.optional("declared") {
      self = .declared(declared)
    } else if let openRequest: Wire.OpenRequest = try object.optional("openRequest") {
      self = .openRequest(openRequest)
    } else if let withdrawn: Wire.Withdrawal = try object.optional("withdrawn") {
      self = .withdrawn(withdrawn)
    } else if let closed: String = try object.optional("closed") {
      self = .closed(closed)
    } else {
      self = .unrecognized
    }
  }

  /// Writes a reply.
  package func encodeMembers(to object: inout JSONWriter) {
    switch self {
    case .declared(let declared): object.member("declared", declared)
    case .openRequest(let openRequest): object.member("openRequest", openRequest)
    case .withdrawn(let withdrawn): object.member("withdrawn", withdrawn)
    case .closed(let closed): object.member("closed", closed)
    case .unrecognized: break
    }
  }
}

extension Wire {
  /// The application does not open a scene for the request.
  package struct DeclineOpenRequest: Sendable, Equatable {
    /// What is answered.
    package typealias Reply = NoParameters

    /// From ``ApplicationDeclared``.
    package var applicationHandle: String
    /// From ``OpenRequest``.
    package var openRequestID: String
    /// Why, for the sender.
    package var reason: String?

    /// Makes a call.
    package init(applicationHandle: String, openRequestID: String, reason: String? = nil) {
      self.applicationHandle = applicationHandle
      self.openRequestID = openRequestID
      self.reason = reason
    }
  }
}

extension Wire.DeclineOpenRequest: Wire.Method {
  /// `io.scened.Router.DeclineOpenRequest`.
  package static var method: StaticString { "io.scened.Router.DeclineOpenRequest" }

  /// Reads the parameters of a call.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    applicationHandle = try object.required("applicationHandle")
    openRequestID = try object.required("openRequestId")
    reason = try object.optional("reason")
  }

  /// Writes the parameters of a call.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("applicationHandle", applicationHandle)
    object.member("openRequestId", openRequestID)
    object.member("reason", ifPresent: reason)
  }
}
