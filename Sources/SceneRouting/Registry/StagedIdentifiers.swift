/// Sets of identifiers that are noted a few at a time, for a change that is too large for one step.
///
/// Nothing is found by them until the change takes them, all at once and for a few steps each.
package struct StagedIdentifiers: Sendable {
  private var kinds: [(kind: IdentifierSetKind, index: Int32)] = []
  private var texts: [[String]] = []
  private var sets: [RegisteredIdentifiers] = []
  /// Whose the sets are that have not been taken; `nil` if it has been taken itself.
  private var owner: SetOwnerID?
  /// How many sets have been taken.
  private var taken = 0
  /// How many identifiers of the last set have been noted.
  private var noted = 0

  /// Nothing staged: the change notes all in one step.
  package init() {}

  /// The sets of a registration that is to be added.
  package init(_ registration: Registration) { append(registration) }

  /// The sets of a scene that is to be opened.
  package init(_ context: SceneContext) {
    for registration in context.registrations { append(registration) }
  }

  /// The sets of an application that is to be declared.
  package init(_ declaration: ApplicationDeclaration) {
    for (index, scene) in declaration.scenes.enumerated() {
      append(scene.identifiers, .matching, at: Int32(index))
    }
  }

  private mutating func append(_ registration: Registration) {
    append(registration.preferring, .preferring)
    append(registration.allowing, .allowing)
  }

  private mutating func append(_ identifiers: [String], _ kind: IdentifierSetKind, at index: Int32 = 0) {
    kinds.append((kind, index))
    texts.append(identifiers)
  }

  /// Whether nothing is staged.
  var isEmpty: Bool { sets.isEmpty }

  /// How many bytes the identifiers have.
  package var byteCount: Int { texts.joined().reduce(0) { $0 + $1.utf8.count } }

  /// How much it is to note them all: one for each identifier, and one for every 256 bytes.
  package var effort: Int { texts.joined().reduce(0) { $0 + 1 + $1.utf8.count / 256 } }
}

extension StagedIdentifiers {
  /// Notes identifiers until `effort` is used up; returns whether all are noted.
  mutating func note(effort: Int, in table: inout IdentifierTable) -> Bool {
    var effort = effort
    while effort > 0 {
      let set = sets.count - 1
      guard set >= 0, noted < texts[set].count else {
        if set >= 0 { sets[set].finish() }
        guard sets.count < kinds.count else { return true }
        let owner = self.owner ?? table.makeOwner(at: .nobody)
        self.owner = owner
        let (kind, index) = kinds[sets.count]
        sets.append(RegisteredIdentifiers(in: kind, at: index, of: owner, &table))
        noted = 0
        continue
      }
      let identifier = texts[set][noted]
      sets[set].add(identifier, to: &table)
      noted += 1
      effort -= 1 + identifier.utf8.count / 256
    }
    return false
  }

  /// Takes the owner for a scene or an application, whose sets are to be taken then; `nil` if it has been taken, or
  /// nothing is staged.
  ///
  /// However many sets it has, they need not be given to another then.
  mutating func takeOwner(at place: Candidate, _ table: inout IdentifierTable) -> SetOwnerID? {
    guard let owner = owner.take() else { return nil }
    table.move(owner, to: place)
    return owner
  }

  /// Takes the next set, which is its owner's from now on; `nil` if nothing is staged.
  mutating func take(for owner: SetOwnerID, _ table: inout IdentifierTable) -> RegisteredIdentifiers? {
    guard taken < sets.count else { return nil }
    defer { taken += 1 }
    table.assign(sets[taken].id, to: owner)
    return sets[taken]
  }

  /// Ends the sets that have not been taken, with their owner.
  mutating func discard(in table: inout IdentifierTable) {
    guard let owner = owner.take() else { return }
    table.retire(owner, with: sets[taken...])
    taken = sets.count
  }
}

extension Candidate {
  /// Of no application, and so in no scope.
  static let nobody = Candidate(order: .max, application: -1, index: -1)
}
