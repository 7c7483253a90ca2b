/// Which applications claim what, and which take part in what nobody claims.
struct ClaimTable {
  private var claimants: [ClaimKey: ApplicationSet] = [:]
  /// The first declarations of those who claim a host, which are in the order of the applications.
  private(set) var hosts = HostTable<SortedCandidates>()
  private var unclaiming = ApplicationSet()

  /// Notes what an application declares.
  mutating func insert(_ declared: Application.Declared) {
    let declaration = declared.declaration
    let application = declared.first.application
    setTakesUnclaimed(declaration.takesUnclaimed, of: application)
    guard !declaration.isForNamedEventsOnly else { return }
    for claim in declaration.claims.keys { claimants[claim, default: ApplicationSet()].insert(application) }
    for claim in declaration.hostClaims {
      if hosts[claim] == nil { hosts[claim] = SortedCandidates() }
      hosts[claim]?.insert(declared.first)
    }
  }

  /// Removes what an application declares: one that only has scenes takes part in what nobody claims.
  mutating func remove(_ declared: Application.Declared) {
    let application = declared.first.application
    for claim in declared.declaration.claims.keys {
      claimants[claim]?.remove(application)
      if claimants[claim]?.count == 0 { claimants[claim] = nil }
    }
    for claim in declared.declaration.hostClaims {
      hosts[claim]?.remove(declared.first)
      if hosts[claim]?.isEmpty == true { hosts[claim] = nil }
    }
    setTakesUnclaimed(true, of: application)
  }

  /// Notes whether an application takes part in what nobody claims.
  mutating func setTakesUnclaimed(_ takesUnclaimed: Bool, of application: Slot) {
    if takesUnclaimed { unclaiming.insert(application) } else { unclaiming.remove(application) }
  }

  /// Whether there is anything that an application claims.
  var isEmpty: Bool { claimants.isEmpty }

  /// The applications that claim an event, those that claim its host included; if there are none, those that take part
  /// in what nobody claims.
  ///
  /// `choices` are what the user's lists say of each type of the event; empty if they say nothing of any claim.
  func participants(
    in event: EventClaims,
    _ hostClaimants: [Slot],
    _ choices: [TypeChoices]
  ) -> Claimants {
    var claiming = ApplicationSet()
    for key in event.others {
      guard var more = claimants[key] else { continue }
      if case .mimeType = key, let type = choices.first { for slot in type.removed { more.remove(slot) } }
      if claiming.count == 0 { claiming = more } else { claiming.formUnion(more) }
    }
    for application in hostClaimants { claiming.insert(application) }
    var closest: Int?
    var farther: [FartherType] = []
    var removed = ApplicationSet()
    for (index, names) in event.types.enumerated() {
      var more = ApplicationSet()
      for name in names { claimants[name].map { more.formUnion($0) } }
      if !choices.isEmpty {
        let chosen = choices[index].defaultApplication
        let isClaimant = chosen.map { more.contains($0) } ?? false
        more.subtract(removed)
        if closest == nil, let chosen, isClaimant { more.insert(chosen) }
        for slot in choices[index].removed { removed.insert(slot) }
      }
      guard more.count > 0 else { continue }
      if closest != nil {
        var waiting = more
        waiting.subtract(claiming)
        if waiting.count > 0 { farther.append(FartherType(names: names, claimants: Scope(waiting))) }
      }
      closest = closest ?? index
      claiming.formUnion(more)
    }
    return Claimants(
      all: Scope(claiming.count > 0 ? claiming : unclaiming),
      closestType: closest,
      farther: farther
    )
  }

  /// The applications that take part in what nobody claims.
  var unclaimingScope: Scope { Scope(unclaiming) }
}

/// Those who claim an event.
struct Claimants {
  let all: Scope
  /// The first of the event's types that somebody claims; nil if nobody claims any.
  let closestType: Int?
  /// Those among them that have to wait for others.
  let farther: [FartherType]
}

/// What the user's lists say of a type that a file is, or is a kind of.
///
/// As in GIO: who was removed from a type does not get its files by a more general type either, unless as the default of
/// that one, while no closer type is claimed.
struct TypeChoices {
  let defaultApplication: Slot?
  let removed: [Slot]
}

/// A MIME type that a file is only a kind of, while a closer one is claimed too.
struct FartherType {
  let names: [ClaimKey]
  /// Those that claim it and nothing closer; they wait for the others.
  let claimants: Scope
}

extension HostTable: Equatable where Value: Equatable {}

/// What belongs to each host claim, found by URL.
struct HostTable<Value> {
  private var values: [ArraySlice<UInt8>: [ArraySlice<UInt8>: Value]] = [:]

  var isEmpty: Bool { values.isEmpty }

  /// What belongs to a claim.
  subscript(claim: HostClaim) -> Value? {
    get { values[claim.host]?[claim.path] }
    _modify {
      defer { if values[claim.host]?.isEmpty == true { values[claim.host] = nil } }
      yield &values[claim.host, default: [:]][claim.path]
    }
  }

  /// What belongs to the claims that cover an event, the closest first.
  func values(covering event: Event) -> [Value] {
    guard !isEmpty, case .url(let url) = event.content, let address = WebAddress(url) else {
      return []
    }
    return address.hosts.flatMap { host in
      values[host].map { values in address.paths.compactMap { values[$0] } } ?? []
    }
  }
}
