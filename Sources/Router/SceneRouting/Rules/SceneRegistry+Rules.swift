/// Scenes or declarations that the rules consider together.
enum Tier {
  /// Several scenes, if they opened before the application declared that it has only one.
  case oneScene(SortedCandidates)
  /// With a slot, only the scenes of this application.
  case showing(of: Slot?)
  /// `singleScenesAllowAll`: the scene of a single-scene application counts as if `*` were its only identifier.
  case openScenes(
    IdentifierSetKind,
    Scope,
    wildcardCounts: Bool = true,
    singleScenesAllowAll: Bool = false
  )
  case conditions(Scope)
  case defaults(Scope)
}

struct Choice {
  let rule: Rule
  /// A declaration for ``Rule/matching``, ``Rule/document`` and ``Rule/default``; otherwise a scene.
  let candidate: Candidate
  /// The most specific that matches; `nil` for a rule without identifiers, or if a single-scene application allows all.
  var key: IdentifierKey?
  var wildcardCounts = true
}

extension SceneRegistry {
  mutating func decide(_ query: RouteQuery) -> Decision {
    let chosen: (choice: Choice, turn: Turn)?
    if let id = query.constraints.sceneID {
      chosen = choose(id).map { ($0, Turn(.sender)) }
    } else {
      findKeys(in: query.event)
      chosen = choose(query)
    }
    guard let chosen else { return Decision(generation: generation) }
    return decision(for: chosen.choice, chosen.turn, query)
  }

  /// The last of ``keys`` is `*`.
  mutating func findKeys(in event: Event) {
    while keys.popLast() != nil {}
    let text = event.comparison
    if let text {
      comparison.replace(with: text.string)
      holders.findKeys(in: comparison.bytes, &keys)
    }
    shownKey =
      shown.isEmpty
      ? nil : findShownKey((text?.field == .targetContentIdentifier ? event.fileURL : text)?.string)
    resolvedShownKey = nil
    if let resolved = event.resolvedURL { findMoreKeys(in: resolved) }
    keys.append(.wildcard)
  }

  @inline(never)
  private mutating func findMoreKeys(in resolved: String) {
    ownKeyCount = keys.count
    comparison.replace(with: resolved)
    holders.findKeys(in: comparison.bytes, isContinued: true, &keys)
    resolvedShownKey = shown.isEmpty ? nil : findShownKey(resolved)
  }

  var isShown: Bool { shownKey != nil || resolvedShownKey != nil }

  private mutating func findShownKey(_ url: String?) -> ShownTable.Key? {
    guard let url else { return nil }
    let bytes = url.utf8.span
    if ShownURL.isNormal(bytes) { return shown.key(of: bytes) }
    shownURL.replace(with: url, machineName: machineName)
    return shown.key(of: shownURL.bytes.span)
  }
}

// MARK: - The order of the rules

extension SceneRegistry {
  /// Asks in the order of the routing contract, until `takes` returns true.
  @inline(__always)
  func askTiers(_ query: RouteQuery, takes: (Tier, Turn) -> Bool) -> Bool {
    guard let participants = participants(in: query) else { return false }
    if askTiers(of: participants, query, takes: takes) { return true }
    // What nobody stands for, or takes, goes to the window that asks for it.
    guard query.constraints.applicationID == nil else { return false }
    let others = applications(besides: participants, query)
    let turn = Turn(.order)
    return takes(.openScenes(.preferring, others, wildcardCounts: false), turn)
      || takes(.openScenes(.allowing, others, wildcardCounts: false), turn)
  }

  @inline(__always)
  private func askTiers(
    of participants: Participants,
    _ query: RouteQuery,
    takes: (Tier, Turn) -> Bool
  ) -> Bool {
    var others = participants.all
    if let application = others.only {
      if query.constraints.applicationID != nil {
        return askTiers(of: application, others, Turn(.sender), takes: takes)
      }
      let turn = Turn(.only)
      guard isShown else { return askTiers(of: application, others, turn, takes: takes) }
      // If a scene of an application that takes no part shows the URL, all scenes that show it come first.
      if shows(query, besides: application), takes(.showing(of: nil), Turn(.showing)) { return true }
      return askTiers(of: application, others, turn, takes: takes)
    }
    if isShown, takes(.showing(of: nil), Turn(.showing)) { return true }
    // A preference for `*` does not count here.
    if takes(.openScenes(.preferring, others, wildcardCounts: false), Turn(.preferring)) { return true }
    for asked in participants.first where others.contains(asked.application) {
      let application = asked.application
      if askTiers(of: application, Scope(only: application), asked.turn, takes: takes) { return true }
      others.remove(application)
    }
    var closest = others
    for type in participants.farther { closest.subtract(type.claimants) }
    if askTiers(ofAllIn: closest, participants.keys, takes: takes) { return true }
    // This test only saves time: the subtraction takes long if there are very many applications.
    if participants.farther.isEmpty { return false }
    others.subtract(closest)
    for type in participants.farther {
      if let asked = userDefault(forOneOf: type.names, in: others) {
        let application = asked.application
        if askTiers(of: application, Scope(only: application), asked.turn, takes: takes) { return true }
        others.remove(application)
      }
      let waiting = others.intersection(type.claimants)
      if askTiers(ofAllIn: waiting, type.names, takes: takes) { return true }
    }
    return false
  }

  @inline(__always)
  private func askTiers(ofAllIn scope: Scope, _ keys: [ClaimKey], takes: (Tier, Turn) -> Bool) -> Bool {
    let turn = Turn(.order)
    if takes(.openScenes(.preferring, scope), turn)
      || takes(.openScenes(.allowing, scope, singleScenesAllowAll: true), turn)
    {
      return true
    }
    guard let groups = groups(of: scope, inOrderFor: keys) else {
      return takes(.conditions(scope), turn) || takes(.defaults(scope), turn)
    }
    return groups.contains { takes(.conditions($0), turn) } || groups.contains { takes(.defaults($0), turn) }
  }

  @inline(__always)
  private func askTiers(
    of application: Slot,
    _ scope: Scope,
    _ turn: Turn,
    takes: (Tier, Turn) -> Bool
  ) -> Bool {
    if let application = applications[Int(application)], application.isSingleScene,
      !application.scenes.isEmpty
    {
      return takes(.oneScene(application.scenes), turn)
    }
    // If several applications take part, the scenes that show the URL have already been considered.
    let isAlone = turn.reason == .only || turn.reason == .sender
    if isAlone, isShown, takes(.showing(of: application), turn) { return true }
    return takes(.openScenes(.preferring, scope), turn) || takes(.openScenes(.allowing, scope), turn)
      || takes(.conditions(scope), turn) || takes(.defaults(scope), turn)
  }
}

// MARK: - The first of a tier

extension Rule {
  init(_ kind: IdentifierSetKind) { self = kind == .preferring ? .preferring : .allowing }
}

extension SceneRegistry {
  /// Takes the scene that the sender named even if its identifiers do not match.
  func choose(_ id: SceneID) -> Choice? {
    scenesByID[id].map { Choice(rule: .explicit, candidate: $0.candidate) }
  }

  // Inlined, because a call of a non-mutating function would copy all bytes of the registry.
  @inline(__always)
  func choose(_ query: RouteQuery) -> (choice: Choice, turn: Turn)? {
    var chosen: (Choice, Turn)?
    _ = askTiers(query) { tier, turn in
      guard let choice = self.choice(in: tier, query) else { return false }
      chosen = (choice, turn)
      return true
    }
    return chosen
  }

  @inline(__always)
  private func choice(in tier: Tier, _ query: RouteQuery) -> Choice? {
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
      return closer(openScene(kind, query, others, wildcardCounts), query, orSingleSceneIn: scope)
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
    _ scope: Scope,
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
    _ scope: Scope,
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
  private func closer(_ choice: Choice?, _ query: RouteQuery, orSingleSceneIn scope: Scope) -> Choice? {
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
    _ scope: Scope
  ) -> Candidate? {
    // The first search uses no closure, because a closure would copy the registry; its result nearly always counts.
    let first = holders.first(kind, holding: key, in: scope)
    guard let first, rejection(ofScene: first, query) != nil else { return first }
    return holders.first(kind, holding: key, in: scope) { rejection(ofScene: $0, query) == nil }
  }

  private func shows(_ query: RouteQuery, besides application: Slot) -> Bool {
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
  private func firstCondition(_ query: RouteQuery, _ scope: Scope) -> Choice? {
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
    _ scope: Scope
  ) -> Candidate? {
    let first = holders.first(.matching, holding: key, in: scope)
    guard let first, !mayTake(first, query) else { return first }
    return holders.first(.matching, holding: key, in: scope) { mayTake($0, query) }
  }

  private func first(of declarations: SortedCandidates, _ query: RouteQuery, _ scope: Scope) -> Candidate? {
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
