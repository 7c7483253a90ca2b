final class Scene {
  final class RegisteredSets {
    /// An array with only the registration's id, made once for all decisions that report it alone.
    let ids: [String]
    let charge: Charge
    let preferring: RegisteredTexts<IdentifierKey>
    let allowing: RegisteredTexts<IdentifierKey>
    let showing: RegisteredTexts<ShownTable.Key>

    init(
      _ registration: Registration,
      of holder: HolderID,
      _ table: inout HolderTable,
      showing: RegisteredTexts<ShownTable.Key>
    ) {
      ids = [registration.id]
      charge = registration.charge
      preferring = RegisteredTexts(registration.preferring, in: .preferring, of: holder, &table)
      allowing = RegisteredTexts(registration.allowing, in: .allowing, of: holder, &table)
      self.showing = showing
    }

    var id: String { ids[0] }

    func identifiers(_ kind: IdentifierSetKind) -> RegisteredTexts<IdentifierKey> {
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
  func spellings(of key: IdentifierKey, in kind: IdentifierSetKind) -> [String] {
    registrations.flatMap { $0.identifiers(kind).spellings(of: key) }
  }

  func registrationID(
    of key: IdentifierKey,
    spelled spelling: String,
    in kind: IdentifierSetKind
  ) -> String? {
    registrations.first {
      $0.identifiers(kind).spellings(of: key).contains { $0.utf8.elementsEqual(spelling.utf8) }
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
