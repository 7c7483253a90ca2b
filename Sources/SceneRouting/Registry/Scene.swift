/// An open scene as the registry holds it.
struct Scene {
  /// A registration whose identifiers are in the registry's table.
  struct RegisteredSets {
    var id: String
    var preferring: [IdentifierKey]
    var allowing: [IdentifierKey]

    func keys(_ kind: IdentifierSetKind) -> [IdentifierKey] {
      switch kind {
      case .preferring: preferring
      case .allowing: allowing
      case .matching: []
      }
    }
  }

  let id: SceneID
  let user: UserID
  let application: Slot
  let applicationID: String
  let declarationID: String?
  var title: String?
  /// In the order in which they were added.
  var registrations: [RegisteredSets] = []
  /// How many registrations hold an identifier, for each kind of set.
  var uses: [[IdentifierKey: Int]] = [[:], [:]]
  var charge: Charge
  var candidate: Candidate
  let openedUSec: Int64
  var activeUSec: Int64?
}

/// What the registry tells of an open scene.
package struct SceneDescription: Hashable, Sendable {
  /// Public name of the scene.
  package var id: SceneID
  /// What its owner says of it, as it would open it again.
  package var context: SceneContext
  /// `CLOCK_REALTIME`, in microseconds.
  package var openedUSec: Int64
  /// When it last reported to be active; `CLOCK_REALTIME`, in microseconds.
  package var activeUSec: Int64?
}

/// What the registry tells of an application.
package struct ApplicationDescription: Hashable, Sendable {
  /// The declaration in force.
  package var declaration: ApplicationDeclaration
  /// Whether a connection takes open requests.
  package var isRunning: Bool
}
