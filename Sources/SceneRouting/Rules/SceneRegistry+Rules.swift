/// One step of the rules: those that are asked for an event together, in their order.
enum Tier {
  /// The one scene of an application; there are several if they opened before the application allowed only one.
  case oneScene(SortedCandidates)
  /// Open scenes with one of the identifiers in their sets of one kind.
  ///
  /// If `*` does not count, only the other identifiers do. If single scenes allow all, the scene of a single-scene
  /// application takes part as if it had `*` and nothing else.
  case openScenes(
    IdentifierSetKind,
    Scope,
    wildcardCounts: Bool = true,
    singleScenesAllowAll: Bool = false
  )
  /// Declarations with one of the identifiers or of the event's file types, then those without a condition.
  case declarations(Scope)
}

extension SceneRegistry {
  /// Asks tier after tier, in the order of the routing contract, until one takes the event; returns whether one did.
  @inline(__always)
  func askTiers(_ query: RouteQuery, takes: (Tier) -> Bool) -> Bool {
    guard let scope = scope(of: query) else { return false }
    if let application = scope.only { return askTiers(of: application, scope, takes: takes) }
    // A specific preference wins everywhere.
    if takes(.openScenes(.preferring, scope, wildcardCounts: false)) { return true }
    var others = scope
    if let application = userDefault(for: query.event, in: scope) {
      if askTiers(of: application, Scope(only: application), takes: takes) { return true }
      others = scope.excluding(application)
    }
    return takes(.openScenes(.preferring, others))
      || takes(.openScenes(.allowing, others, singleScenesAllowAll: true))
      || takes(.declarations(others))
  }

  /// Asks the tiers of one application.
  @inline(__always)
  private func askTiers(
    of application: Slot,
    _ scope: Scope,
    takes: (Tier) -> Bool
  ) -> Bool {
    if let application = applications[Int(application)], application.isSingleScene,
      !application.scenes.isEmpty
    {
      return takes(.oneScene(application.scenes))
    }
    return takes(.openScenes(.preferring, scope)) || takes(.openScenes(.allowing, scope))
      || takes(.declarations(scope))
  }
}
