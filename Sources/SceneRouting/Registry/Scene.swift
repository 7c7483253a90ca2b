/// An open scene as the registry holds it.
struct Scene {
  /// A registration whose identifiers are in the registry's table.
  struct RegisteredSets {
    /// The id of the registration, as decisions tell it that come from no other: made once for all of them.
    let ids: [String]
    var preferring: RegisteredIdentifiers
    var allowing: RegisteredIdentifiers

    init(id: String, preferring: RegisteredIdentifiers, allowing: RegisteredIdentifiers) {
      ids = [id]
      self.preferring = preferring
      self.allowing = allowing
    }

    var id: String { ids[0] }

    func identifiers(_ kind: IdentifierSetKind) -> RegisteredIdentifiers {
      kind == .preferring ? preferring : allowing
    }

    var charge: Charge { preferring.charge + allowing.charge + Registration.charge(ofID: id) }

    func spelling(of key: IdentifierKey, in kind: IdentifierSetKind) -> String? {
      kind == .preferring ? preferring.spelling(of: key) : allowing.spelling(of: key)
    }
  }

  let id: SceneID
  let user: UserID
  let processID: Int32?
  let application: Slot
  let applicationID: String
  let declarationID: String?
  var title: String?
  /// In the order in which they were added.
  var registrations: [RegisteredSets] = []
  var charge: Charge
  var candidate: Candidate
  /// The owner of all its sets.
  let setOwner: SetOwnerID
  let openedUSec: Int64
  var activeUSec: Int64?
}

extension Scene {
  /// How those of the scene's registrations that hold an identifier spell it, and the first one that does so.
  ///
  /// Of several spellings that fold to the same text the one that sorts first, and the text itself last (`nil`).
  func spelling(
    of key: IdentifierKey,
    in kind: IdentifierSetKind,
    by indices: [Int]
  ) -> (spelling: String?, index: Int?) {
    var best: (spelling: String?, index: Int?) = (nil, indices.first)
    for index in indices {
      guard let spelling = registrations[index].spelling(of: key, in: kind) else { continue }
      if let present = best.spelling, !spelling.utf8.span.sortsBefore(present.utf8.span) { continue }
      best = (spelling, index)
    }
    return best
  }
}
