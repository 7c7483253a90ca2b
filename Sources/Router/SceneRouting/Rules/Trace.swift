/// One candidate of a rule: a scene or a declaration.
package struct TraceStep: Hashable, Sendable {
  /// The rule that was tried.
  package var rule: Rule
  /// The scene, if the candidate is a scene or a singleton declaration with an open scene.
  package var sceneID: SceneID?
  /// The application that the candidate belongs to.
  package var applicationID: String?
  /// The declaration, if the candidate is a declaration or a scene with a declaration.
  package var declarationID: String?
  /// The registration that holds ``pattern``.
  package var registrationID: String?
  /// The candidate's text that matched the event: an identifier, a shown URL, or an entry of `supportedTypes`.
  ///
  /// If the candidate did not match, the pattern is the candidate's only identifier for the rule. The pattern is `nil`
  /// if the candidate has no such identifier, or more than one.
  package var pattern: String?
  /// Whether the candidate matched.
  package var matched: Bool
  /// The reason why a candidate that matched does not get the event.
  package var rejectedBecause: String?
}

/// The candidates of one decision in the order of the rules, up to the winner.
package struct Trace: Hashable, Sendable {
  /// The first candidates, in the order of the rules; the caller limits their number.
  package fileprivate(set) var steps: [TraceStep] = []
  /// Whether ``steps`` has all candidates up to the winner.
  package fileprivate(set) var isComplete = true
  /// The winning step; `nil` if there is no winner, or if ``steps`` ends before the winner.
  package fileprivate(set) var winner: TraceStep?

  fileprivate let maximum: Int

  fileprivate init(maximum: Int) { self.maximum = maximum }

  /// Adds a candidate.
  ///
  /// Returns whether the trace ends.
  fileprivate mutating func add(_ step: TraceStep) -> Bool {
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
  /// Lists the candidates that the rules consider for an event, and whether each of them matches.
  ///
  /// The list has at most `maximum` steps, and ends when a candidate wins. ``decide(_:)`` chooses the same winner.
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
    _ = askTiers(query) { tier, turn in
      outsiders.areAsked = turn.reason == .only || turn.reason == .preferring || turn.reason == .order
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

/// The applications that are kept out of an event because other applications claim the event.
///
/// If a scene or a declaration of such an application matches the event, the trace can list it as a candidate that does
/// not win. A declaration is listed only if its application takes part in events that no application claims. Such
/// candidates are listed only in tiers with one of these reasons:
/// - `preferring` or `order`, for applications that are considered together
/// - `only`, for an application that takes part in the event alone
///
/// The trace lists such a candidate only once for each rule, even if several tiers could list it.
private struct Outsiders {
  struct Candidate: Hashable {
    var rule: Rule
    var order: Int64
  }

  /// Whether the present tier would also search the applications that claims keep out, if there were no claims.
  var areAsked = false
  /// The applications that take part in the event; `nil` if no claim keeps an application out of the event.
  private let participants: Scope?
  private let passedOver: [String]
  private var traced: Set<Candidate> = []

  init(_ participants: Participants?, _ query: RouteQuery) {
    let isClaimed = participants?.isClaimed == true && query.constraints.applicationID == nil
    self.participants = isClaimed ? participants?.all : nil
    passedOver = query.passedOver
  }

  /// Whether the present tier leaves out an application that does not claim the event, while other applications do.
  ///
  /// The result can be true even for an application that takes no part in unclaimed events. It is false for an
  /// application that the event came through before.
  func contains(_ application: Application?) -> Bool {
    guard areAsked, let participants, let application else { return false }
    return !participants.contains(application.slot) && !passedOver.contains(application.id)
  }

  /// Marks a candidate as traced; returns false if it was marked already.
  mutating func insert(_ rule: Rule, _ candidate: SceneRouting.Candidate) -> Bool {
    traced.insert(Candidate(rule: rule, order: candidate.order)).inserted
  }
}

/// The open scenes that a tier searches, and the identifiers that the tier searches for.
private struct ScenePlace {
  let kind: IdentifierSetKind
  let keys: ArraySlice<IdentifierKey>
  let scope: Scope
  let singleScenesAllowAll: Bool

  init(
    _ kind: IdentifierSetKind,
    _ keys: ArraySlice<IdentifierKey>,
    _ scope: Scope,
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

  /// Traces the scenes of an application that show the event's URL; without an application, all scenes that show the
  /// URL.
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
      step.pattern = entry.registration.showing.text(at: entry.index, shown)
      step.registrationID = entry.registration.id
      step.rejectedBecause = rejection(ofScene: scene.candidate, query)?.rawValue
      if trace.add(step) { return true }
    }
    return false
  }

  /// Traces the scenes that do not match, then the matching scenes.
  ///
  /// Of the matching scenes, the scene with the longest identifier comes first.
  private func traceScenes(
    _ place: ScenePlace,
    _ query: RouteQuery,
    _ outsiders: inout Outsiders,
    _ trace: inout Trace
  ) -> Bool {
    let rule = Rule(place.kind)
    var matching: [(step: TraceStep, place: (Int, Int, Int64))] = []
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

  /// Searches a scene for the identifiers of `keys`, and writes the result to `step`.
  ///
  /// Returns the length of the longest identifier found, and whether the event contains it byte for byte. The length is
  /// 0 if no identifier is found.
  private func look(
    for keys: ArraySlice<IdentifierKey>,
    in scene: Scene,
    _ kind: IdentifierSetKind,
    _ event: Event,
    _ step: inout TraceStep
  ) -> (length: Int, isExact: Bool) {
    let held = keys.filter { holders.holds(scene.holder, $0, in: kind) }
    let length = held.map { holders.texts.length(of: $0) }.max()
    let longest = held.filter { holders.texts.length(of: $0) == length }
    let exact = longest.filter {
      $0 != .wildcard && scene.exactSpelling(of: $0, in: kind, event, holders.texts) != nil
    }
    let best = mostSpecific(of: (exact.isEmpty ? longest : exact)[...], scene.holder, kind)
    step.matched = best != nil
    guard let key = best ?? scene.onlyIdentifier(kind) else { return (0, false) }
    let pattern = spelling(of: key, by: scene, kind, event)
    step.pattern = pattern
    step.registrationID = scene.registrationID(of: key, spelled: pattern, in: kind, holders.texts)
    return (length ?? 0, !exact.isEmpty)
  }

  /// The most specific of the `keys` that a scene or a declaration holds.
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
    _ scope: Scope,
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
    _ scope: Scope,
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

  /// Whether the present tier leaves out an application's declarations only because other applications claim the event.
  ///
  /// - False for an application in `scope`, because the tier searches its declarations.
  /// - True for an application whose declarations the tier would search if no application claimed the event.
  /// - Nil for every other application. The declarations of such an application are not traced.
  private func isOutside(_ application: Application, _ scope: Scope, _ outsiders: Outsiders) -> Bool? {
    if scope.contains(application.slot) { return false }
    return outsiders.contains(application) && claims.takesUnclaimed(application.slot) ? true : nil
  }

  private func add(
    _ step: TraceStep,
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

  private func step(_ rule: Rule, _ scene: Scene, matched: Bool) -> TraceStep {
    TraceStep(
      rule: rule,
      sceneID: scene.id,
      applicationID: scene.applicationID,
      declarationID: scene.declarationID,
      matched: matched
    )
  }

  private func step(_ rule: Rule, _ candidate: Candidate, _ declaration: SceneDeclaration) -> TraceStep {
    TraceStep(
      rule: rule,
      applicationID: applications[Int(candidate.application)]?.id,
      declarationID: declaration.id,
      matched: false
    )
  }
}
