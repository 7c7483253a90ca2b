/// Declared, or known by its open scenes.
final class Application {
  let id: String
  let slot: Slot
  /// The declaration in force; `nil` if the application is known only by its scenes.
  var declaration: Declared?
  var fileDeclaration: ApplicationDeclaration?
  /// The place among all applications from files; it has no meaning for another application.
  var filePlace = 0
  var scenes = SortedCandidates()
  var scenesByDeclaration: [String: SortedCandidates] = [:]

  struct Declared {
    let declaration: ApplicationDeclaration
    /// The client on a connection; `nil` if a file declares the application.
    let owner: Owner?
    /// The first kind of window, placed among those of all applications.
    let first: Candidate
    /// For each claimed host, the text in which the application wrote the claim.
    let hosts: HostTable<String>
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

  struct Matching {
    let holder: HolderID
    let identifiers: RegisteredTexts<IdentifierKey>
  }

  struct Owner {
    let user: UserID
    let processID: Int32?
  }

  init(_ id: String, at slot: Slot) { (self.id, self.slot) = (id, slot) }

  var isDeclaredByFileAlone: Bool {
    if case .some(let declared) = declaration { declared.owner == nil } else { false }
  }

  /// True even while the file's declaration is not in force.
  var isDeclaredByFile: Bool { isDeclaredByFileAlone || fileDeclaration != nil }

  /// Even while the entry's declaration is not in force.
  var desktopID: String? {
    let file = fileDeclaration ?? declaration?.declaration
    return if case .file(_, let desktopID, _) = file?.source { desktopID } else { nil }
  }

  func isDeclaredByFile(as other: ApplicationDeclaration) -> Bool {
    if isDeclaredByFileAlone { declaration?.declaration == other } else { fileDeclaration == other }
  }

  var isSingleScene: Bool { declaration?.declaration.isSingleScene ?? false }
}
