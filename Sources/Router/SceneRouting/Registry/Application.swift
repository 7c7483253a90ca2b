/// An application as the registry holds it: declared, or known by its open scenes.
final class Application {
  let id: String
  let slot: Slot
  /// The declaration in force; `nil` if the application is known only by its scenes.
  var declaration: Declared?
  /// The file's declaration, while a connection's declaration is in force instead.
  var fileDeclaration: ApplicationDeclaration?
  /// The application's place among all applications known from files.
  ///
  /// The place has no meaning if no file declares the application.
  var filePlace = 0
  /// The application's open scenes.
  var scenes = SortedCandidates()
  /// The application's open scenes, by the id of their declaration.
  var scenesByDeclaration: [String: SortedCandidates] = [:]

  /// A declaration in force.
  struct Declared {
    let declaration: ApplicationDeclaration
    /// The client that declared the application over a connection; `nil` if a file declares the application.
    let owner: Owner?
    /// The application's first kind of window, with its place among the kinds of window of all applications.
    let first: Candidate
    /// For each claimed host, the text in which the application wrote the claim.
    let hosts: HostTable<String>
    /// The `matching` sets, in the order of the declarations.
    var matching: [Matching] = []

    init(_ declaration: ApplicationDeclaration, owner: Owner?, at first: Candidate) {
      (self.declaration, self.owner, self.first) = (declaration, owner, first)
      var hosts = HostTable<String>()
      for text in declaration.claims.hosts {
        if let claim = HostClaim(text), hosts[claim] == nil { hosts[claim] = text }
      }
      self.hosts = hosts
    }

    func candidate(_ index: Int) -> Candidate { first.advanced(by: index) }
  }

  /// The `matching` set of one declaration, with the declaration's id in the table of holders.
  struct Matching {
    let holder: HolderID
    let identifiers: RegisteredIdentifiers
  }

  /// The process that declared the application over a connection.
  struct Owner {
    let user: UserID
    let processID: Int32?
  }

  init(_ id: String, at slot: Slot) { (self.id, self.slot) = (id, slot) }

  /// Whether a file declares the application and no connection does.
  var isDeclaredByFileAlone: Bool {
    if case .some(let declared) = declaration { declared.owner == nil } else { false }
  }

  /// Whether a file declares the application, even if the file's declaration is not in force.
  var isDeclaredByFile: Bool { isDeclaredByFileAlone || fileDeclaration != nil }

  /// The desktop id of the entry that declares the application, even if the entry's declaration is not in force.
  var desktopID: String? {
    let file = fileDeclaration ?? declaration?.declaration
    return if case .file(_, let desktopID, _) = file?.source { desktopID } else { nil }
  }

  /// Whether a file declares exactly `other`, even if the file's declaration is not in force.
  func isDeclaredByFile(as other: ApplicationDeclaration) -> Bool {
    if isDeclaredByFileAlone { declaration?.declaration == other } else { fileDeclaration == other }
  }

  var isSingleScene: Bool { declaration?.declaration.isSingleScene ?? false }
}
