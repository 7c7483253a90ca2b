extension SceneRegistry {
  /// Decides where an event goes, by the rules of the routing contract.
  ///
  /// The scene and the application that the constraints name must exist.
  mutating func decide(_ query: RouteQuery) -> Decision {
    var finding = Finding(generation: generation)
    if let id = query.constraints.sceneID {
      if let slot = sceneSlots[id], let scene = scenes[Int(slot)] { finding.fill(.explicit, scene) }
      return Decision(finding)
    }
    let matched = identifiers.matches(in: query.text)
    switch scope(of: query) {
    case nil: break
    case .only(let slot)?: _ = decide(query, matched, forOne: slot, &finding)
    case let scope?: _ = decide(query, matched, forSeveral: scope, &finding)
    }
    return Decision(finding)
  }

  // Each rule returns whether it has found a target, and fills in the finding only then.

  /// The rules when one application takes part.
  private func decide(
    _ query: RouteQuery,
    _ matched: [IdentifierKey],
    forOne slot: Slot,
    _ finding: inout Finding
  ) -> Bool {
    let scope = Scope.only(slot)
    if let application = applications[Int(slot)], application.isSingleScene, !application.scenes.isEmpty {
      guard case .success(let candidate) = oneScene(of: application.scenes, query),
        let scene = scenes[Int(candidate.index)]
      else { return false }
      finding.fill(.singleScene, scene)
      return true
    }
    return openScene(.preferring, query, matched, scope, &finding)
      || openScene(.allowing, query, matched, scope, &finding)
      || newScene(query, matched, scope, &finding)
  }

  /// The rules when several applications take part.
  private func decide(
    _ query: RouteQuery,
    _ matched: [IdentifierKey],
    forSeveral scope: Scope,
    _ finding: inout Finding
  ) -> Bool {
    if openScene(.preferring, query, matched, scope, &finding, countingWildcard: false) { return true }
    var scope = scope
    if let slot = userDefault(for: query.event, in: scope) {
      if decide(query, matched, forOne: slot, &finding) { return true }
      scope = .others(scope, than: slot)
    }
    return openScene(.preferring, query, matched, scope, &finding)
      || openScene(.allowing, query, matched, scope, &finding, countingSingleScenes: true)
      || newScene(query, matched, scope, &finding)
  }
}

// MARK: - Open scenes

extension SceneRegistry {
  /// Takes the first open scene of a tier, if one matches.
  private func openScene(
    _ kind: IdentifierSetKind,
    _ query: RouteQuery,
    _ matched: [IdentifierKey],
    _ scope: Scope,
    _ finding: inout Finding,
    countingWildcard: Bool = true,
    countingSingleScenes: Bool = false
  ) -> Bool {
    var best: (candidate: Candidate, key: IdentifierKey)?
    if countingSingleScenes, !singleScenes.isEmpty {
      let first = singleScenes.first(in: scope, where: { rejection(ofScene: $0, query) == nil })
      best = first.map { ($0, IdentifierTable.wildcard) }
    }
    let keys = countingWildcard ? matched[...] : matched.dropLast()
    for key in keys {
      guard let first = firstScene(kind, holding: key, query, scope) else { continue }
      if let best {
        guard first.order <= best.candidate.order else { continue }
        guard first.order < best.candidate.order || identifiers.isMoreSpecific(key, than: best.key) else {
          continue
        }
      }
      // Counts as allowing `*`, in place of what it allows, and then is not before the first of its kind.
      if countingSingleScenes, applications[Int(first.application)]?.isSingleScene == true { continue }
      best = (first, key)
    }
    guard let best, let scene = scenes[Int(best.candidate.index)] else { return false }
    finding.fill(kind == .preferring ? .preferring : .allowing, scene)
    if countingSingleScenes, applications[Int(best.candidate.application)]?.isSingleScene == true {
      finding.fill(matched: "*", in: query.event)
      return true
    }
    if scene.registrations.count == 1 {
      // Through a span, as an array would hand out copies of the sets.
      let registrations = scene.registrations.span
      let spelling =
        kind == .preferring
        ? registrations[0].preferring.spelling(of: best.key)
        : registrations[0].allowing.spelling(of: best.key)
      finding.fill(matched: spelling ?? identifiers.spelling(best.key), in: query.event)
      finding.registrationIDs = registrations[0].ids
    } else {
      let winning = registrations(of: scene, kind, holding: [best.key])
      let spelling = scene.spelling(of: best.key, in: kind, by: winning).spelling
      finding.fill(matched: spelling ?? identifiers.spelling(best.key), in: query.event)
      let hasOthers = keys.count > 1 || keys.first != best.key
      let all = hasOthers ? registrations(of: scene, kind, holding: keys) : winning
      finding.registrationIDs = all.map { scene.registrations[$0].id }
    }
    return true
  }

  /// The first scene in a scope that has an identifier in its set and may take the event.
  private func firstScene(
    _ kind: IdentifierSetKind,
    holding key: IdentifierKey,
    _ query: RouteQuery,
    _ scope: Scope
  ) -> Candidate? {
    // Nearly always it is the first of all; a closure would copy the registry.
    let first = identifiers.first(kind, holding: key, in: scope)
    guard let first, rejection(ofScene: first, query) != nil else { return first }
    return identifiers.first(kind, holding: key, in: scope, where: { rejection(ofScene: $0, query) == nil })
  }

  /// Where in the scene's list the registrations stand that have one of the identifiers in their sets.
  private func registrations(
    of scene: Scene,
    _ kind: IdentifierSetKind,
    holding keys: ArraySlice<IdentifierKey>
  ) -> [Int] {
    // Where all registrations hold all identifiers, each set comes up for each of them.
    var sets = IDTable(vacant: false, seed: identifiers.seed)
    for key in keys where sets.count < scene.registrations.count {
      identifiers.forEachSet(kind, of: scene.setOwner, holding: key) { set in
        if sets[set.number] == nil { sets.insert(true, for: set.number) }
      }
    }
    return scene.registrations.indices.filter {
      sets[scene.registrations[$0].identifiers(kind).id.number] != nil
    }
  }
}

// MARK: - New scenes

extension SceneRegistry {
  /// Takes the first declaration that matches, else the first default one.
  private func newScene(
    _ query: RouteQuery,
    _ matched: [IdentifierKey],
    _ scope: Scope,
    _ finding: inout Finding
  ) -> Bool {
    // There may be a thousand matches, and ten thousand applications that have declared them.
    guard query.constraints.allowsNewScene || openSingletonCount > 0 else { return false }
    var best: DeclarationMatch?
    for key in matched {
      let first = firstDeclaration(holding: key, query, scope)
      if let first, best.map({ first.comesBefore($0, identifiers) }) ?? true { best = first }
    }
    let fileType = documentDeclarations.isEmpty ? nil : FileType(query.event)
    for type in fileType?.keys ?? [] {
      let first = documentDeclarations[type].flatMap { firstDeclaration(of: $0, query, scope) }
      if let first, best.map({ first.comesBefore($0, identifiers) }) ?? true { best = first }
    }
    guard let best else {
      guard let first = firstDeclaration(of: defaultDeclarations, query, scope) else { return false }
      fill(&finding, .default, first)
      return true
    }
    if let key = best.key {
      fill(&finding, .matching, best)
      finding.fill(matched: spelling(of: key, by: best.candidate), in: query.event)
    } else {
      fill(&finding, .document, best)
      if let fileType { finding.fill(document: declaration(best.candidate), fileType, query.event) }
    }
    return true
  }

  /// The first declaration in a scope that has an identifier in its set and may take the event.
  private func firstDeclaration(
    holding key: IdentifierKey,
    _ query: RouteQuery,
    _ scope: Scope
  ) -> DeclarationMatch? {
    guard let first = identifiers.first(.matching, holding: key, in: scope) else { return nil }
    var best = DeclarationMatch(first, destination(of: first, query), key)
    if best != nil { return best }
    _ = identifiers.first(.matching, holding: key, in: scope, ofApplications: { isOpen($0, query) }) {
      candidate in
      guard let match = DeclarationMatch(candidate, destination(of: candidate, query), key) else {
        return false
      }
      best = match
      return true
    }
    return best
  }

  /// The first declaration of a set in a scope that may take the event.
  private func firstDeclaration(
    of set: CandidateSet,
    _ query: RouteQuery,
    _ scope: Scope
  ) -> DeclarationMatch? {
    var best: DeclarationMatch?
    _ = set.first(in: scope, ofApplications: { isOpen($0, query) }) { candidate in
      best = DeclarationMatch(candidate, destination(of: candidate, query), nil)
      return best != nil
    }
    return best
  }

  /// How a declaration spells an identifier in its set.
  func spelling(of key: IdentifierKey, by candidate: Candidate) -> String {
    let matching = applications[Int(candidate.application)]?.declaration?.matching
    return matching?[Int(candidate.index)].spelling(of: key) ?? identifiers.spelling(key)
  }

  private func declaration(_ candidate: Candidate) -> SceneDeclaration? {
    applications[Int(candidate.application)]?.declaration?.declaration.scenes[Int(candidate.index)]
  }

  private func fill(_ finding: inout Finding, _ rule: Rule, _ match: DeclarationMatch) {
    finding.rule = rule
    finding.destination = match.destination
    finding.applicationID = applications[Int(match.candidate.application)]?.id
    finding.declarationID = declaration(match.candidate)?.id
  }
}

/// A declaration that matched, and the identifier by which it did; none for a document group or a default.
private struct DeclarationMatch {
  var candidate: Candidate
  var destination: Destination
  var key: IdentifierKey?

  init?(_ candidate: Candidate, _ destination: Result<Destination, Rejection>, _ key: IdentifierKey?) {
    guard case .success(let destination) = destination else { return nil }
    self.candidate = candidate
    self.destination = destination
    self.key = key
  }

  func comesBefore(_ other: DeclarationMatch, _ identifiers: IdentifierTable) -> Bool {
    guard candidate.order == other.candidate.order else { return candidate.order < other.candidate.order }
    guard let key, let present = other.key else { return false }
    return identifiers.isMoreSpecific(key, than: present)
  }
}

extension Finding {
  fileprivate mutating func fill(_ rule: Rule, _ scene: borrowing Scene) {
    self.rule = rule
    destination = .scene(scene.id)
    applicationID = scene.applicationID
    declarationID = scene.declarationID
  }

  fileprivate mutating func fill(matched pattern: String, in event: Event) {
    matchedPattern = pattern
    guard let comparison = event.comparison else { return }
    matchedString = comparison.string
    matchedField = comparison.field
  }

  /// Tells which entry of `supportedTypes` covered the file.
  fileprivate mutating func fill(document declaration: SceneDeclaration?, _ type: FileType, _ event: Event) {
    let keys = type.keys
    matchedPattern = declaration?.supportedTypes.first { keys.contains($0.lowercased()) }
    if matchedPattern?.contains("/") == true {
      matchedString = event.contentType
      matchedField = .contentType
    } else {
      matchedString = event.fileURL?.string
      matchedField = type.field
    }
  }
}
