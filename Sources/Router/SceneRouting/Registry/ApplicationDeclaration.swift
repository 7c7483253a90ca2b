extension SceneDeclaration {
  /// Only the identifiers that count for routing.
  var identifiers: [String] { kind == .windowGroup ? matching ?? [] : [] }

  var isDefault: Bool { kind == .windowGroup && matching == nil }

  var charge: Charge {
    let texts = id.listedSize + (title?.listedSize ?? 0)
    return Charge(matching ?? []) + Charge(supportedTypes) + Charge(bytes: Self.namesSize + texts)
  }

  /// Bytes of field names and of fields without text in a JSON list.
  private static var namesSize: Int { 128 }

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

package struct ApplicationDeclaration: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    case connection
    /// An entry is trusted if only root can change it; the host claims of an untrusted entry do not count.
    ///
    /// Otherwise a program that a user unpacks could take the links of a bank.
    case file(path: String, desktopID: String, isTrusted: Bool)
  }

  package enum Program: Sendable {
    /// The program connects to the router and asks for its events.
    case aware
    /// Each start hands the program one or more events.
    case opensMany
    /// Each start hands the program exactly one event.
    case opensOne
  }

  /// No secret: lists, logs and monitors may show it.
  package var applicationID: String
  /// In the order in which the rules ask them.
  package var scenes: [SceneDeclaration]
  package var claims: Claims
  package var isSingleScene: Bool
  package var program: Program
  package var source: Source
  /// Such an application takes part only if the event names it, or the user chose it for the host or the sender.
  package var isForNamedEventsOnly: Bool

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

  var takesUnclaimed: Bool { claims.all.isEmpty && !isForNamedEventsOnly }

  var hostClaims: [HostClaim] {
    if case .file(_, _, isTrusted: false) = source { return [] }
    return claims.hosts.compactMap { HostClaim($0) }
  }

  var charge: Charge {
    let claimed = Charge(claims.all)
    let own = Charge(bytes: Self.namesSize + applicationID.listedSize)
    return scenes.reduce(claimed + own) { $0 + $1.charge }
  }

  /// Bytes of field names and of fields without text in a JSON list.
  private static var namesSize: Int { 256 }

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
