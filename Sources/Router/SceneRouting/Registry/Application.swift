/// An application as the registry holds it: declared, or known by its open scenes.
final class Application {
  let id: String
  let slot: Slot
  /// The declaration in force; `nil` if the application is only known by its scenes.
  var declaration: Declared?
  /// What a file declares, while a connection's declaration stands in its place.
  var fileDeclaration: ApplicationDeclaration?
  /// Its place among all applications known from files; meaningless if no file declares it.
  var filePlace = 0
  /// Its open scenes.
  var scenes = SortedCandidates()
  /// Its open scenes by the declaration that they are instances of.
  var scenesByDeclaration: [String: SortedCandidates] = [:]

  /// A declaration in force.
  struct Declared {
    let declaration: ApplicationDeclaration
    /// Who declared it over a connection; `nil` for a file.
    let owner: Owner?
    /// The first of its declarations among those of all applications.
    let first: Candidate
    /// The `matching` sets, in the order of the declarations.
    var matching: [Matching] = []

    func candidate(_ index: Int) -> Candidate { first.advanced(by: index) }
  }

  /// The `matching` set of one declaration, and the declaration's id in the table of holders.
  struct Matching {
    let holder: HolderID
    let identifiers: RegisteredIdentifiers
  }

  /// The process that takes the application's open requests.
  struct Owner {
    let user: UserID
    let processID: Int32?
  }

  init(_ id: String, at slot: Slot) { (self.id, self.slot) = (id, slot) }

  /// Whether what a file declares is in force.
  var isDeclaredByFileAlone: Bool {
    if case .some(let declared) = declaration { declared.owner == nil } else { false }
  }

  /// Whether a file declares it, in force or not.
  var isDeclaredByFile: Bool { isDeclaredByFileAlone || fileDeclaration != nil }

  /// Whether a file declares exactly this, in force or not.
  func isDeclaredByFile(as other: ApplicationDeclaration) -> Bool {
    if isDeclaredByFileAlone { declaration?.declaration == other } else { fileDeclaration == other }
  }

  var isSingleScene: Bool { declaration?.declaration.isSingleScene ?? false }
}
