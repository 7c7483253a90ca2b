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
  /// How many declarations of which there is never more than one scene have it open.
  var openSingletonCount = 0

  struct Declared {
    var declaration: ApplicationDeclaration
    /// Who declared it over a connection; `nil` for a file.
    var owner: Owner?
    /// The first of its declarations among those of all applications.
    var first: Candidate
    /// The owner of all its sets.
    var setOwner: SetOwnerID
    /// The `matching` sets, in the order of the declarations.
    var matching: [RegisteredIdentifiers] = []
    /// The declarations of which there is never more than one scene.
    let singletons: Set<String>

    func candidate(_ index: Int) -> Candidate { first.advanced(by: Int32(index)) }
  }

  /// The process that takes the application's open requests.
  struct Owner {
    var user: UserID
    var processID: Int32?
  }

  var isSingleScene: Bool { declaration?.declaration.isSingleScene ?? false }
}
