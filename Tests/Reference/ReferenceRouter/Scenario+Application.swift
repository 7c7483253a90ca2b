extension Scenario {
  /// A declared application.
  package struct Application: Sendable {
    /// The id, which is unique in the scenario.
    package var id: String

    /// The declarations, in the order in which the application lists them.
    package var declarations: [Declaration]

    /// The events that the application claims.
    package var claims: Claims?

    /// Whether the application has one scene at most.
    package var isSingleScene: Bool

    /// Where the declaration comes from.
    package var source: Source

    /// Whether the application takes part only if the sender names it, or the user chose it for the sender or the host.
    ///
    /// This can be true only of an application from a file.
    package var isForNamedEventsOnly: Bool

    /// Creates an application; by default, the application is declared over a connection and claims nothing.
    package init(
      _ id: String,
      _ declarations: [Declaration] = [],
      claims: Claims? = nil,
      isSingleScene: Bool = false,
      source: Source = .connection,
      isForNamedEventsOnly: Bool = false
    ) {
      self.id = id
      self.declarations = declarations
      self.claims = claims
      self.isSingleScene = isSingleScene
      self.source = source
      self.isForNamedEventsOnly = isForNamedEventsOnly
    }
  }

  /// Where an application's declaration comes from.
  package enum Source: Sendable, Equatable {
    /// The application declared itself.
    case connection

    /// A file; `isTrusted` says whether root alone can write the file.
    case file(isTrusted: Bool = true)
  }

  /// The events that an application claims.
  ///
  /// Empty claims claim nothing.
  package struct Claims: Sendable {
    /// URL schemes, without the colon.
    package var schemes: [String]

    /// Activity types.
    package var activityTypes: [String]

    /// MIME types, or families of types (`image/*`), of the files that `file:` URLs name.
    package var mimeTypes: [String]

    /// Hosts or families of hosts (`*.example.org`); each may be followed by the beginning of a path.
    package var hosts: [String]

    /// Creates claims, which are empty by default.
    package init(
      schemes: [String] = [],
      activityTypes: [String] = [],
      mimeTypes: [String] = [],
      hosts: [String] = []
    ) {
      self.schemes = schemes
      self.activityTypes = activityTypes
      self.mimeTypes = mimeTypes
      self.hosts = hosts
    }
  }

  /// A kind of scene an application can open.
  package struct Declaration: Sendable {
    /// The two kinds of declarations.
    package enum Kind: String, Sendable, Codable {
      /// A declaration whose `matching` is compared with events.
      case windowGroup

      /// A declaration whose `supportedTypes` are compared with the types of files.
      case documentGroup
    }

    /// The id, which is unique in the application.
    package var id: String

    /// Whether the declaration is a window group or a document group.
    package var kind: Kind

    /// The identifiers of a window group; nil if the group takes every event.
    ///
    /// The group takes an event if at least one of the identifiers matches the event.
    package var matching: [String]?

    /// MIME types, families of types (`image/*`), or filename extensions.
    package var supportedTypes: [String]

    /// Whether the declaration has at most one scene.
    package var isSingleton: Bool

    /// The application's answer to a request for a scene of this declaration.
    package var openAnswer: OpenAnswer

    /// A window group.
    package static func window(
      _ id: String,
      _ matching: [String]? = nil,
      isSingleton: Bool = false,
      answers openAnswer: OpenAnswer = .open(.acknowledge)
    ) -> Declaration {
      Declaration(
        id: id,
        kind: .windowGroup,
        matching: matching,
        supportedTypes: [],
        isSingleton: isSingleton,
        openAnswer: openAnswer
      )
    }

    /// A document group.
    package static func document(
      _ id: String,
      _ supportedTypes: [String],
      matching: [String]? = nil,
      isSingleton: Bool = false,
      answers openAnswer: OpenAnswer = .open(.acknowledge)
    ) -> Declaration {
      Declaration(
        id: id,
        kind: .documentGroup,
        matching: matching,
        supportedTypes: supportedTypes,
        isSingleton: isSingleton,
        openAnswer: openAnswer
      )
    }
  }

  /// The answer of an application to a request for a new scene.
  package enum OpenAnswer: Sendable, Equatable {
    /// Declines the request.
    case decline

    /// Opens a scene without registrations; the scene then gives this answer to the event.
    case open(SceneAnswer)
  }
}
