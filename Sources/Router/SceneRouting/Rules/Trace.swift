/// The candidates of one decision in the order of the rules, up to the winner.
package struct Trace: Hashable, Sendable {
  package struct Step: Hashable, Sendable {
    package var rule: Rule
    /// Also the open scene of a singleton declaration.
    package var sceneID: SceneID?
    package var applicationID: String?
    package var declarationID: String?
    /// The registration that holds ``pattern``.
    package var registrationID: String?
    /// What matched; without a match, the candidate's identifier for the rule if there is only one.
    package var pattern: String?
    package var matched: Bool
    package var rejectedBecause: String?
  }

  package fileprivate(set) var steps: [Step] = []
  package fileprivate(set) var isComplete = true
  /// `nil` also if ``steps`` ends before the winner.
  package fileprivate(set) var winner: Step?

  fileprivate let maximum: Int

  fileprivate init(maximum: Int) { self.maximum = maximum }

  /// Returns whether the trace ends.
  fileprivate mutating func add(_ step: Step) -> Bool {
    guard steps.count < maximum else {
      isComplete = false
      return true
    }
    steps.append(step)
    guard step.matched, step.rejectedBecause == nil else { return false }
    winner = step
    return true
  }
}

extension SceneRegistry {
  /// Ends with the winner, which ``decide(_:)`` chooses too.
  mutating func trace(_ query: RouteQuery, maximum: Int) -> Trace {
    var trace = Trace(maximum: maximum)
    if let id = query.constraints.sceneID {
      if let scene = scenesByID[id] { _ = trace.add(step(.explicit, scene, matched: true)) }
      return trace
    }
    findKeys(in: query.event)
    follow(query, &trace)
    return trace
  }

  private func follow(_ query: RouteQuery, _ trace: inout Trace) {
    var outsiders = Outsiders(participants(in: query), query)
    _ = askTiers(query) { tier, because in
      outsiders.areAsked =
        because.reason == .only || because.reason == .preferring || because.reason == .order
      switch tier {
      case .oneScene(let open): return traceOneScene(open, query, &trace)
      case .showing(let application): return traceShowing(query, application, &trace)
      case .openScenes(let kind, let scope, let wildcardCounts, let singleScenesAllowAll):
        let keys = wildcardCounts ? keys[...] : keys.dropLast()
        let place = ScenePlace(kind, keys, scope, singleScenesAllowAll: singleScenesAllowAll)
        return traceScenes(place, query, &outsiders, &trace)
      case .conditions(let scope): return traceConditions(query, scope, &outsiders, &trace)
      case .defaults(let scope): return traceDefaults(query, scope, &outsiders, &trace)
      }
    }
  }
}

/// Applications that are kept out because others claim the event.
///
/// Their matches are listed as candidates that do not win: once for a rule, in tiers that would search them without
/// claims.
private struct Outsiders {
  struct Candidate: Hashable {
    var rule: Rule
    var order: Int64
  }

  /// Whether the present tier would also search them if there were no claims.
  var areAsked = false
  /// `nil` if no claim keeps an application out.
  private let participants: ApplicationSet?
  private let passedOver: [String]
  private var traced: Set<Candidate> = []

  init(_ participants: Participants?, _ query: RouteQuery) {
    let isClaimed = participants?.isClaimed == true && query.constraints.applicationID == nil
    self.participants = isClaimed ? participants?.all : nil
    passedOver = query.passedOver
  }

  /// Can be true for an application that takes no part in unclaimed events either.
  func contains(_ application: Application?) -> Bool {
    guard areAsked, let participants, let application else { return false }
    return !participants.contains(application.slot) && !passedOver.contains(application.id)
  }

  /// False if the candidate was marked already.
  mutating func insert(_ rule: Rule, _ candidate: SceneRouting.Candidate) -> Bool {
    traced.insert(Candidate(rule: rule, order: candidate.order)).inserted
  }
}

private struct ScenePlace {
  let kind: IdentifierSetKind
  let keys: ArraySlice<IdentifierKey>
  let scope: ApplicationSet
  let singleScenesAllowAll: Bool

  init(
    _ kind: IdentifierSetKind,
    _ keys: ArraySlice<IdentifierKey>,
    _ scope: ApplicationSet,
    singleScenesAllowAll: Bool
  ) {
    (self.kind, self.keys, self.scope) = (kind, keys, scope)
    self.singleScenesAllowAll = singleScenesAllowAll
  }
}

// MARK: - Candidates

// The methods `trace…` and `add` return whether the trace has ended.
extension SceneRegistry {
  private func traceOneScene(_ open: SortedCandidates, _ query: RouteQuery, _ trace: inout Trace) -> Bool {
    for candidate in open {
      guard let scene = scenes[Int(candidate.index)] else { continue }
      var step = step(.singleScene, scene, matched: true)
      step.rejectedBecause = rejection(ofScene: candidate, query)?.rawValue
      if trace.add(step) { return true }
    }
    return false
  }

  private func traceShowing(_ query: RouteQuery, _ application: Slot?, _ trace: inout Trace) -> Bool {
    var showing: [(place: (Int, Int64), scene: Scene, entry: ShownEntry)] = []
    var seen: Set<SceneID> = []
    forEachSceneShowing { scene in
      guard application == nil || scene.application == application,
        !query.passedOver.contains(scene.applicationID), seen.insert(scene.id).inserted,
        let entry = shownEntry(of: scene, query.event)
      else { return }
      showing.append(((entry.hasFragment ? 0 : 1, scene.candidate.order), scene, entry))
    }
    for (_, scene, entry) in showing.sorted(by: { $0.place < $1.place }) {
      var step = step(.showing, scene, matched: true)
      step.pattern = entry.registration.showing[entry.index]
      step.registrationID = entry.registration.id
      step.rejectedBecause = rejection(ofScene: scene.candidate, query)?.rawValue
      if trace.add(step) { return true }
    }
    return false
  }

  /// Scenes that do not match come first, then the scene with the longest identifier.
  private func traceScenes(
    _ place: ScenePlace,
    _ query: RouteQuery,
    _ outsiders: inout Outsiders,
    _ trace: inout Trace
  ) -> Bool {
    let rule = Rule(place.kind)
    var matching: [(step: Trace.Step, place: (Int, Int, Int64))] = []
    for candidate in openScenes {
      let application = applications[Int(candidate.application)]
      let isOutside = !place.scope.contains(candidate.application) && outsiders.contains(application)
      guard isOutside || place.scope.contains(candidate.application),
        let scene = scenes[Int(candidate.index)]
      else { continue }
      var step = step(rule, scene, matched: false)
      var (length, isExact) = (0, false)
      if place.kind == .allowing, application?.isSingleScene == true, isOutside || place.singleScenesAllowAll
      {
        step.matched = true
        step.pattern = "*"
      } else {
        (length, isExact) = look(for: place.keys, in: scene, place.kind, query.event, &step)
      }
      guard step.matched else {
        if !isOutside, trace.add(step) { return true }
        continue
      }
      if isOutside {
        guard outsiders.insert(rule, candidate) else { continue }
        step.rejectedBecause = Rejection.claimedByOthers.rawValue
      } else {
        step.rejectedBecause = rejection(ofScene: candidate, query)?.rawValue
      }
      matching.append((step, (-length, isExact ? 0 : 1, candidate.order)))
    }
    matching.sort { $0.place < $1.place }
    return matching.contains { trace.add($0.step) }
  }

  /// Writes the result to `step`; the length is 0 if no identifier is found.
  private func look(
    for keys: ArraySlice<IdentifierKey>,
    in scene: Scene,
    _ kind: IdentifierSetKind,
    _ event: Event,
    _ step: inout Trace.Step
  ) -> (length: Int, isExact: Bool) {
    let held = keys.filter { holders.holds(scene.holder, $0, in: kind) }
    let length = held.map { holders.texts.length(of: $0) }.max()
    let longest = held.filter { holders.texts.length(of: $0) == length }
    let exact = longest.filter {
      $0 != .wildcard && scene.spellings(of: $0, in: kind).contains(where: event.contains)
    }
    let best = mostSpecific(of: (exact.isEmpty ? longest : exact)[...], scene.holder, kind)
    step.matched = best != nil
    guard let key = best ?? scene.onlyIdentifier(kind) else { return (0, false) }
    let pattern = spelling(of: key, by: scene, kind, event)
    step.pattern = pattern
    step.registrationID = scene.registrationID(of: key, spelled: pattern, in: kind)
    return (length ?? 0, !exact.isEmpty)
  }

  private func mostSpecific(
    of keys: ArraySlice<IdentifierKey>,
    _ holder: HolderID,
    _ kind: IdentifierSetKind
  ) -> IdentifierKey? {
    var best: IdentifierKey?
    for key in keys where holders.holds(holder, key, in: kind) {
      if best.map({ holders.texts.isMoreSpecific(key, than: $0) }) ?? true { best = key }
    }
    return best
  }

  private func traceConditions(
    _ query: RouteQuery,
    _ scope: ApplicationSet,
    _ outsiders: inout Outsiders,
    _ trace: inout Trace
  ) -> Bool {
    let fileType = FileType(query.event, fileTypes)
    for place in declaredApplications {
      guard let application = applications[Int(place.application)], let declared = application.declaration,
        let isOutside = isOutside(application, scope, outsiders)
      else { continue }
      for (index, declaration) in declared.declaration.scenes.enumerated() where !declaration.isDefault {
        let candidate = declared.candidate(index)
        var step = step(declaration.kind == .documentGroup ? .document : .matching, candidate, declaration)
        if declaration.kind == .documentGroup {
          step.pattern = fileType?.match(declaration.supportedTypes)
          step.matched = step.pattern != nil
        } else {
          let matching = declared.matching[index]
          let best = mostSpecific(of: keys[...], matching.holder, .matching)
          step.matched = best != nil
          let only = matching.identifiers.keys.count == 1 ? matching.identifiers.keys.first : nil
          step.pattern = (best ?? only).map { spelling(of: $0, by: candidate) }
        }
        if add(step, candidate, query, isOutside: isOutside, &outsiders, &trace) { return true }
      }
    }
    return false
  }

  private func traceDefaults(
    _ query: RouteQuery,
    _ scope: ApplicationSet,
    _ outsiders: inout Outsiders,
    _ trace: inout Trace
  ) -> Bool {
    for candidate in defaultDeclarations {
      guard let application = applications[Int(candidate.application)],
        let declared = application.declaration,
        let isOutside = isOutside(application, scope, outsiders)
      else { continue }
      var step = step(.default, candidate, declared.declaration.scenes[Int(candidate.index)])
      step.matched = true
      if add(step, candidate, query, isOutside: isOutside, &outsiders, &trace) { return true }
    }
    return false
  }

  /// `nil` if the tier would not search the application's declarations without claims either.
  private func isOutside(_ application: Application, _ scope: ApplicationSet, _ outsiders: Outsiders) -> Bool?
  {
    if scope.contains(application.slot) { return false }
    return outsiders.contains(application) && claims.takesUnclaimed(application.slot) ? true : nil
  }

  private func add(
    _ step: Trace.Step,
    _ candidate: Candidate,
    _ query: RouteQuery,
    isOutside: Bool,
    _ outsiders: inout Outsiders,
    _ trace: inout Trace
  ) -> Bool {
    var step = step
    if isOutside {
      guard step.matched, outsiders.insert(step.rule, candidate) else { return false }
      step.rejectedBecause = Rejection.claimedByOthers.rawValue
    } else if step.matched {
      switch destination(of: candidate, query) {
      case .success(.scene(let id)): step.sceneID = id
      case .success: break
      case .failure(let rejection): step.rejectedBecause = rejection.rawValue
      }
    }
    return trace.add(step)
  }

  private func step(_ rule: Rule, _ scene: Scene, matched: Bool) -> Trace.Step {
    Trace.Step(
      rule: rule,
      sceneID: scene.id,
      applicationID: scene.applicationID,
      declarationID: scene.declarationID,
      matched: matched
    )
  }

  private func step(_ rule: Rule, _ candidate: Candidate, _ declaration: SceneDeclaration) -> Trace.Step {
    Trace.Step(
      rule: rule,
      applicationID: applications[Int(candidate.application)]?.id,
      declarationID: declaration.id,
      matched: false
    )
  }
}
