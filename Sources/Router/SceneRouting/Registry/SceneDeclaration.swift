extension SceneDeclaration {
  /// The identifiers that count for routing.
  ///
  /// A document group has none.
  var identifiers: [String] { kind == .windowGroup ? matching ?? [] : [] }

  var isDefault: Bool { kind == .windowGroup && matching == nil }

  var charge: Charge {
    let texts = id.listedSize + (title?.listedSize ?? 0)
    return Charge(matching ?? []) + Charge(supportedTypes) + Charge(bytes: Self.namesSize + texts)
  }

  /// The bytes that a declaration takes in a JSON list for field names and for fields without text.
  private static var namesSize: Int { 128 }

  /// The error for a text of this declaration that is too long; `nil` if every text is short enough.
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

extension Claims {
  /// All claims as the application wrote them.
  var all: [String] { schemes + activityTypes + mimeTypes + hosts }

  /// The keys of all claims except hosts.
  ///
  /// Hosts have no keys, because `ClaimTable` keeps them in a table of their own.
  ///
  /// The keys of schemes and MIME types are in lower case, because schemes and MIME types are compared without regard
  /// to case (RFC 3986, RFC 2045).
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
  /// The text in lower case.
  ///
  /// An ASCII text that is already in lower case is not copied. This saves memory if there are very many claims.
  fileprivate var inLowerCase: String {
    utf8.allSatisfy { $0 < 0x80 && !(0x41...0x5A ~= $0) } ? self : lowercased()
  }
}

/// A property of events that an application can claim.
package enum ClaimKey: Hashable, Sendable {
  /// The scheme of a URL, in lower case.
  case scheme(String)
  /// The type of an activity, as it is written.
  case activityType(String)
  /// The MIME type of a file, or a family of MIME types, in lower case.
  case mimeType(String)
}

/// The entries of the user's lists (`mimeapps.list`) for one claim.
///
/// Applications are named by id.
package struct ClaimPreferences: Hashable, Sendable {
  /// The application that gets the claimed events first.
  package var defaultApplication: String?
  /// The place where the default is written, `PATH:LINE`; `nil` if the place is not known.
  package var defaultSource: String?
  /// The applications that are asked before the other applications that files declare, best first.
  package var order: [String]
  /// The applications that the user's lists remove from the claimed type.
  ///
  /// If such an application claims a more general type, it usually still gets no files of the removed type.
  package var removed: [String]

  /// Makes preferences; without arguments, they name no application.
  package init(
    defaultApplication: String? = nil,
    defaultSource: String? = nil,
    order: [String] = [],
    removed: [String] = []
  ) {
    self.defaultApplication = defaultApplication?.asApplicationID
    self.defaultSource = defaultSource
    self.order = order.map(\.asApplicationID)
    self.removed = removed.map(\.asApplicationID)
  }
}

/// The declaration of an application.
package struct ApplicationDeclaration: Hashable, Sendable {
  /// The origin of a declaration.
  package enum Source: Hashable, Sendable {
    /// A connection, over which the application also gets the router's requests to open scenes.
    case connection
    /// A desktop entry at a path, with its desktop id, which ends in `.desktop`.
    ///
    /// An entry is trusted if only root can change it. The host claims of an untrusted entry do not count. Otherwise a
    /// program that a user unpacks could take the links of a bank. The application of an untrusted entry gets a host's
    /// links only if the user chose it for the host.
    case file(path: String, desktopID: String, isTrusted: Bool)
  }

  /// The way in which an application's program gets events when the program is started.
  package enum Program: Sendable {
    /// The program connects to the router and asks for its events.
    case aware
    /// Each start hands the program one or more events.
    case opensMany
    /// Each start hands the program exactly one event.
    case opensOne
  }

  /// The application's id, which is no secret: lists, logs and monitors may show it.
  package var applicationID: String
  /// The application's kinds of scene, in the order in which the rules ask them.
  package var scenes: [SceneDeclaration]
  /// The claims of the application.
  package var claims: Claims
  /// Whether the application has at most one scene, which gets every event of the application.
  package var isSingleScene: Bool
  /// The way in which the application's program gets events when the program is started.
  package var program: Program
  /// The origin of the declaration.
  package var source: Source
  /// Whether the application takes part only in certain events.
  ///
  /// These events are:
  /// - events that name the application or one of its scenes
  /// - events of hosts or senders for which the user chose the application
  package var isForNamedEventsOnly: Bool

  /// Makes a declaration, which is checked when the application is declared.
  package init(
    applicationID: String,
    scenes: [SceneDeclaration],
    claims: Claims = Claims(),
    isSingleScene: Bool = false,
    program: Program = .aware,
    source: Source = .connection,
    isForNamedEventsOnly: Bool = false
  ) {
    self.applicationID = applicationID.asApplicationID
    self.scenes = scenes
    self.claims = claims
    self.isSingleScene = isSingleScene
    self.program = program
    self.source = source
    self.isForNamedEventsOnly = isForNamedEventsOnly
  }

  /// Whether the application takes part in events that nobody claims.
  var takesUnclaimed: Bool { claims.all.isEmpty && !isForNamedEventsOnly }

  /// The host claims that count for routing.
  ///
  /// If the declaration comes from an untrusted desktop entry, no host claim counts.
  var hostClaims: [HostClaim] {
    if case .file(_, _, isTrusted: false) = source { return [] }
    return claims.hosts.compactMap { HostClaim($0) }
  }

  var charge: Charge {
    let claimed = Charge(claims.all)
    let own = Charge(bytes: Self.namesSize + applicationID.listedSize)
    return scenes.reduce(claimed + own) { $0 + $1.charge }
  }

  /// The bytes that an application takes in a JSON list for field names and for fields without text.
  private static var namesSize: Int { 256 }

  /// The error for which the declaration is refused; nil if the declaration is valid.
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
