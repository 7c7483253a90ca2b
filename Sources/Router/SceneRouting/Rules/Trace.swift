/// One candidate of a rule: a scene or a declaration.
package struct TraceStep: Hashable, Sendable {
  /// The rule that was tried.
  package var rule: Rule
  /// The scene, if the candidate is a scene or a singleton declaration with an open scene.
  package var sceneID: SceneID?
  /// The application that the candidate belongs to.
  package var applicationID: String?
  /// The declaration, if the candidate is a declaration or an instance of one.
  package var declarationID: String?
  /// The registration that holds ``pattern``.
  package var registrationID: String?
  /// The identifier that matched.
  ///
  /// If none matched, the only identifier of the set, if it has exactly one.
  package var pattern: String?
  /// Whether the candidate matched.
  package var matched: Bool
  /// The reason why a candidate that matched does not get the event.
  package var rejectedBecause: String?
}

/// The candidates of one decision in the order of the rules, up to the winner.
package struct Trace: Hashable, Sendable {
  /// The first candidates, as many as the caller asked for.
  package fileprivate(set) var steps: [TraceStep] = []
  /// Whether ``steps`` has all candidates up to the winner.
  package fileprivate(set) var isComplete = true
  /// The winning step; `nil` if there is none, or if ``steps`` ends before it.
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
  /// Follows the rules and checks each candidate by itself.
  ///
  /// Ends after `maximum` steps.
  ///
  /// If the trace reaches the winner, it is the winner of ``decide(_:)``.
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
    _ = askTiers(query) { tier in
      switch tier {
      case .oneScene(let open): return traceOneScene(open, query, &trace)
      case .openScenes(let kind, let scope, let wildcardCounts, let singleScenesAllowAll):
        let keys = wildcardCounts ? keys[...] : keys.dropLast()
        return traceScenes(kind, query, keys, scope, &trace, singleScenesAllowAll: singleScenesAllowAll)
      case .conditions(let scope): return traceConditions(query, scope, &trace)
      case .defaults(let scope): return traceDefaults(query, scope, &trace)
      }
    }
  }
}

// MARK: - Candidates

// Each method here returns whether the trace has ended.
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

  private func traceScenes(
    _ kind: IdentifierSetKind,
    _ query: RouteQuery,
    _ keys: ArraySlice<IdentifierKey>,
    _ scope: Scope,
    _ trace: inout Trace,
    singleScenesAllowAll: Bool
  ) -> Bool {
    for candidate in openScenes where scope.contains(candidate.application) {
      guard let scene = scenes[Int(candidate.index)] else { continue }
      var step = step(Rule(kind), scene, matched: false)
      if singleScenesAllowAll, applications[Int(scene.application)]?.isSingleScene == true {
        step.matched = true
        step.pattern = "*"
      } else {
        look(for: keys, in: scene, kind, &step)
      }
      if step.matched { step.rejectedBecause = rejection(ofScene: candidate, query)?.rawValue }
      if trace.add(step) { return true }
    }
    return false
  }

  /// Searches the identifiers of a scene for those that match.
  private func look(
    for keys: ArraySlice<IdentifierKey>,
    in scene: Scene,
    _ kind: IdentifierSetKind,
    _ step: inout TraceStep
  ) {
    let best = mostSpecific(of: keys, scene.holder, kind)
    step.matched = best != nil
    guard let key = best ?? scene.onlyIdentifier(kind) else { return }
    let spelling = scene.spelling(of: key, in: kind)
    step.pattern = spelling ?? holders.texts.spelling(of: key)
    step.registrationID = scene.registrationID(of: key, spelled: spelling, in: kind)
  }

  /// The most specific one of `keys` that a scene or a declaration holds.
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

  private func traceConditions(_ query: RouteQuery, _ scope: Scope, _ trace: inout Trace) -> Bool {
    let fileType = FileType(query.event, fileTypes)
    for place in declaredApplications where scope.contains(place.application) {
      guard let declared = applications[Int(place.application)]?.declaration else { continue }
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
        if add(step, candidate, query, &trace) { return true }
      }
    }
    return false
  }

  private func traceDefaults(_ query: RouteQuery, _ scope: Scope, _ trace: inout Trace) -> Bool {
    for candidate in defaultDeclarations where scope.contains(candidate.application) {
      guard let declared = applications[Int(candidate.application)]?.declaration else { continue }
      var step = step(.default, candidate, declared.declaration.scenes[Int(candidate.index)])
      step.matched = true
      if add(step, candidate, query, &trace) { return true }
    }
    return false
  }

  private func add(
    _ step: TraceStep,
    _ candidate: Candidate,
    _ query: RouteQuery,
    _ trace: inout Trace
  ) -> Bool {
    var step = step
    if step.matched {
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
