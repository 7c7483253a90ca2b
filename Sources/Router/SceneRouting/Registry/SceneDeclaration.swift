/// A kind of scene an application can open, and the events a new one is opened for.
package struct SceneDeclaration: Hashable, Sendable {
  /// What a scene of this kind shows, which says how events are matched.
  package enum Kind: String, Sendable, CaseIterable {
    /// Chosen by identifiers, or as the default.
    case windowGroup
    /// Chosen by file type alone; never a default.
    case documentGroup
  }

  /// Unique within the application.
  package var id: String
  /// For people.
  package var title: String?
  /// How events are matched.
  package var kind: Kind
  /// Identifiers a new scene is opened for; `nil` makes a window group a default, an empty set matches
  /// nothing.
  package var matching: [String]?
  /// What a document group opens: MIME types (`image/png`, `image/*`) or filename extensions (`png`).
  package var supportedTypes: [String]
  /// Whether there is never more than one scene of this kind.
  package var isSingleton: Bool

  /// Makes a declaration; it is checked where its application is declared.
  package init(
    id: String,
    title: String? = nil,
    kind: Kind = .windowGroup,
    matching: [String]? = nil,
    supportedTypes: [String] = [],
    isSingleton: Bool = false
  ) {
    self.id = id
    self.title = title
    self.kind = kind
    self.matching = matching
    self.supportedTypes = supportedTypes
    self.isSingleton = isSingleton
  }

  /// What it matches; a document group's set matches nothing.
  var identifiers: [String] { kind == .windowGroup ? matching ?? [] : [] }

  var isDefault: Bool { kind == .windowGroup && matching == nil }

  var charge: Charge {
    let texts = id.listedSize + (title?.listedSize ?? 0)
    return Charge(matching ?? []) + Charge(supportedTypes) + Charge(bytes: Self.namesSize + texts)
  }

  /// Bytes of the names of its fields in a list, and of what has no text.
  private static var namesSize: Int { 128 }

  /// The limit that it breaks by itself, or nil.
  package func error(under limits: Limits) -> CallError? {
    if let error = limits.error(ofString: id) ?? limits.error(ofString: title)
      ?? limits.error(ofIdentifiers: matching ?? [])
    {
      return error
    }
    for type in supportedTypes {
      if let error = limits.error(ofString: type) { return error }
    }
    return nil
  }
}

/// The events an application stands for.
///
/// An event that some application claims is never routed to one that does not, unless the sender asks for that one.
package struct Claims: Hashable, Sendable {
  /// URL schemes, without the colon.
  package var schemes: [String]
  /// Activity types.
  package var activityTypes: [String]
  /// MIME types of the files that `file:` URLs identify; `image/*` covers a family.
  ///
  /// A type covers those that are kinds of it, too.
  package var mimeTypes: [String]
  /// Hosts of `http:` and `https:` URLs, each as a ``HostClaim`` is written.
  package var hosts: [String]

  /// Makes claims; they are checked where the application is declared.
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

  /// All of them, as they were written.
  var all: [String] { schemes + activityTypes + mimeTypes + hosts }

  /// The claims but those of hosts as keys of one table.
  ///
  /// Schemes and MIME types are compared without case (RFC 3986, RFC 2045).
  var keys: [ClaimKey] {
    var keys: [ClaimKey] = []
    keys.reserveCapacity(schemes.count + activityTypes.count + mimeTypes.count)
    for scheme in schemes { keys.append(.scheme(scheme.inLowerCase)) }
    for type in activityTypes { keys.append(.activityType(type)) }
    for type in mimeTypes { keys.append(.mimeType(type.inLowerCase)) }
    return keys
  }
}

extension String {
  /// The text in lower case, itself if it is: ten thousand applications have a hundred thousand claims.
  fileprivate var inLowerCase: String {
    utf8.allSatisfy { $0 < 0x80 && !(0x41...0x5A ~= $0) } ? self : lowercased()
  }
}

/// One thing that an application can claim and an event can be.
package enum ClaimKey: Hashable, Sendable {
  /// The scheme of a URL, in lower case.
  case scheme(String)
  /// The type of an activity.
  case activityType(String)
  /// The MIME type of a file, or a family of them, in lower case.
  case mimeType(String)
}

/// What the user's lists (`mimeapps.list`) say of those who claim something, by id.
package struct ClaimPreferences: Hashable, Sendable {
  /// Who gets it first.
  package var defaultApplication: String?
  /// Those that come before others whose declarations are from files, best first.
  package var order: [String]
  /// Those who do not get a file of this type by claiming a more general one.
  package var removed: [String]

  /// Makes preferences, by default none.
  package init(defaultApplication: String? = nil, order: [String] = [], removed: [String] = []) {
    (self.defaultApplication, self.order, self.removed) = (defaultApplication, order, removed)
  }
}

/// What an application says of itself when it is declared.
package struct ApplicationDeclaration: Hashable, Sendable {
  /// Where a declaration comes from.
  package enum Source: Hashable, Sendable {
    /// A connection, which also takes the open requests.
    case connection
    /// A desktop entry.
    ///
    /// One is trusted if nobody but root can change it. Else its claims of hosts do not count, so that nothing that a
    /// user unpacks gives itself the links of a bank: the application gets them where the user chose it for the host.
    case file(path: String, isTrusted: Bool)
  }

  /// How the program of an application gets events when it is started.
  package enum Program: Sendable {
    /// It speaks to the router, and asks for them.
    case aware
    /// With the start, any number at once.
    case opensMany
    /// With the start, one at a time.
    case opensOne
  }

  /// Chosen by the application; public.
  package var applicationID: String
  /// In the order of the rules.
  package var scenes: [SceneDeclaration]
  /// What it stands for; empty for nothing.
  package var claims: Claims
  /// Whether it has one scene at most, which gets every event of the application.
  package var isSingleScene: Bool
  /// How its program gets events when it is started.
  package var program: Program
  /// Where the declaration comes from.
  package var source: Source
  /// Whether it takes part only in events that are sent to this application or to one of its scenes, and in those of
  /// hosts that the user chose it for.
  package var isForNamedEventsOnly: Bool

  /// Makes a declaration; it is checked where the application is declared.
  package init(
    applicationID: String,
    scenes: [SceneDeclaration],
    claims: Claims = Claims(),
    isSingleScene: Bool = false,
    program: Program = .aware,
    source: Source = .connection,
    isForNamedEventsOnly: Bool = false
  ) {
    self.applicationID = applicationID
    self.scenes = scenes
    self.claims = claims
    self.isSingleScene = isSingleScene
    self.program = program
    self.source = source
    self.isForNamedEventsOnly = isForNamedEventsOnly
  }

  /// Whether the application takes part in events that nobody claims.
  var takesUnclaimed: Bool { claims.all.isEmpty && !isForNamedEventsOnly }

  /// The claims of hosts that count without the user's choice.
  var hostClaims: [HostClaim] {
    if case .file(_, isTrusted: false) = source { return [] }
    return claims.hosts.compactMap { HostClaim($0) }
  }

  var charge: Charge {
    let claimed = Charge(claims.all)
    let own = Charge(bytes: Self.namesSize + applicationID.listedSize)
    return scenes.reduce(claimed + own) { $0 + $1.charge }
  }

  /// Bytes of the names of its fields in a list, and of what has no text.
  private static var namesSize: Int { 256 }

  /// What keeps it from being declared, or nil.
  package func error(under limits: Limits) -> CallError? {
    if applicationID.isEmpty { return .invalidParameter(path: "applicationId") }
    if let error = limits.error(ofString: applicationID) { return error }
    guard scenes.count <= limits.declarationsPerApplication else {
      return .limitExceeded(.declarationsPerApplication, maximum: limits.declarationsPerApplication)
    }
    guard scenes.reduce(0, { $0 + ($1.matching?.count ?? 0) }) <= limits.identifiersPerApplication else {
      return .limitExceeded(.identifiersPerApplication, maximum: limits.identifiersPerApplication)
    }
    guard scenes.reduce(0, { $0 + $1.supportedTypes.count }) <= limits.supportedTypesPerApplication else {
      return .limitExceeded(.supportedTypesPerApplication, maximum: limits.supportedTypesPerApplication)
    }
    let claimed = claims.all
    guard claimed.count <= limits.claimsPerApplication else {
      return .limitExceeded(.claimsPerApplication, maximum: limits.claimsPerApplication)
    }
    var ids: Set<String> = []
    for (index, scene) in scenes.enumerated() {
      if let error = scene.error(under: limits) { return error }
      guard !scene.id.isEmpty, ids.insert(scene.id).inserted else {
        return .invalidParameter(path: "scenes[\(index)].declarationId")
      }
    }
    for claim in claimed {
      if let error = limits.error(ofString: claim) { return error }
    }
    for (index, claim) in claims.hosts.enumerated() where HostClaim(claim) == nil {
      return .invalidParameter(path: "claims.hosts[\(index)]")
    }
    if charge.bytes > limits.applicationSize {
      return .limitExceeded(.applicationSize, maximum: limits.applicationSize)
    }
    return nil
  }
}
