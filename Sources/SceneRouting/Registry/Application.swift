/// An application as the registry holds it: declared, or known by its open scenes.
struct Application {
  let id: String
  /// The declaration in force; `nil` if the application is only known by its scenes.
  var declaration: Declared?
  /// What a file declares, while a connection's declaration stands in its place.
  var fileDeclaration: ApplicationDeclaration?
  /// Its place among all applications known from files.
  var filePlace = 0
  /// Its open scenes.
  var scenes = SortedCandidates()
  /// Its open scenes by the declaration that they are instances of.
  var scenesByDeclaration: [String: SortedCandidates] = [:]

  struct Declared {
    var declaration: ApplicationDeclaration
    /// Who declared it over a connection; `nil` for a file.
    var owner: Owner?
    /// The `matching` sets, in the order of the declarations, and whose they are.
    var matching: [RegisteredIdentifiers] = []
    var setOwners: [SetOwnerID] = []
    /// The order of its first declaration among those of all applications.
    var baseOrder: Int64

    func candidate(_ index: Int, at slot: Slot) -> Candidate {
      Candidate(
        order: baseOrder + Int64(index),
        application: slot,
        index: Int32(index),
        takesUnclaimed: declaration.takesUnclaimed
      )
    }
  }

  /// The process that takes the application's open requests.
  struct Owner {
    var user: UserID
    var processID: Int32?
  }

  var isSingleScene: Bool { declaration?.declaration.isSingleScene ?? false }

  /// Whether it takes part in events that nobody claims.
  var takesUnclaimed: Bool { declaration?.declaration.takesUnclaimed ?? true }
}
