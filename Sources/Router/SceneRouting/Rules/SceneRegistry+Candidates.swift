enum Rejection: String, Error {
  case origin
  case tried
  case newSceneNotAllowed
  /// The application's only permitted scene is open.
  case sceneAlreadyOpen
  case claimedByOthers
}

extension SceneRegistry {
  @inline(__always)
  func choice(in tier: Tier, _ query: RouteQuery) -> Choice? {
    switch tier {
    case .oneScene(let open):
      guard case .success(let scene) = oneScene(of: open, query) else { return nil }
      return Choice(rule: .singleScene, candidate: scene)
    case .showing(let application):
      return firstShowing(query) { application == nil || $0 == application }
        .map { Choice(rule: .showing, candidate: $0) }
    case .openScenes(let kind, let scope, let wildcardCounts, let singleScenesAllowAll):
      guard singleScenesAllowAll, !singleScenes.isEmpty else {
        return openScene(kind, query, scope, wildcardCounts)
      }
      let others = scope.filter { applications[Int($0)]?.isSingleScene != true }
      return better(of: openScene(kind, query, others, wildcardCounts), query, orSingleSceneIn: scope)
    case .conditions(let scope):
      return firstCondition(query, scope)
    case .defaults(let scope):
      return first(of: defaultDeclarations, query, scope).map { Choice(rule: .default, candidate: $0) }
    }
  }
}

// MARK: - Open scenes

extension SceneRegistry {
  /// The longest identifier wins, then one that the event contains byte for byte, then the order of ``openScenes``.
  private func openScene(
    _ kind: IdentifierSetKind,
    _ query: RouteQuery,
    _ scope: ApplicationSet,
    _ wildcardCounts: Bool
  ) -> Choice? {
    var best: (scene: Candidate, key: IdentifierKey, length: Int)?
    var hasEqual = false
    for key in keys where wildcardCounts || key != .wildcard {
      let length = holders.texts.length(of: key)
      // `*` counts as the shortest.
      if let best, length < best.length { continue }
      guard let scene = firstScene(kind, holding: key, query, scope) else { continue }
      hasEqual = length == best?.length
      if let best, hasEqual {
        if scene.order > best.scene.order { continue }
        if scene.order == best.scene.order, !holders.texts.isMoreSpecific(key, than: best.key) { continue }
      }
      best = (scene, key, length)
    }
    guard var best else { return nil }
    // Nearly always there is one scene with an identifier of this length, or all scenes spell it alike.
    if hasEqual || holders.isSpelledBySome(best.key),
      let exact = exactlyMatchingScene(kind, query, scope, length: best.length)
    {
      (best.scene, best.key) = exact
    }
    return Choice(rule: Rule(kind), candidate: best.scene, key: best.key, wildcardCounts: wildcardCounts)
  }

  /// Among identifiers of one length, those that the event contains byte for byte.
  @inline(never)
  private func exactlyMatchingScene(
    _ kind: IdentifierSetKind,
    _ query: RouteQuery,
    _ scope: ApplicationSet,
    length: Int
  ) -> (scene: Candidate, key: IdentifierKey)? {
    var best: (scene: Candidate, key: IdentifierKey)?
    for key in keys where key != .wildcard && holders.texts.length(of: key) == length {
      for candidate in holders.all(kind, holding: key) where scope.contains(candidate.application) {
        if let best, candidate.order > best.scene.order { continue }
        if let best, candidate.order == best.scene.order,
          !holders.texts.isMoreSpecific(key, than: best.key)
        {
          continue
        }
        guard rejection(ofScene: candidate, query) == nil, let scene = scenes[Int(candidate.index)],
          scene.spellings(of: key, in: kind).contains(where: query.event.contains)
        else { continue }
        best = (candidate, key)
      }
    }
    return best
  }

  /// The scene of a single-scene application counts as if it allowed `*`.
  private func better(of choice: Choice?, _ query: RouteQuery, orSingleSceneIn scope: ApplicationSet)
    -> Choice?
  {
    if let key = choice?.key, key != .wildcard { return choice }
    for scene in singleScenes {
      if let choice, choice.candidate.order < scene.order { break }
      guard scope.contains(scene.application), rejection(ofScene: scene, query) == nil else { continue }
      return Choice(rule: .allowing, candidate: scene)
    }
    return choice
  }

  private func firstScene(
    _ kind: IdentifierSetKind,
    holding key: IdentifierKey,
    _ query: RouteQuery,
    _ scope: ApplicationSet
  ) -> Candidate? {
    // The first search uses no closure, because a closure would copy the registry; its result nearly always counts.
    let first = holders.first(kind, holding: key, in: scope)
    guard let first, rejection(ofScene: first, query) != nil else { return first }
    return holders.first(kind, holding: key, in: scope) { rejection(ofScene: $0, query) == nil }
  }

  func shows(_ query: RouteQuery, besides application: Slot) -> Bool {
    firstShowing(query) { $0 != application } != nil
  }

  /// A scene that shows the URL with its fragment comes before all others.
  @inline(never)
  private func firstShowing(_ query: RouteQuery, of isAsked: (Slot) -> Bool) -> Candidate? {
    var first: (place: (Int, Int64), candidate: Candidate)?
    forEachSceneShowing { scene in
      guard isAsked(scene.application), rejection(ofScene: scene.candidate, query) == nil,
        !query.passedOver.contains(scene.applicationID),
        let entry = shownEntry(of: scene, query.event)
      else { return }
      let place = (entry.hasFragment ? 0 : 1, scene.candidate.order)
      if first.map({ place < $0.place }) ?? true { first = (place, scene.candidate) }
    }
    return first?.candidate
  }

  /// In no particular order; a scene that shows both URLs of the event comes twice.
  @inline(__always)
  func forEachSceneShowing(_ body: (Scene) -> Void) {
    for key in [shownKey, resolvedShownKey] {
      guard let key else { continue }
      switch shown.scenes(showing: key) {
      case .one(let slot): scenes[Int(slot)].map(body)
      case .several(let slots): for slot in slots { scenes[Int(slot)].map(body) }
      }
    }
  }

  /// An entry with the event's fragment counts first, then one that shows the event's own URL.
  func shownEntry(of scene: Scene, _ event: Event) -> ShownEntry? {
    var first: ShownEntry?
    for (key, url) in [(shownKey, event.fileURL), (resolvedShownKey, event.resolved)] {
      guard let key, let url else { continue }
      for registration in scene.registrations {
        guard let place = registration.showing.place(of: key, withFragmentOf: url.string) else { continue }
        let entry = ShownEntry(
          registration: registration,
          index: place.index,
          hasFragment: place.hasFragment,
          url: key == shownKey ? event.fileURL : url
        )
        if place.hasFragment { return entry }
        first = first ?? entry
      }
    }
    return first
  }
}

struct ShownEntry {
  let registration: Scene.RegisteredSets
  let index: Int
  let hasFragment: Bool
  /// The URL of the event that equals the entry.
  let url: (string: String, field: Event.Field)?
}

// MARK: - New scenes

extension SceneRegistry {
  private func firstCondition(_ query: RouteQuery, _ scope: ApplicationSet) -> Choice? {
    var best: Choice?
    for key in keys {
      guard let first = firstDeclaration(holding: key, query, scope) else { continue }
      let choice = Choice(rule: .matching, candidate: first, key: key)
      if comes(choice, before: best) { best = choice }
    }
    if !documentDeclarations.isEmpty, let fileType = FileType(query.event, fileTypes) {
      for type in fileType.keys {
        guard let first = documentDeclarations[type].flatMap({ self.first(of: $0, query, scope) }) else {
          continue
        }
        let choice = Choice(rule: .document, candidate: first)
        if comes(choice, before: best) { best = choice }
      }
    }
    return best
  }

  /// By declaration, then by the more specific identifier.
  private func comes(_ choice: Choice, before other: Choice?) -> Bool {
    guard let other, choice.candidate.order >= other.candidate.order else { return true }
    guard choice.candidate.order == other.candidate.order, let key = choice.key, let present = other.key
    else {
      return false
    }
    return holders.texts.isMoreSpecific(key, than: present)
  }

  private func firstDeclaration(
    holding key: IdentifierKey,
    _ query: RouteQuery,
    _ scope: ApplicationSet
  ) -> Candidate? {
    let first = holders.first(.matching, holding: key, in: scope)
    guard let first, !mayTake(first, query) else { return first }
    return holders.first(.matching, holding: key, in: scope) { mayTake($0, query) }
  }

  private func first(of declarations: SortedCandidates, _ query: RouteQuery, _ scope: ApplicationSet)
    -> Candidate?
  {
    guard let application = scope.only else {
      return declarations.first { scope.contains($0.application) && mayTake($0, query) }
    }
    guard let first = applications[Int(application)]?.declaration?.first else { return nil }
    return declarations.first(from: first) { mayTake($0, query) }
  }

  private func mayTake(_ declaration: Candidate, _ query: RouteQuery) -> Bool {
    if case .success = destination(of: declaration, query) { true } else { false }
  }
}

// MARK: - Who may not get the event

extension SceneRegistry {
  func rejection(ofScene candidate: Candidate, _ query: RouteQuery) -> Rejection? {
    guard let id = scenes[Int(candidate.index)]?.id else { return .tried }
    if id == query.constraints.originSceneID { return .origin }
    return query.tried.scenes.contains(id) ? .tried : nil
  }

  func oneScene(of open: SortedCandidates, _ query: RouteQuery) -> Result<Candidate, Rejection> {
    if let scene = open.first(where: { rejection(ofScene: $0, query) == nil }) { return .success(scene) }
    return .failure(open.first.flatMap { rejection(ofScene: $0, query) } ?? .tried)
  }

  func destination(of candidate: Candidate, _ query: RouteQuery) -> Result<Destination, Rejection> {
    guard let application = applications[Int(candidate.application)],
      let declaration = application.declaration?.declaration.scenes[Int(candidate.index)]
    else { return .failure(.tried) }
    // The open scene can get the event, even if an earlier attempt to open it for this event failed.
    if declaration.isSingleton, let open = application.scenesByDeclaration[declaration.id] {
      return oneScene(of: open, query).flatMap { candidate in
        scenes[Int(candidate.index)].map { .success(.scene($0.id)) } ?? .failure(.tried)
      }
    }
    let target = TriedTargets.Declaration(applicationID: application.id, declarationID: declaration.id)
    if query.tried.declarations.contains(target) { return .failure(.tried) }
    if application.isSingleScene, !application.scenes.isEmpty { return .failure(.sceneAlreadyOpen) }
    guard query.constraints.allowsNewScene else { return .failure(.newSceneNotAllowed) }
    return .success(.newScene(applicationID: application.id, declarationID: declaration.id))
  }
}
