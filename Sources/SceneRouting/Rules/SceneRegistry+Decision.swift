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
    var decision = Decision(generation: generation)
    guard let slot = sceneSlots[id], let scene = scenes[Int(slot)] else { return decision }
    decision.rule = rule
    decision.fill(with: scene)
    return decision
  }

  /// The rules when one application takes part.
  private func decide(_ query: RouteQuery, _ matched: MatchedIdentifiers, forOne slot: Slot) -> Decision? {
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
  private func decide(_ query: RouteQuery, _ matched: MatchedIdentifiers, forSeveral scope: Scope)
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

/// A scene that matched, and the identifier by which it did.
private struct SceneMatch {
  var candidate: Candidate
  var key: IdentifierKey
}

extension SceneRegistry {
  /// The decision for the first open scene of a tier, if one matches.
  private func openScene(
    _ kind: IdentifierSetKind,
    _ query: RouteQuery,
    _ matched: MatchedIdentifiers,
    _ scope: Scope,
    countingWildcard: Bool = true,
    countingSingleScenes: Bool = false
  ) -> Decision? {
    // A single-scene application's scene counts as allowing `*`, in place of what it allows.
    let counts: (Candidate) -> Bool = {
      !countingSingleScenes || applications[Int($0.application)]?.isSingleScene != true
    }
    var best: SceneMatch?
    func consider(_ set: CandidateSet, _ key: IdentifierKey, _ counts: (Candidate) -> Bool) {
      let first = set.first {
        contains($0.application, in: scope) && counts($0) && rejection(ofScene: $0, query) == nil
      }
      guard let first else { return }
      if let present = best {
        guard first.order <= present.candidate.order else { return }
        if first == present.candidate, !identifiers.isMoreSpecific(key, than: present.key) { return }
      }
      best = SceneMatch(candidate: first, key: key)
    }
    let wildcard = IdentifierTable.wildcard
    for key in matched.keys { consider(identifiers.candidates(kind, holding: key), key, counts) }
    if countingWildcard { consider(identifiers.candidates(kind, holding: wildcard), wildcard, counts) }
    if countingSingleScenes { consider(singleScenes, wildcard) { _ in true } }
    guard let best, let scene = scenes[Int(best.candidate.index)] else { return nil }
    var decision = sceneDecision(kind == .preferring ? .preferring : .allowing, to: scene.id)
    decision.fill(matched: identifiers.text(best.key), in: query.event.comparison)
    if counts(best.candidate) {
      decision.registrationIDs = scene.registrations.compactMap { registration in
        let matches = registration.keys(kind).contains {
          matched.contains($0, countingWildcard: countingWildcard)
        }
        return matches ? registration.id : nil
      }
    }
    return decision
  }
}

// MARK: - New scenes

extension SceneRegistry {
  /// The decision for the first declaration that matches, else for the first default one.
  private func newScene(_ query: RouteQuery, _ matched: MatchedIdentifiers, _ scope: Scope) -> Decision? {
    var best: (candidate: Candidate, destination: Destination, key: IdentifierKey?)?
    func consider(_ set: CandidateSet, _ key: IdentifierKey?) {
      var target: Destination?
      let first = set.first { candidate in
        guard contains(candidate.application, in: scope),
          case .success(let destination) = destination(of: candidate, query)
        else { return false }
        target = destination
        return true
      }
      guard let first, let target else { return }
      if let present = best {
        guard first.order <= present.candidate.order else { return }
        if first == present.candidate {
          guard let key, let other = present.key, identifiers.isMoreSpecific(key, than: other) else { return }
        }
      }
      best = (first, target, key)
    }
    for key in matched.keys { consider(identifiers.candidates(.matching, holding: key), key) }
    consider(identifiers.candidates(.matching, holding: IdentifierTable.wildcard), IdentifierTable.wildcard)
    let fileType = documentDeclarations.isEmpty ? nil : FileType(query.event)
    for type in fileType?.keys ?? [] {
      if let set = documentDeclarations[type] { consider(set, nil) }
    }
    guard let best else {
      consider(defaultDeclarations, nil)
      return best.flatMap { declarationDecision(.default, $0.candidate, $0.destination) }
    }
    guard let key = best.key else {
      var decision = declarationDecision(.document, best.candidate, best.destination)
      if let fileType { decision?.fill(document: declaration(best.candidate), fileType, query.event) }
      return decision
    }
    var decision = declarationDecision(.matching, best.candidate, best.destination)
    decision?.fill(matched: identifiers.text(key), in: query.event.comparison)
    return decision
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

extension Decision {
  fileprivate mutating func fill(with scene: Scene) {
    destination = .scene(scene.id)
    applicationID = scene.applicationID
    declarationID = scene.declarationID
  }

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
