/// Which applications claim what, and which take part in what nobody claims.
struct ClaimTable {
  private var claimants: [ClaimKey: ApplicationSet] = [:]
  private var unclaiming = ApplicationSet()

  /// Notes what an application declares.
  mutating func insert(_ declaration: ApplicationDeclaration, of application: Slot) {
    for claim in declaration.claims.keys { claimants[claim, default: ApplicationSet()].insert(application) }
    setTakesUnclaimed(declaration.takesUnclaimed, of: application)
  }

  /// Removes what an application declares: one that only has scenes takes part in what nobody claims.
  mutating func remove(_ declaration: ApplicationDeclaration, of application: Slot) {
    for claim in declaration.claims.keys {
      claimants[claim]?.remove(application)
      if claimants[claim]?.count == 0 { claimants[claim] = nil }
    }
    setTakesUnclaimed(true, of: application)
  }

  /// Notes whether an application takes part in what nobody claims.
  mutating func setTakesUnclaimed(_ takesUnclaimed: Bool, of application: Slot) {
    if takesUnclaimed { unclaiming.insert(application) } else { unclaiming.remove(application) }
  }

  /// The applications that claim an event; if there are none, those that take part in what nobody claims.
  func scope(of event: Event) -> Scope {
    guard !claimants.isEmpty else { return Scope(unclaiming) }
    var claiming = ApplicationSet()
    for key in event.claimKeys {
      guard let more = claimants[key] else { continue }
      if claiming.count == 0 { claiming = more } else { claiming.formUnion(more) }
    }
    return Scope(claiming.count > 0 ? claiming : unclaiming)
  }
}
