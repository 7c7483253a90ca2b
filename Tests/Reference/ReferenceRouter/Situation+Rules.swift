extension Situation {
  typealias Decision = ReferenceRouter.Decision

  func decide() -> ReferenceRouter.Outcome {
    if let sceneId = constraints.sceneId {
      guard scenario.scenes.contains(where: { $0.id == sceneId }) else { return .noSuchScene }
      return .routed(Decision(rule: .explicit, target: .scene(id: sceneId), because: .sender))
    }
    if let applicationId = constraints.applicationId {
      guard let application = applications.first(where: { $0.id == applicationId }) else {
        return .noSuchApplication
      }
      return outcome(decideAlone(application, because: .sender))
    }
    let participants = participants
    let isOneAlone = participants.count == 1
    if !isOneAlone || isShownByOthers(than: participants[0]), let decision = showing(applications) {
      return .routed(decision)
    }
    let decision = isOneAlone ? decideAlone(participants[0], because: .only) : decideTogether(participants)
    return outcome(decision ?? decideLast(besides: participants))
  }

  /// Asks the open scenes of the applications that do not take part, by identifiers other than `*`.
  private func decideLast(besides participants: [Scenario.Application]) -> Decision? {
    let scenes = candidates(of: applications.filter { other in !participants.contains { $0.id == other.id } })
    return closest(scenes.map { decision(.preferring, $0) { $0.preferring.filter { $0 != "*" } } })
      ?? closest(scenes.map { decision(.allowing, $0) { $0.allowing.filter { $0 != "*" } } })
  }

  private func outcome(_ decision: Decision?) -> ReferenceRouter.Outcome {
    decision.map { .routed($0) } ?? .notRouted
  }

  /// Applies the rules to one application alone.
  private func decideAlone(
    _ application: Scenario.Application,
    because: ReferenceRouter.Because,
    hostClaims: Set<String> = []
  ) -> Decision? {
    guard var decision = decideAlone(application) else { return nil }
    decision.because = because == .only && decision.rule == .showing ? .showing : because
    decision.hostClaims = hostClaims
    return decision
  }

  private func decideAlone(_ application: Scenario.Application) -> Decision? {
    if application.isSingleScene, !openScenes(of: application).isEmpty {
      return candidates(of: [application]).first.map { scene in
        Decision(rule: .singleScene, target: .scene(id: scene.id))
      }
    }
    return showing([application]) ?? preferring([application]) ?? allowing([application])
      ?? declarations([application]) ?? defaults([application])
  }

  /// Applies the rules that come after the rule `showing`.
  ///
  /// `applications` has several elements or none. For a single application, `decide` calls `decideAlone`.
  private func decideTogether(_ applications: [Scenario.Application]) -> Decision? {
    if var decision = preferring(applications, countsAsterisk: false) {
      decision.because = .preferring
      return decision
    }
    var others = applications
    var turns = turns
    if let id = userDefault(among: applications) {
      turns.append(Turn(applicationId: id, because: .userDefault))
    }
    for turn in turns {
      guard let place = others.firstIndex(where: { $0.id == turn.applicationId }) else { continue }
      let application = others.remove(at: place)
      if let decision = decideAlone(application, because: turn.because, hostClaims: turn.hostClaims) {
        return decision
      }
    }
    // The applications with the closest claims come first. Then come the applications that claim only a supertype of
    // the file's type, closer types first.
    let closestClaim = applications.compactMap { distanceOfClaims(of: $0) }.min()
    let closestDistance = closestClaim ?? 0
    func distance(_ application: Scenario.Application) -> Int {
      hasOtherClaim(application) ? closestDistance : distanceOfClaims(of: application) ?? closestDistance
    }
    let distances = Set(applications.map(distance)).sorted()
    for turn in distances {
      if turn > closestDistance, let id = defaultId(ofTypeAt: turn),
        let place = others.firstIndex(where: { $0.id == id })
      {
        if let decision = decideAlone(others.remove(at: place), because: .userDefault) { return decision }
      }
      var lists = turn == closestClaim || turn > closestDistance ? preferences(forTypeAt: turn) : []
      if turn == closestDistance { lists += preferencesForOtherClaims }
      let equals = inOrder(others.filter { distance($0) == turn }, of: lists)
      if let decision = decideAsEquals(equals) { return decision }
      others.removeAll { distance($0) == turn }
    }
    return nil
  }

  private func decideAsEquals(_ applications: [Scenario.Application]) -> Decision? {
    preferring(applications) ?? allowing(applications) ?? declarations(applications)
      ?? defaults(applications)
  }

  /// Whether a scene of another application shows the URL of the event, and may receive the event.
  private func isShownByOthers(than application: Scenario.Application) -> Bool {
    candidates(of: applications.filter { $0.id != application.id }).contains { scene in
      scene.registrations.flatMap(\.showing).contains(where: isShown)
    }
  }

  private func showing(_ applications: [Scenario.Application]) -> Decision? {
    let scenes = candidates(of: applications).filter {
      $0.registrations.flatMap(\.showing).contains(where: isShown)
    }
    func exact(_ scene: Scenario.Scene) -> [String] {
      scene.registrations.flatMap(\.showing).filter(isShownWithFragment)
    }
    if let scene = scenes.first(where: { !exact($0).isEmpty }) ?? scenes.first {
      let all = scene.registrations.flatMap(\.showing).filter(isShown)
      let entries = exact(scene).isEmpty ? all : exact(scene)
      return Decision(
        rule: .showing,
        target: .scene(id: scene.id),
        matchedPatterns: Set(entries),
        resolvedPatterns: Set(entries.filter { !isSame($0, event.document?.url) }),
        matchedField: event.document?.field,
        registrationIds: Set(scene.registrations.filter { $0.showing.contains(where: isShown) }.map(\.id)),
        because: .showing
      )
    }
    return nil
  }

  /// Whether an entry of `showing` names the same page or file as the event's URL.
  private func isShown(_ entry: String) -> Bool {
    isSame(entry, event.document?.url) || isSame(entry, event.resolvedURL)
  }

  /// Whether an entry of `showing` is also equal to the event's URL, or to its resolved URL, with its fragment.
  private func isShownWithFragment(_ entry: String) -> Bool {
    [event.document?.url, event.resolvedURL].contains { url in
      isSame(entry, url) && ReferenceURL.haveSameFragment(entry, url ?? "")
    }
  }

  private func isSame(_ entry: String, _ url: String?) -> Bool {
    url.map { ReferenceURL.areSame(entry, $0, machineName: scenario.machineName) } ?? false
  }

  private func preferring(_ applications: [Scenario.Application], countsAsterisk: Bool = true) -> Decision? {
    closest(
      candidates(of: applications).map { scene in
        decision(.preferring, scene) { registration in
          registration.preferring.filter { countsAsterisk || $0 != "*" }
        }
      }
    )
  }

  private func allowing(_ applications: [Scenario.Application]) -> Decision? {
    closest(
      candidates(of: applications).map { scene in
        // The scene of a single-scene application counts as a scene that allows `*`. `decideAlone` has its own rule for
        // such a scene.
        guard application(scene.applicationId).isSingleScene else {
          return decision(.allowing, scene, of: \.allowing)
        }
        return Decision(
          rule: .allowing,
          target: .scene(id: scene.id),
          matchedPatterns: ["*"],
          matchedField: event.comparison?.field
        )
      }
    )
  }

  /// The decision with the longest pattern; of several decisions with equally long patterns, the first.
  ///
  /// Patterns that occur byte for byte come before equally long ones that do not.
  private func closest(_ decisions: [Decision?]) -> Decision? {
    var closest: Decision?
    for decision in decisions.compactMap({ $0 }) {
      guard let own = decision.matchedPatterns.map(closeness).max(by: <) else { continue }
      if let others = closest?.matchedPatterns.map(closeness).max(by: <), others >= own { continue }
      closest = decision
    }
    return closest
  }

  private func closeness(_ identifier: String) -> (length: Int, exactness: Int) {
    let texts = [event.comparison?.string, event.resolvedURL].compactMap { $0 }
    let isExact = identifier != "*" && texts.contains { Array($0.utf8).contains(Array(identifier.utf8)) }
    return (length(identifier), isExact ? 1 : 0)
  }

  /// The length of an identifier: the number of its bytes after folding.
  ///
  /// The length of `*` is 0, because `*` counts as shorter than any other identifier.
  private func length(_ identifier: String) -> Int {
    identifier == "*" ? 0 : ReferenceFolding.fold(identifier).utf8.count
  }

  private func decision(
    _ rule: ReferenceRouter.Rule,
    _ scene: Scenario.Scene,
    of set: (Scenario.Registration) -> [String]
  ) -> Decision? {
    let matching = scene.registrations.filter { set($0).contains(where: matches) }
    guard !matching.isEmpty else { return nil }
    let patterns = matching.flatMap(set).filter(matches)
    let closest = patterns.filter { pattern in patterns.allSatisfy { closeness($0) <= closeness(pattern) } }
    return Decision(
      rule: rule,
      target: .scene(id: scene.id),
      matchedPatterns: Set(closest),
      resolvedPatterns: Set(closest.filter { !matchesOwn($0) }),
      matchedField: event.comparison?.field,
      registrationIds: Set(matching.map(\.id))
    )
  }

  private func declarations(_ applications: [Scenario.Application]) -> Decision? {
    for (application, declaration) in openable(applications) {
      let patterns: [String]
      switch declaration.kind {
      case .windowGroup: patterns = (declaration.matching ?? []).filter(matches)
      case .documentGroup: patterns = declaration.supportedTypes.filter(isDocument)
      }
      guard !patterns.isEmpty, let target = target(application, declaration) else { continue }
      let isWindow = declaration.kind == .windowGroup
      return Decision(
        rule: isWindow ? .matching : .document,
        target: target,
        matchedPatterns: Set(patterns),
        resolvedPatterns: isWindow ? Set(patterns.filter { !matchesOwn($0) }) : [],
        matchedField: isWindow ? event.comparison?.field : event.document?.field
      )
    }
    return nil
  }

  private func defaults(_ applications: [Scenario.Application]) -> Decision? {
    for (application, declaration) in openable(applications)
    where declaration.kind == .windowGroup && declaration.matching == nil {
      guard let target = target(application, declaration) else { continue }
      return Decision(rule: .default, target: target)
    }
    return nil
  }

  /// The declarations to try, application by application.
  ///
  /// A single-scene application with an open scene is left out, because it cannot open another scene.
  private func openable(
    _ applications: [Scenario.Application]
  ) -> [(Scenario.Application, Scenario.Declaration)] {
    applications.filter { !$0.isSingleScene || openScenes(of: $0).isEmpty }.flatMap { application in
      application.declarations.map { (application, $0) }
    }
  }

  /// Where a declaration sends the event; nil if the declaration is passed over.
  private func target(
    _ application: Scenario.Application,
    _ declaration: Scenario.Declaration
  ) -> ReferenceRouter.Target? {
    let scenes = openScenes(of: application).filter { $0.declarationId == declaration.id }
    if declaration.isSingleton, !scenes.isEmpty {
      return scenes.first(where: mayReceive).map { .scene(id: $0.id) }
    }
    let new = ReferenceRouter.Target.newScene(applicationId: application.id, declarationId: declaration.id)
    return constraints.allowNewScene && !tried.contains(new) ? new : nil
  }

  private func matches(_ identifier: String) -> Bool {
    matchesOwn(identifier)
      || ReferenceFolding.matches(identifier: identifier, comparisonString: event.resolvedURL)
  }

  /// Whether an identifier matches the comparison string; the resolved URL does not count.
  private func matchesOwn(_ identifier: String) -> Bool {
    ReferenceFolding.matches(identifier: identifier, comparisonString: event.comparison?.string)
  }
}
