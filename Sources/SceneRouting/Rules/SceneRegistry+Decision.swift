extension SceneRegistry {
  /// Decides where an event goes, by the rules of the routing contract.
  ///
  /// The scene and the application that the constraints name must exist.
  func decide(_ query: RouteQuery) -> Decision {
    if let id = query.constraints.sceneID { return sceneDecision(.explicit, to: id) }
    let matched = identifiers.matches(in: query.text)
    let decision: Decision? =
      switch scope(of: query) {
      case nil: nil
      case .only(let slot)?: decide(query, matched, forOne: slot)
      case let scope?: decide(query, matched, forSeveral: scope)
      }
    return decision ?? Decision(generation: generation)
  }

  /// A decision for a scene whatever its sets are.
  private func sceneDecision(_ rule: Rule, to id: SceneID) -> Decision {
    guard let slot = sceneSlots[id], let candidate = scenes[Int(slot)]?.candidate else {
      return Decision(generation: generation)
    }
    return sceneDecision(rule, to: candidate)
  }

  private func sceneDecision(_ rule: Rule, to candidate: Candidate) -> Decision {
    var decision = Decision(generation: generation)
    guard let id = scenes[Int(candidate.index)]?.id else { return decision }
    decision.rule = rule
    decision.destination = .scene(id)
    decision.applicationID = scenes[Int(candidate.index)]?.applicationID
    decision.declarationID = scenes[Int(candidate.index)]?.declarationID
    return decision
  }

  /// The rules when one application takes part.
  private func decide(_ query: RouteQuery, _ matched: [IdentifierKey], forOne slot: Slot) -> Decision? {
    let scope = Scope.only(slot)
    if let application = applications[Int(slot)], application.isSingleScene, !application.scenes.isEmpty {
      guard case .success(.scene(let id)) = oneScene(of: application.scenes, query) else { return nil }
      return sceneDecision(.singleScene, to: id)
    }
    return openScene(.preferring, query, matched, scope)
      ?? openScene(.allowing, query, matched, scope)
      ?? newScene(query, matched, scope)
  }

  /// The rules when several applications take part.
  private func decide(_ query: RouteQuery, _ matched: [IdentifierKey], forSeveral scope: Scope)
    -> Decision?
  {
    if let decision = openScene(.preferring, query, matched, scope, countingWildcard: false) {
      return decision
    }
    var scope = scope
    if let slot = userDefault(for: query.event, in: scope) {
      if let decision = decide(query, matched, forOne: slot) { return decision }
      scope = .others(scope, than: slot)
    }
    return openScene(.preferring, query, matched, scope)
      ?? openScene(.allowing, query, matched, scope, countingSingleScenes: true)
      ?? newScene(query, matched, scope)
  }
}

// MARK: - Open scenes

extension SceneRegistry {
  /// The decision for the first open scene of a tier, if one matches.
  private func openScene(
    _ kind: IdentifierSetKind,
    _ query: RouteQuery,
    _ matched: [IdentifierKey],
    _ scope: Scope,
    countingWildcard: Bool = true,
    countingSingleScenes: Bool = false
  ) -> Decision? {
    var best: (candidate: Candidate, key: IdentifierKey)?
    var next = countingSingleScenes ? singleScenes.first(in: scope) : nil
    while let candidate = next, rejection(ofScene: candidate, query) != nil {
      next = singleScenes.first(in: scope, after: candidate)
    }
    best = next.map { ($0, IdentifierTable.wildcard) }
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
    guard let best else { return nil }
    var decision = sceneDecision(kind == .preferring ? .preferring : .allowing, to: best.candidate)
    if countingSingleScenes, applications[Int(best.candidate.application)]?.isSingleScene == true {
      decision.fill(matched: "*", in: query.event.comparison)
      return decision
    }
    let winning = registrations(of: best.candidate, kind, holding: [best.key])
    let spelling = scenes[Int(best.candidate.index)]?.spelling(of: best.key, in: kind, by: winning).spelling
    decision.fill(matched: spelling ?? identifiers.spelling(best.key), in: query.event.comparison)
    let all = keys.count == 1 ? winning : registrations(of: best.candidate, kind, holding: keys)
    decision.registrationIDs = all.compactMap { scenes[Int(best.candidate.index)]?.registrations[$0].id }
    return decision
  }

  /// The first scene in a scope that has an identifier in its set and may take the event.
  private func firstScene(
    _ kind: IdentifierSetKind,
    holding key: IdentifierKey,
    _ query: RouteQuery,
    _ scope: Scope
  ) -> Candidate? {
    var next = identifiers.first(kind, holding: key, in: scope)
    while let candidate = next, rejection(ofScene: candidate, query) != nil {
      next = identifiers.first(kind, holding: key, in: scope, after: candidate)
    }
    return next
  }

  /// Where in the scene's list the registrations stand that have one of the identifiers in their sets.
  private func registrations(
    of candidate: Candidate,
    _ kind: IdentifierSetKind,
    holding keys: ArraySlice<IdentifierKey>
  ) -> [Int] {
    if scenes[Int(candidate.index)]?.registrations.count == 1 { return [0] }
    var sets: Set<IdentifierSetID> = []
    for key in keys { identifiers.forEachSet(kind, of: candidate, holding: key) { sets.insert($0) } }
    return scenes[Int(candidate.index)]?.indices(of: sets, kind) ?? []
  }
}

// MARK: - New scenes

extension SceneRegistry {
  /// The decision for the first declaration that matches, else for the first default one.
  private func newScene(_ query: RouteQuery, _ matched: [IdentifierKey], _ scope: Scope) -> Decision? {
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
      return firstDeclaration(of: defaultDeclarations, query, scope).flatMap {
        declarationDecision(.default, $0.candidate, $0.destination)
      }
    }
    guard let key = best.key else {
      var decision = declarationDecision(.document, best.candidate, best.destination)
      if let fileType { decision?.fill(document: declaration(best.candidate), fileType, query.event) }
      return decision
    }
    var decision = declarationDecision(.matching, best.candidate, best.destination)
    decision?.fill(matched: spelling(of: key, by: best.candidate), in: query.event.comparison)
    return decision
  }

  /// The first declaration in a scope that has an identifier in its set and may take the event.
  private func firstDeclaration(
    holding key: IdentifierKey,
    _ query: RouteQuery,
    _ scope: Scope
  ) -> DeclarationMatch? {
    var next = identifiers.first(.matching, holding: key, in: scope)
    while let candidate = next {
      if let match = DeclarationMatch(candidate, destination(of: candidate, query), key) { return match }
      next = identifiers.first(.matching, holding: key, in: scope, after: candidate)
    }
    return nil
  }

  /// The first declaration of a set in a scope that may take the event.
  private func firstDeclaration(
    of set: CandidateSet,
    _ query: RouteQuery,
    _ scope: Scope
  ) -> DeclarationMatch? {
    var next = set.first(in: scope)
    while let candidate = next {
      if let match = DeclarationMatch(candidate, destination(of: candidate, query), nil) { return match }
      next = set.first(in: scope, after: candidate)
    }
    return nil
  }

  /// How a declaration spells an identifier in its set.
  func spelling(of key: IdentifierKey, by candidate: Candidate) -> String {
    let matching = applications[Int(candidate.application)]?.declaration?.matching
    return matching?[Int(candidate.index)].spelling(of: key) ?? identifiers.spelling(key)
  }

  private func declaration(_ candidate: Candidate) -> SceneDeclaration? {
    applications[Int(candidate.application)]?.declaration?.declaration.scenes[Int(candidate.index)]
  }

  private func declarationDecision(
    _ rule: Rule,
    _ candidate: Candidate,
    _ destination: Destination
  ) -> Decision? {
    var decision = Decision(generation: generation)
    decision.rule = rule
    decision.destination = destination
    decision.applicationID = applications[Int(candidate.application)]?.id
    decision.declarationID = declaration(candidate)?.id
    return decision
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

extension Decision {
  fileprivate mutating func fill(
    matched pattern: String,
    in comparison: (string: String, field: Event.Field)?
  ) {
    matchedPattern = pattern
    matchedString = comparison?.string
    matchedField = comparison?.field
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
