final class Scene {
  final class RegisteredSets {
    /// An array with only the registration's id, made once for all decisions that report it alone.
    let ids: [String]
    let charge: Charge
    let preferring: RegisteredIdentifiers
    let allowing: RegisteredIdentifiers
    let showing: RegisteredURLs

    init(
      _ registration: Registration,
      of holder: HolderID,
      _ table: inout HolderTable,
      showing: RegisteredURLs
    ) {
      ids = [registration.id]
      charge = registration.charge
      preferring = RegisteredIdentifiers(registration.preferring, in: .preferring, of: holder, &table)
      allowing = RegisteredIdentifiers(registration.allowing, in: .allowing, of: holder, &table)
      self.showing = showing
    }

    var id: String { ids[0] }

    func contains(_ key: IdentifierKey, in kind: IdentifierSetKind) -> Bool {
      kind == .preferring ? preferring.contains(key) : allowing.contains(key)
    }

    func spelling(of key: IdentifierKey, in kind: IdentifierSetKind) -> String? {
      kind == .preferring ? preferring.spelling(of: key) : allowing.spelling(of: key)
    }

    func identifiers(_ kind: IdentifierSetKind) -> RegisteredIdentifiers {
      kind == .preferring ? preferring : allowing
    }
  }

  let id: SceneID
  let user: UserID
  let processID: Int32?
  let applicationID: String
  let declarationID: String?
  var title: String?
  var registrations: [RegisteredSets]
  var charge: Charge
  var candidate: Candidate
  let holder: HolderID
  let openedUSec: Int64
  var activeUSec: Int64?
  var activity: SceneActivity?

  init(
    _ id: SceneID,
    _ context: SceneContext,
    of client: Client,
    _ candidate: Candidate,
    _ holder: HolderID,
    _ registrations: [RegisteredSets],
    openedUSec: Int64
  ) {
    (self.id, self.candidate, self.holder, self.openedUSec) = (id, candidate, holder, openedUSec)
    (user, processID) = (client.user, client.processID)
    applicationID = context.applicationID
    declarationID = context.declarationID
    title = context.title
    charge = context.charge
    self.registrations = registrations
  }

  var slot: Slot { candidate.index }

  var application: Slot { candidate.application }
}

extension Scene {
  /// `nil` if the spelling equals the folded text; of several spellings, the one that sorts first.
  func spelling(of key: IdentifierKey, in kind: IdentifierSetKind) -> String? {
    var best: String?
    for registration in registrations {
      guard let spelling = registration.spelling(of: key, in: kind) else { continue }
      if best.map({ spelling.utf8.span.sortsBefore($0.utf8.span) }) ?? true { best = spelling }
    }
    return best
  }

  /// The event contains the spelling byte for byte; of several, the one that sorts first counts.
  func exactSpelling(
    of key: IdentifierKey,
    in kind: IdentifierSetKind,
    _ event: Event,
    _ texts: borrowing IdentifierTrie
  ) -> String? {
    registrations.flatMap { $0.identifiers(kind).spellings(of: key, texts) }.filter { event.contains($0) }
      .min { $0.utf8.span.sortsBefore($1.utf8.span) }
  }

  func registrationID(
    of key: IdentifierKey,
    spelled spelling: String,
    in kind: IdentifierSetKind,
    _ texts: borrowing IdentifierTrie
  ) -> String? {
    registrations.first {
      $0.identifiers(kind).spellings(of: key, texts).contains { $0.utf8.elementsEqual(spelling.utf8) }
    }?.id
  }

  /// At least one registration must have one of the identifiers.
  func registrationIDs(
    _ kind: IdentifierSetKind,
    holding keys: [IdentifierKey],
    wildcardCounts: Bool
  ) -> [String] {
    if registrations.count == 1 { return registrations[0].ids }
    var wanted = Set(keys)
    if !wildcardCounts { wanted.remove(.wildcard) }
    return registrations.filter { $0.identifiers(kind).keys.contains { wanted.contains($0) } }.map(\.id)
  }

  /// At least one registration must show one of the URLs.
  func registrationIDs(showing key: ShownTable.Key?, or other: ShownTable.Key?) -> [String] {
    if registrations.count == 1 { return registrations[0].ids }
    return registrations.filter { $0.showing.keys.contains { $0 == key || $0 == other } }.map(\.id)
  }

  func onlyIdentifier(_ kind: IdentifierSetKind) -> IdentifierKey? {
    var only: IdentifierKey?
    for sets in registrations {
      for key in sets.identifiers(kind).keys {
        if let only, only != key { return nil }
        only = key
      }
    }
    return only
  }
}
