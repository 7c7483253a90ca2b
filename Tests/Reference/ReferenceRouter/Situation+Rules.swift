extension Situation {
  typealias Decision = ReferenceRouter.Decision

  func decide() -> ReferenceRouter.Outcome {
    if let sceneId = constraints.sceneId {
      guard scenario.scenes.contains(where: { $0.id == sceneId }) else { return .noSuchScene }
      return .routed(Decision(rule: .explicit, target: .scene(id: sceneId)))
    }
    if let applicationId = constraints.applicationId {
      guard let application = applications.first(where: { $0.id == applicationId }) else {
        return .noSuchApplication
      }
      return outcome(decideAlone(application))
    }
    let participants = participants
    return outcome(participants.count == 1 ? decideAlone(participants[0]) : decideTogether(participants))
  }

  private func outcome(_ decision: Decision?) -> ReferenceRouter.Outcome {
    decision.map { .routed($0) } ?? .notRouted
  }

  /// The rules when one application takes part.
  private func decideAlone(_ application: Scenario.Application) -> Decision? {
    if application.isSingleScene, !openScenes(of: application).isEmpty {
      return candidates(of: [application]).first.map { scene in
        Decision(rule: .singleScene, target: .scene(id: scene.id))
      }
    }
    return preferring([application]) ?? allowing([application]) ?? declarations([application])
      ?? defaults([application])
  }

  /// The rules when several applications take part, or none.
  private func decideTogether(_ applications: [Scenario.Application]) -> Decision? {
    if let decision = preferring(applications, countsAsterisk: false) { return decision }
    var others = applications
    for id in hostApplications.map(\.id) + [userDefault(among: others)].compactMap({ $0 }) {
      guard let turn = others.firstIndex(where: { $0.id == id }) else { continue }
      if let decision = decideAlone(others.remove(at: turn)) { return decision }
    }
    // Those whose claims are as close as any, then those who only claim what the file is a kind of, nearer types first.
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
        if let decision = decideAlone(others.remove(at: place)) { return decision }
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

  private func preferring(_ applications: [Scenario.Application], countsAsterisk: Bool = true) -> Decision? {
    for scene in candidates(of: applications) {
      let decision = decision(.preferring, scene) { registration in
        registration.preferring.filter { countsAsterisk || $0 != "*" }
      }
      if let decision { return decision }
    }
    return nil
  }

  private func allowing(_ applications: [Scenario.Application]) -> Decision? {
    for scene in candidates(of: applications) {
      // With one application alone the rule `singleScene` has taken the event before.
      if application(scene.applicationId).isSingleScene {
        return Decision(
          rule: .allowing,
          target: .scene(id: scene.id),
          matchedPatterns: ["*"],
          matchedField: event.comparison?.field
        )
      }
      if let decision = decision(.allowing, scene, of: \.allowing) { return decision }
    }
    return nil
  }

  private func decision(
    _ rule: ReferenceRouter.Rule,
    _ scene: Scenario.Scene,
    of set: (Scenario.Registration) -> [String]
  ) -> Decision? {
    let matching = scene.registrations.filter { set($0).contains(where: matches) }
    guard !matching.isEmpty else { return nil }
    return Decision(
      rule: rule,
      target: .scene(id: scene.id),
      matchedPatterns: Set(matching.flatMap(set).filter(matches)),
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

  /// The declarations in order, without those of single-scene applications that have their scene already.
  private func openable(
    _ applications: [Scenario.Application]
  ) -> [(Scenario.Application, Scenario.Declaration)] {
    applications.filter { !$0.isSingleScene || openScenes(of: $0).isEmpty }.flatMap { application in
      application.declarations.map { (application, $0) }
    }
  }

  /// Where a declaration sends the event; nil if it is to be passed over.
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
    ReferenceFolding.matches(identifier: identifier, comparisonString: event.comparison?.string)
  }
}
