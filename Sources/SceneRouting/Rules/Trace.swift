/// One candidate, a scene or a declaration, that a rule was tried on.
package struct TraceStep: Hashable, Sendable {
  /// The rule that was tried.
  package var rule: Rule
  /// The scene, if the candidate is one or has one open.
  package var sceneID: SceneID?
  /// The application the candidate belongs to.
  package var applicationID: String?
  /// The declaration, if the candidate is one or is an instance of one.
  package var declarationID: String?
  /// The registration that holds ``pattern``.
  package var registrationID: String?
  /// The identifier that matched; of a set that did not match the only one it holds.
  package var pattern: String?
  /// Whether the candidate matched.
  package var matched: Bool
  /// Why a candidate that matched was passed over all the same.
  package var rejectedBecause: String?
}

/// The candidates of one decision in the order of the rules, up to the one that won.
package struct Trace: Hashable, Sendable {
  /// The first candidates.
  package fileprivate(set) var steps: [TraceStep] = []
  /// How many more there were up to the winner, as far as they were looked at.
  package fileprivate(set) var omitted = 0
  /// Whether there was too much to look at to come to the winner.
  package fileprivate(set) var isCutShort = false
  /// The step that won, even if it was left out of ``steps``.
  package fileprivate(set) var winner: TraceStep?

  fileprivate let maximum: Int
  /// How many bytes may still be compared: at first so many as take some milliseconds, as everybody waits for it.
  fileprivate var patience = 1 << 20

  fileprivate init(maximum: Int) { self.maximum = maximum }

  /// Notes a candidate, and whether it is the last.
  fileprivate mutating func note(_ step: TraceStep) -> Bool {
    patience -= 64
    guard patience > 0 else {
      isCutShort = true
      return true
    }
    if steps.count < maximum { steps.append(step) } else { omitted += 1 }
    guard step.matched, step.rejectedBecause == nil else { return false }
    winner = step
    return true
  }
}

extension SceneRegistry {
  /// Follows the rules candidate by candidate, looking at each for itself.
  ///
  /// Shares neither the sets nor the search with ``decide(_:)``, and comes to the same end.
  func trace(_ query: RouteQuery, maximum: Int) -> Trace {
    var trace = Trace(maximum: maximum)
    if let id = query.constraints.sceneID {
      if let slot = sceneSlots[id], let scene = scenes[Int(slot)] {
        _ = trace.note(step(.explicit, scene, matched: true))
      }
      return trace
    }
    switch scope(of: query) {
    case nil: break
    case .only(let slot)?: _ = traceOne(slot, query, &trace)
    case let scope?: traceSeveral(scope, query, &trace)
    }
    return trace
  }

  private func traceOne(_ slot: Slot, _ query: RouteQuery, _ trace: inout Trace) -> Bool {
    if let application = applications[Int(slot)], application.isSingleScene, !application.scenes.isEmpty {
      var next = application.scenes.first
      while let candidate = next, let scene = scenes[Int(candidate.index)] {
        var step = step(.singleScene, scene, matched: true)
        step.rejectedBecause = rejection(ofScene: candidate, query)?.rawValue
        if trace.note(step) { return true }
        next = application.scenes.first(after: candidate)
      }
      return false
    }
    let scope = Scope.only(slot)
    return traceScenes(.preferring, query, scope, &trace) || traceScenes(.allowing, query, scope, &trace)
      || traceDeclarations(query, scope, &trace)
  }

  private func traceSeveral(_ scope: Scope, _ query: RouteQuery, _ trace: inout Trace) {
    if traceScenes(.preferring, query, scope, &trace, countingWildcard: false) { return }
    var scope = scope
    if let slot = userDefault(for: query.event, in: scope) {
      if traceOne(slot, query, &trace) { return }
      scope = .others(scope, than: slot)
    }
    _ =
      traceScenes(.preferring, query, scope, &trace)
      || traceScenes(.allowing, query, scope, &trace, countingSingleScenes: true)
      || traceDeclarations(query, scope, &trace)
  }
}

// MARK: - Candidates

extension SceneRegistry {
  private func traceScenes(
    _ kind: IdentifierSetKind,
    _ query: RouteQuery,
    _ scope: Scope,
    _ trace: inout Trace,
    countingWildcard: Bool = true,
    countingSingleScenes: Bool = false
  ) -> Bool {
    let open = scenes.indices.compactMap { scenes[$0]?.candidate }
      .filter { contains($0.application, in: scope) }.sorted { $0.order < $1.order }
    for candidate in open {
      guard let scene = scenes[Int(candidate.index)] else { continue }
      var step = step(kind == .preferring ? .preferring : .allowing, scene, matched: false)
      if countingSingleScenes, applications[Int(scene.application)]?.isSingleScene == true {
        step.matched = true
        step.pattern = "*"
      } else {
        look(for: query, in: scene, kind, countingWildcard: countingWildcard, &step, &trace)
      }
      if step.matched { step.rejectedBecause = rejection(ofScene: scene.candidate, query)?.rawValue }
      if trace.note(step) { return true }
    }
    return false
  }

  /// Compares every identifier of one kind that the scene holds.
  private func look(
    for query: RouteQuery,
    in scene: Scene,
    _ kind: IdentifierSetKind,
    countingWildcard: Bool,
    _ step: inout TraceStep,
    _ trace: inout Trace
  ) {
    var best: IdentifierKey?
    for sets in scene.registrations {
      guard trace.patience > 0 else { return }
      let matching = matching(sets.identifiers(kind), query, countingWildcard: countingWildcard, &trace)
      guard let matching, best.map({ identifiers.isMoreSpecific(matching, than: $0) }) ?? true else {
        continue
      }
      best = matching
    }
    step.matched = best != nil
    guard let key = best ?? onlyIdentifier(of: scene, kind) else { return }
    let holding = scene.registrations.indices.filter {
      scene.registrations[$0].identifiers(kind).keys.contains(key)
    }
    let told = scene.spelling(of: key, in: kind, by: holding)
    step.pattern = told.spelling ?? identifiers.spelling(key)
    step.registrationID = told.index.map { scene.registrations[$0].id }
  }

  /// The most specific of those identifiers that match.
  private func matching(
    _ set: RegisteredIdentifiers,
    _ query: RouteQuery,
    countingWildcard: Bool,
    _ trace: inout Trace
  ) -> IdentifierKey? {
    var best: IdentifierKey?
    trace.patience -= 64
    for key in set.keys {
      trace.patience -= (query.text?.bytes.count ?? 0) + identifiers.length(key)
      guard trace.patience > 0 else { return nil }
      if key == IdentifierTable.wildcard, !countingWildcard { continue }
      guard identifiers.isMatch(key, in: query.text),
        best.map({ identifiers.isMoreSpecific(key, than: $0) }) ?? true
      else { continue }
      best = key
    }
    return best
  }

  /// The identifier of a scene that has no other in its sets of one kind.
  private func onlyIdentifier(of scene: Scene, _ kind: IdentifierSetKind) -> IdentifierKey? {
    var only: IdentifierKey?
    for sets in scene.registrations {
      for key in sets.identifiers(kind).keys {
        if let only, only != key { return nil }
        only = key
      }
    }
    return only
  }

  private func traceDeclarations(_ query: RouteQuery, _ scope: Scope, _ trace: inout Trace) -> Bool {
    let declared = declared(in: scope)
    let fileKeys = FileType(query.event)?.keys ?? []
    for application in declared {
      for (index, declaration) in application.declaration.scenes.enumerated() where !declaration.isDefault {
        let rule: Rule = declaration.kind == .documentGroup ? .document : .matching
        let candidate = application.candidate(index)
        var step = step(rule, candidate, declaration)
        if declaration.kind == .documentGroup {
          trace.patience -= 64 * declaration.supportedTypes.count
          step.pattern = declaration.supportedTypes.first { fileKeys.contains($0.lowercased()) }
          step.matched = step.pattern != nil
        } else {
          let set = application.matching[index]
          let best = matching(set, query, countingWildcard: true, &trace)
          step.matched = best != nil
          let told = best ?? (set.keys.count == 1 ? set.keys.first : nil)
          step.pattern = told.map { spelling(of: $0, by: candidate) }
        }
        if note(step, candidate, query, &trace) { return true }
      }
    }
    for application in declared {
      for (index, declaration) in application.declaration.scenes.enumerated() where declaration.isDefault {
        let candidate = application.candidate(index)
        var step = step(.default, candidate, declaration)
        step.matched = true
        if note(step, candidate, query, &trace) { return true }
      }
    }
    return false
  }

  /// What the applications in a scope declare, in the order of the rules.
  private func declared(in scope: Scope) -> [Application.Declared] {
    applications.indices.filter { contains(Slot($0), in: scope) }
      .compactMap { applications[$0]?.declaration }.sorted { $0.first.order < $1.first.order }
  }

  private func note(
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
    return trace.note(step)
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
