extension SceneRegistry {
  /// The declaration of a connection replaces a file's declaration.
  mutating func declare(
    _ declaration: ApplicationDeclaration,
    user: UserID,
    processID: Int32?,
    limits: Limits
  ) -> CallError? {
    if let error = declaration.error(under: limits) { return error }
    if let owner = applicationsByID[declaration.applicationID]?.declaration?.owner {
      return .applicationAlreadyDeclared(processID: owner.processID)
    }
    if let error = recharge(from: Charge(), to: declaration.charge, of: user, limits) { return error }
    let application = application(for: declaration.applicationID)
    application.fileDeclaration = withdrawDeclaration(of: application)?.declaration
    install(declaration, of: application, owner: Application.Owner(user: user, processID: processID))
    connectedApplicationCount += 1
    generation += 1
    return nil
  }

  /// If a file declares the application too, its declaration comes into force.
  mutating func withdrawDeclaration(of applicationID: String) {
    guard let application = applicationsByID[applicationID], let owner = application.declaration?.owner,
      let declared = withdrawDeclaration(of: application)
    else { return }
    release(declared.declaration.charge, of: owner.user)
    connectedApplicationCount -= 1
    if let file = application.fileDeclaration {
      application.fileDeclaration = nil
      install(file, of: application, owner: nil)
    }
    removeIfUnused(application)
    generation += 1
  }

  /// From the user's lists (`mimeapps.list`).
  package mutating func setPreferences(_ preferences: [ClaimKey: ClaimPreferences]) {
    guard preferences != self.preferences else { return }
    self.preferences = preferences
    generation += 1
  }

  package mutating func setFileTypes(_ database: (any FileTypeDatabase)?) {
    if database.map({ $0.isEqual(to: fileTypes) }) ?? (fileTypes == nil) { return }
    fileTypes = database
    generation += 1
  }

  /// From `intentapps.list`; the closest entry whose application is known counts, as if it claimed the host.
  package mutating func setHostChoices(_ choices: [HostClaim: UserChoice]) {
    var table = HostTable<UserChoice>()
    for (claim, choice) in choices { table[claim] = choice }
    guard table != hostChoices else { return }
    hostChoices = table
    generation += 1
  }

  /// The outer key is the id of the sender's application, the inner key a scheme or a MIME type.
  package mutating func setSenderChoices(_ choices: [String: [ClaimKey: UserChoice]]) {
    guard choices != senderChoices else { return }
    senderChoices = choices
    generation += 1
  }
}

extension SceneRegistry {
  mutating func install(
    _ declaration: ApplicationDeclaration,
    of application: Application,
    owner: Application.Owner?
  ) {
    let order = nextBaseOrder(of: declaration.source, of: application)
    let first = Candidate(order: order, application: application.slot, index: 0)
    var declared = Application.Declared(declaration, owner: owner, at: first)
    for (index, scene) in declaration.scenes.enumerated() {
      let holder = holders.makeHolder(at: declared.candidate(index))
      let identifiers = RegisteredTexts(scene.identifiers, in: .matching, of: holder, &holders)
      declared.matching.append(Application.Matching(holder: holder, identifiers: identifiers))
    }
    application.declaration = declared
    declaredApplications.insert(first)
    forEachPlace(of: declared) { $0.insert($1) }
    claims.insert(declared)
    if declaration.isSingleScene { for scene in application.scenes { singleScenes.insert(scene) } }
  }

  @discardableResult
  mutating func withdrawDeclaration(of application: Application) -> Application.Declared? {
    guard let declared = application.declaration else { return nil }
    application.declaration = nil
    declaredApplications.remove(declared.first)
    forEachPlace(of: declared) { $0.remove($1) }
    for matching in declared.matching {
      for key in matching.identifiers.keys { holders.remove(key, of: matching.holder, in: .matching) }
      holders.remove(matching.holder)
    }
    claims.remove(declared)
    if declared.declaration.isSingleScene { for scene in application.scenes { singleScenes.remove(scene) } }
    return declared
  }

  private mutating func forEachPlace(
    of declared: Application.Declared,
    _ change: (inout SortedCandidates, Candidate) -> Void
  ) {
    for (index, scene) in declared.declaration.scenes.enumerated() {
      let candidate = declared.candidate(index)
      if scene.isDefault { change(&defaultDeclarations, candidate) }
      guard scene.kind == .documentGroup else { continue }
      for type in Set(scene.supportedTypes.map { $0.lowercased() }) {
        change(&documentDeclarations[type, default: SortedCandidates()], candidate)
        if documentDeclarations[type]?.isEmpty == true { documentDeclarations[type] = nil }
      }
    }
  }
}

extension SceneRegistry {
  /// Charged to nobody, because files belong to the configuration; declarations of connections stay in force.
  ///
  /// `declarations` has at most one for each application, in the order of ``FileDeclarations``.
  @discardableResult
  package mutating func setFileDeclarations(
    _ declarations: [ApplicationDeclaration]
  ) -> (removed: [String], changed: [String]) {
    let known = declarations.map { applicationsByID[$0.applicationID] }
    let removed = removeFileDeclarations(ofAllBut: known)
    var places = FilePlaces()
    for (application, declaration) in zip(known, declarations) {
      // The order of two declarations depends only on their content, so unchanged ones can keep their places.
      places.append(application?.isDeclaredByFile(as: declaration) == true ? application?.filePlace : nil)
    }
    let new = places.assigned()
    for (application, place) in zip(known, new) where place != nil {
      if let application, application.isDeclaredByFileAlone { withdrawDeclaration(of: application) }
    }
    // The loop above has withdrawn every declaration in force that gets a new place, so its old place is free.
    var changed: [String] = []
    for index in new.indices {
      guard let place = new[index] else { continue }
      let application = known[index] ?? application(for: declarations[index].applicationID)
      application.filePlace = place
      if application.declaration == nil {
        install(declarations[index], of: application, owner: nil)
        changed.append(application.id)
      } else {
        application.fileDeclaration = declarations[index]
      }
    }
    if !removed.isEmpty || !changed.isEmpty { generation += 1 }
    return (removed, changed)
  }

  private mutating func removeFileDeclarations(ofAllBut kept: [Application?]) -> [String] {
    var isKept = [Bool](repeating: false, count: applications.count)
    for application in kept { if let application { isKept[Int(application.slot)] = true } }
    var removed: [String] = []
    for application in applications.compactMap(\.self) where application.isDeclaredByFile {
      guard !isKept[Int(application.slot)] else { continue }
      application.fileDeclaration = nil
      guard application.isDeclaredByFileAlone else { continue }
      withdrawDeclaration(of: application)
      removeIfUnused(application)
      removed.append(application.id)
    }
    return removed
  }
}

/// A place is a number by which the declarations from files are sorted.
struct FilePlaces {
  /// At least ten declarations fit one after the other between two neighbors; without room, all get new places.
  private static let distance = 1 << 10

  /// Ascending; `nil` for a declaration that needs a new place.
  private var present: [Int?] = []

  mutating func append(_ place: Int?) { present.append(place) }

  /// `nil` for a declaration that keeps its place; kept and new places together ascend.
  func assigned() -> [Int?] {
    var assigned = [Int?](repeating: nil, count: present.count)
    var last = 0
    var index = 0
    while index < present.count {
      let end = present[index...].firstIndex { $0 != nil } ?? present.count
      let count = end - index
      let next = (end < present.count ? present[end] : nil) ?? .max
      let distance = min(Self.distance, (next - last) / (count + 1))
      guard count == 0 || distance > 0 else { return present.indices.map { ($0 + 1) * Self.distance } }
      for offset in 0..<count { assigned[index + offset] = last + (offset + 1) * distance }
      last = next
      index = end + 1
    }
    return assigned
  }
}
