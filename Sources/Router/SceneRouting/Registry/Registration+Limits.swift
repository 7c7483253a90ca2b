extension Registration {
  func error(under limits: Limits, path: String) -> CallError? {
    if let error = limits.error(ofString: id) ?? limits.error(ofIdentifiers: preferring)
      ?? limits.error(ofIdentifiers: allowing) ?? limits.error(ofIdentifiers: showing)
    {
      return error
    }
    return showing.firstIndex { !URLSyntax.isAbsolute($0) }
      .map { .invalidParameter(path: "\(path).showing[\($0)]") }
  }

  var charge: Charge { Charge(preferring) + Charge(allowing) + Charge(showing) + Self.charge(ofID: id) }

  /// With field names and punctuation in a list.
  static func charge(ofID id: String) -> Charge { Charge(bytes: namesSize + id.listedSize) }

  /// Bytes of field names and punctuation in a JSON list of scenes.
  private static var namesSize: Int { 64 }
}

extension SceneContext {
  func error(under limits: Limits) -> CallError? {
    if applicationID.isEmpty { return .invalidParameter(path: "context.applicationId") }
    if let error = limits.error(ofString: applicationID) ?? limits.error(ofString: declarationID)
      ?? limits.error(ofString: title)
    {
      return error
    }
    guard registrations.count <= limits.registrationsPerScene else {
      return .limitExceeded(.registrationsPerScene, maximum: limits.registrationsPerScene)
    }
    if let error = limits.error(ofScene: charge) { return error }
    var ids: Set<String> = []
    for (index, registration) in registrations.enumerated() {
      if let error = registration.error(under: limits, path: "context.registrations[\(index)]") {
        return error
      }
      guard ids.insert(registration.id).inserted else {
        return .invalidParameter(path: "context.registrations[\(index)].registrationId")
      }
    }
    return nil
  }

  var charge: Charge {
    let texts = applicationID.listedSize + (declarationID?.listedSize ?? 0)
    return registrations.reduce(Charge(bytes: Self.namesSize + texts) + Self.charge(ofTitle: title)) {
      $0 + $1.charge
    }
  }

  static func charge(ofTitle title: String?) -> Charge { Charge(bytes: title?.listedSize ?? 0) }

  /// Bytes of field names and of the router's own fields in a JSON list.
  private static var namesSize: Int { 320 }
}

extension Limits {
  /// For a text other than a URL or an identifier.
  package func error(ofString string: String?) -> CallError? {
    guard let string, string.utf8.count > stringLength else { return nil }
    return .limitExceeded(.stringLength, maximum: stringLength)
  }

  func error(ofScene charge: Charge) -> CallError? {
    if charge.identifiers > identifiersPerScene {
      return .limitExceeded(.identifiersPerScene, maximum: identifiersPerScene)
    }
    return charge.bytes > sceneSize ? .limitExceeded(.sceneSize, maximum: sceneSize) : nil
  }

  func error(ofIdentifier identifier: String?) -> CallError? {
    guard let identifier, identifier.utf8.count > identifierLength else { return nil }
    return .limitExceeded(.identifierLength, maximum: identifierLength)
  }

  func error(ofIdentifiers identifiers: [String]) -> CallError? {
    for identifier in identifiers {
      if let error = error(ofIdentifier: identifier) { return error }
    }
    return nil
  }
}
