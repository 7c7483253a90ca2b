extension SceneRegistry {
  /// Decides where an event goes, by the rules of the routing contract.
  ///
  /// The scene and the application that the constraints name must exist.
  mutating func decide(_ query: RouteQuery) -> Decision {
    let keys = query.constraints.sceneID == nil ? holders.keys(in: query.text) : []
    guard let choice = choice(query, keys) else { return Decision(generation: generation) }
    return decision(for: choice, query.event)
  }

  private func choice(_ query: RouteQuery, _ keys: [IdentifierKey]) -> Choice? {
    if let id = query.constraints.sceneID {
      guard let slot = sceneSlots[id], let scene = scenes.span[Int(slot)]?.candidate else { return nil }
      return Choice(.explicit, scene: scene)
    }
    guard let scope = scope(of: query) else { return nil }
    if let application = scope.only { return choice(query, keys, ofOne: application, scope) }
    return choice(query, keys, ofSeveral: scope)
  }

  /// The rules when one application takes part.
  private func choice(
    _ query: RouteQuery,
    _ keys: [IdentifierKey],
    ofOne application: Slot,
    _ scope: Scope
  ) -> Choice? {
    if applications[Int(application)]?.isSingleScene == true,
      let open = applications[Int(application)]?.scenes,
      !open.isEmpty
    {
      guard case .success(let scene) = oneScene(of: open, query) else { return nil }
      return Choice(.singleScene, scene: scene)
    }
    return openScene(.preferring, query, keys[...], scope) ?? openScene(.allowing, query, keys[...], scope)
      ?? newScene(query, keys, scope)
  }

  /// The rules when several applications take part.
  private func choice(_ query: RouteQuery, _ keys: [IdentifierKey], ofSeveral scope: Scope) -> Choice? {
    // A specific preference wins everywhere; `*`, the last of the keys, does not count yet.
    if let choice = openScene(.preferring, query, keys.dropLast(), scope) { return choice }
    var scope = scope
    if let application = userDefault(for: query.event, in: scope) {
      if let choice = choice(query, keys, ofOne: application, Scope(only: application)) { return choice }
      scope = scope.excluding(application)
    }
    return openScene(.preferring, query, keys[...], scope) ?? allowingScene(query, keys, scope)
      ?? newScene(query, keys, scope)
  }
}

/// What the rules have chosen.
private struct Choice {
  /// Why it matches.
  enum Reason {
    /// It is named, or takes whatever comes.
    case none
    /// It has the identifier in its sets: the most specific of those that were looked for.
    case identifier(IdentifierKey, of: ArraySlice<IdentifierKey>)
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

// MARK: - Open scenes

extension SceneRegistry {
  /// The first open scene that has one of the identifiers in its sets of one kind.
  ///
  /// Of several identifiers by which it is found the most specific one counts.
  private func openScene(
    _ kind: IdentifierSetKind,
    _ query: RouteQuery,
    _ keys: ArraySlice<IdentifierKey>,
    _ scope: Scope
  ) -> Choice? {
    var best: (scene: Candidate, key: IdentifierKey)?
    for key in keys {
      guard let scene = firstScene(kind, holding: key, query, scope) else { continue }
      if let best, scene.order > best.scene.order { continue }
      if let best, scene.order == best.scene.order, !holders.texts.isMoreSpecific(key, than: best.key) {
        continue
      }
      best = (scene, key)
    }
    guard let best else { return nil }
    let rule: Rule = kind == .preferring ? .preferring : .allowing
    return Choice(rule, scene: best.scene, .identifier(best.key, of: keys))
  }

  /// The first open scene that allows an event when several applications take part.
  ///
  /// The scene of a single-scene application takes part as if it allowed `*`, in place of what it does allow.
  private func allowingScene(_ query: RouteQuery, _ keys: [IdentifierKey], _ scope: Scope) -> Choice? {
    let choice = openScene(.allowing, query, keys[...], scope)
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
  private func newScene(_ query: RouteQuery, _ keys: [IdentifierKey], _ scope: Scope) -> Choice? {
    var best: Choice?
    for key in keys {
      guard let choice = firstDeclaration(holding: key, of: keys, query, scope), comes(choice, before: best)
      else { continue }
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
    of keys: [IdentifierKey],
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
    return Choice(.matching, declaration: first, destination, .identifier(key, of: keys[...]))
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

// MARK: - Decisions

extension SceneRegistry {
  private func decision(for choice: Choice, _ event: Event) -> Decision {
    if let destination = choice.destination {
      let application = applications[Int(choice.candidate.application)]
      let declared = application?.declaration?.declaration.scenes[Int(choice.candidate.index)]
      return Decision(
        generation: generation,
        choice.rule,
        destination,
        applicationID: application?.id,
        declarationID: declared?.id,
        match(of: choice, declared, event)
      )
    }
    let decision = scenes.span[Int(choice.candidate.index)]?
      .decision(for: choice, event, holders.texts, generation: generation)
    return decision ?? Decision(generation: generation)
  }

  private func match(of choice: Choice, _ declared: SceneDeclaration?, _ event: Event) -> Decision.Match {
    switch choice.reason {
    case .none, .singleScene: Decision.Match()
    case .identifier(let key, _): Decision.Match(spelling(of: key, by: choice.candidate), in: event)
    case .fileType(let fileType):
      Decision.Match(fileType.match(declared?.supportedTypes ?? []), fileType, event)
    }
  }

  /// How a declaration spells an identifier in its set.
  func spelling(of key: IdentifierKey, by candidate: Candidate) -> String {
    let matching = applications[Int(candidate.application)]?.declaration?.matching[Int(candidate.index)]
    return matching?.identifiers.spelling(of: key) ?? holders.texts.spelling(of: key)
  }
}

extension Scene {
  fileprivate func decision(
    for choice: Choice,
    _ event: Event,
    _ texts: borrowing IdentifierTrie,
    generation: UInt64
  ) -> Decision {
    Decision(
      generation: generation,
      choice.rule,
      .scene(id),
      applicationID: applicationID,
      declarationID: declarationID,
      match(of: choice, event, texts)
    )
  }

  private func match(of choice: Choice, _ event: Event, _ texts: borrowing IdentifierTrie) -> Decision.Match {
    switch choice.reason {
    case .none, .fileType: return Decision.Match()
    case .singleScene: return Decision.Match("*", in: event)
    case .identifier(let key, let keys):
      let kind: IdentifierSetKind = choice.rule == .preferring ? .preferring : .allowing
      let spelling = spelling(of: key, in: kind) ?? texts.spelling(of: key)
      return Decision.Match(spelling, in: event, of: registrationIDs(kind, holding: keys))
    }
  }
}

extension Decision.Match {
  /// An identifier that was found in the comparison string of an event.
  fileprivate init(_ pattern: String, in event: Event, of registrationIDs: [String] = []) {
    let comparison = event.comparison
    self.init(
      pattern: pattern,
      string: comparison?.string,
      field: comparison?.field,
      registrationIDs: registrationIDs
    )
  }

  /// An entry of `supportedTypes` that covers the file.
  fileprivate init(_ pattern: String?, _ fileType: FileType, _ event: Event) {
    if pattern?.contains("/") == true {
      self.init(pattern: pattern, string: event.contentType, field: .contentType)
    } else {
      self.init(pattern: pattern, string: event.fileURL?.string, field: fileType.field)
    }
  }
}
