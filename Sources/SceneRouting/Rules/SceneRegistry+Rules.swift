/// One step of the rules: those that are asked for an event together, in their order.
enum Tier {
  /// The one scene of an application; several if they were open before there was to be one.
  case oneScene(SortedCandidates)
  /// Open scenes with one of the identifiers in their sets of one kind.
  ///
  /// `wildcard` tells whether the scene of a single-scene application takes part as if it had `*` there, in place of what
  /// it has.
  case openScenes(IdentifierSetKind, ArraySlice<IdentifierKey>, Scope, singleScenesAllowAll: Bool = false)
  /// Declarations with one of the identifiers or of the event's file types, then those without a condition.
  case declarations(ArraySlice<IdentifierKey>, Scope)
}

extension SceneRegistry {
  /// Asks tier after tier, in the order of the routing contract, until one takes the event; returns whether one did.
  ///
  /// `keys` are those of the identifiers that match, that of `*` as the last.
  @inline(__always)
  func askTiers(_ query: RouteQuery, _ keys: [IdentifierKey], takes: (Tier) -> Bool) -> Bool {
    guard let scope = scope(of: query) else { return false }
    if let application = scope.only { return askTiers(of: application, scope, keys[...], takes: takes) }
    // A specific preference wins everywhere: `*` does not count.
    if takes(.openScenes(.preferring, keys.dropLast(), scope)) { return true }
    var others = scope
    if let application = userDefault(for: query.event, in: scope) {
      if askTiers(of: application, Scope(only: application), keys[...], takes: takes) { return true }
      others = scope.excluding(application)
    }
    return takes(.openScenes(.preferring, keys[...], others))
      || takes(.openScenes(.allowing, keys[...], others, singleScenesAllowAll: true))
      || takes(.declarations(keys[...], others))
  }

  /// Asks the tiers of one application.
  @inline(__always)
  private func askTiers(
    of application: Slot,
    _ scope: Scope,
    _ keys: ArraySlice<IdentifierKey>,
    takes: (Tier) -> Bool
  ) -> Bool {
    if applications[Int(application)]?.isSingleScene == true,
      let open = applications[Int(application)]?.scenes,
      !open.isEmpty
    {
      return takes(.oneScene(open))
    }
    return takes(.openScenes(.preferring, keys, scope)) || takes(.openScenes(.allowing, keys, scope))
      || takes(.declarations(keys, scope))
  }
}
