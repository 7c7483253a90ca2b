/// What the rules have chosen.
struct Choice {
  /// Why it matches.
  enum Reason {
    /// It is named, or takes whatever comes.
    case none
    /// It has the identifier in its sets: the most specific of those that were looked for.
    case identifier(IdentifierKey, wildcardCounts: Bool = true)
    /// It is the one scene of its application, which counts as if it allowed `*`.
    case singleScene
    /// It opens such files.
    case fileType(FileType)
  }

  let rule: Rule
  /// A scene, or a declaration.
  let candidate: Candidate
  /// Where a declaration sends the event; `nil` for a scene, which is where it goes.
  let destination: Destination?
  let reason: Reason

  init(_ rule: Rule, scene: Candidate, _ reason: Reason = .none) {
    (self.rule, candidate, destination, self.reason) = (rule, scene, nil, reason)
  }

  init(_ rule: Rule, declaration: Candidate, _ destination: Destination, _ reason: Reason = .none) {
    (self.rule, candidate, self.destination, self.reason) = (rule, declaration, destination, reason)
  }
}

extension Rule {
  /// The rule by which open scenes are chosen for one kind of set.
  init(_ kind: IdentifierSetKind) { self = kind == .preferring ? .preferring : .allowing }
}

extension SceneRegistry {
  /// The scene that an event names, whatever its sets.
  func choose(_ id: SceneID) -> Choice? {
    scenesByID[id].map { Choice(.explicit, scene: $0.candidate) }
  }

  /// The first scene or declaration that the rules find for an event, if they find one.
  func choose(_ query: RouteQuery) -> Choice? {
    var choice: Choice?
    _ = askTiers(query) { tier in
      choice = self.choice(in: tier, query)
      return choice != nil
    }
    return choice
  }

  @inline(__always)
  private func choice(in tier: Tier, _ query: RouteQuery) -> Choice? {
    switch tier {
    case .oneScene(let open):
      guard case .success(let scene) = oneScene(of: open, query) else { return nil }
      return Choice(.singleScene, scene: scene)
    case .openScenes(let kind, let scope, let wildcardCounts, let singleScenesAllowAll):
      let choice = openScene(kind, query, scope, wildcardCounts)
      return singleScenesAllowAll ? earlier(choice, query, orSingleSceneIn: scope) : choice
    case .declarations(let scope):
      return newScene(query, scope)
    }
  }
}

// MARK: - Open scenes

extension SceneRegistry {
  /// The first open scene that has one of the identifiers in its sets of one kind.
  ///
  /// Of several identifiers by which it is found the most specific one counts.
  private func openScene(
    _ kind: IdentifierSetKind,
    _ query: RouteQuery,
    _ scope: Scope,
    _ wildcardCounts: Bool
  ) -> Choice? {
    var best: (scene: Candidate, key: IdentifierKey)?
    for key in keys where wildcardCounts || key != .wildcard {
      guard let scene = firstScene(kind, holding: key, query, scope) else { continue }
      if let best, scene.order > best.scene.order { continue }
      if let best, scene.order == best.scene.order, !holders.texts.isMoreSpecific(key, than: best.key) {
        continue
      }
      best = (scene, key)
    }
    return best.map { Choice(Rule(kind), scene: $0.scene, .identifier($0.key, wildcardCounts: wildcardCounts)) }
  }

  /// The earlier of a choice and the first scene of a single-scene application.
  private func earlier(_ choice: Choice?, _ query: RouteQuery, orSingleSceneIn scope: Scope) -> Choice? {
    for scene in singleScenes {
      if let choice, choice.candidate.order < scene.order { break }
      guard scope.contains(scene.application), rejection(ofScene: scene, query) == nil else { continue }
      return Choice(.allowing, scene: scene, .singleScene)
    }
    return choice
  }

  /// The first scene in a scope that has an identifier in its sets of one kind and may take the event.
  private func firstScene(
    _ kind: IdentifierSetKind,
    holding key: IdentifierKey,
    _ query: RouteQuery,
    _ scope: Scope
  ) -> Candidate? {
    // Nearly always it is the first of all; a closure would copy the registry.
    let first = holders.first(kind, holding: key, in: scope)
    guard let first, rejection(ofScene: first, query) != nil else { return first }
    return holders.first(kind, holding: key, in: scope) { rejection(ofScene: $0, query) == nil }
  }
}

// MARK: - New scenes

extension SceneRegistry {
  /// The first declaration that matches, else the first default one.
  private func newScene(_ query: RouteQuery, _ scope: Scope) -> Choice? {
    var best: Choice?
    for key in keys {
      guard let choice = firstDeclaration(holding: key, query, scope), comes(choice, before: best) else {
        continue
      }
      best = choice
    }
    if !documentDeclarations.isEmpty, let fileType = FileType(query.event) {
      for type in fileType.keys {
        guard let declarations = documentDeclarations[type],
          let choice = first(of: declarations, .document, .fileType(fileType), query, scope),
          comes(choice, before: best)
        else { continue }
        best = choice
      }
    }
    return best ?? first(of: defaultDeclarations, .default, .none, query, scope)
  }

  /// Whether a choice is of an earlier declaration than another, or found by a more specific identifier.
  private func comes(_ choice: Choice, before other: Choice?) -> Bool {
    guard let other, choice.candidate.order >= other.candidate.order else { return true }
    guard choice.candidate.order == other.candidate.order, case .identifier(let key, _) = choice.reason,
      case .identifier(let present, _) = other.reason
    else { return false }
    return holders.texts.isMoreSpecific(key, than: present)
  }

  /// The first declaration in a scope that has an identifier in its set and may take the event.
  private func firstDeclaration(
    holding key: IdentifierKey,
    _ query: RouteQuery,
    _ scope: Scope
  ) -> Choice? {
    guard var first = holders.first(.matching, holding: key, in: scope) else { return nil }
    var destination = destination(of: first, query)
    if case .failure = destination {
      let next = holders.first(.matching, holding: key, in: scope) {
        if case .success = self.destination(of: $0, query) { true } else { false }
      }
      guard let next else { return nil }
      first = next
      destination = self.destination(of: next, query)
    }
    guard case .success(let destination) = destination else { return nil }
    return Choice(.matching, declaration: first, destination, .identifier(key))
  }

  /// The first of some declarations that is in a scope and may take the event.
  private func first(
    of declarations: SortedCandidates,
    _ rule: Rule,
    _ reason: Choice.Reason,
    _ query: RouteQuery,
    _ scope: Scope
  ) -> Choice? {
    for candidate in declarations where scope.contains(candidate.application) {
      guard case .success(let destination) = destination(of: candidate, query) else { continue }
      return Choice(rule, declaration: candidate, destination, reason)
    }
    return nil
  }
}
