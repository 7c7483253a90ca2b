extension Claims {
  var all: [String] { schemes + activityTypes + mimeTypes + hosts }

  /// Hosts have no keys; schemes and MIME types are in lower case, because case does not count (RFC 3986, RFC 2045).
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
  /// A text that is already in lower case is not copied, to save memory with very many claims.
  fileprivate var inLowerCase: String {
    utf8.allSatisfy { $0 < 0x80 && !(0x41...0x5A ~= $0) } ? self : lowercased()
  }
}

package enum ClaimKey: Hashable, Sendable {
  /// In lower case.
  case scheme(String)
  case activityType(String)
  /// A type or a family of types, in lower case.
  case mimeType(String)
}

/// The entries of the user's lists (`mimeapps.list`) for one claim.
package struct ClaimPreferences: Hashable, Sendable {
  package var defaultApplication: String?
  /// `PATH:LINE`; `nil` if the place is not known.
  package var defaultSource: String?
  /// Applications asked before the others that files declare, best first.
  package var order: [String]
  /// An application that is removed from the type usually gets its files by no supertype either; see ``TypeChoices``.
  package var removed: [String]

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

package struct UserChoice: Hashable, Sendable {
  package var applicationID: String
  /// `PATH:LINE` for the decisions that follow from the choice; `nil` if not known.
  package var source: String?

  package init(_ applicationID: String, source: String? = nil) {
    self.applicationID = applicationID.asApplicationID
    self.source = source
  }
}
