struct ClaimTable {
  private var claimants: [ClaimKey: ApplicationSet] = [:]
  /// Each application is represented by its first kind of window, and has its place among all applications.
  private(set) var hosts = HostTable<SortedCandidates>()
  private(set) var unclaiming = ApplicationSet()

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

  /// An application without a declaration takes part in events that nobody claims.
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

  mutating func setTakesUnclaimed(_ takesUnclaimed: Bool, of application: Slot) {
    if takesUnclaimed { unclaiming.insert(application) } else { unclaiming.remove(application) }
  }

  /// Claims of hosts do not count.
  var isEmpty: Bool { claimants.isEmpty }

  /// The claimants and the applications of `first`; if there are none, those of ``unclaiming``.
  ///
  /// `closestType` is the index in ``EventClaims/types`` of the first claimed type.
  ///
  /// - `first`: the claimants of the host, and the applications that the user chose for the event
  /// - `choices`: the user's lists for each type of the event; empty if they are empty
  func participants(
    in event: EventClaims,
    _ first: [FirstAsked],
    _ choices: [TypeChoices]
  ) -> (participants: Participants, closestType: Int?) {
    var claiming = ApplicationSet()
    for key in event.others {
      guard var more = claimants[key] else { continue }
      if case .mimeType = key, let type = choices.first { for slot in type.removed { more.remove(slot) } }
      if claiming.count == 0 { claiming = more } else { claiming.formUnion(more) }
    }
    for asked in first { claiming.insert(asked.application) }
    var closest: Int?
    var farther: [SupertypeClaim] = []
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
        if waiting.count > 0 { farther.append(SupertypeClaim(names: names, claimants: waiting)) }
      }
      closest = closest ?? index
      claiming.formUnion(more)
    }
    let participants = Participants(
      all: claiming.count > 0 ? claiming : unclaiming,
      isClaimed: claiming.count > 0,
      farther: farther
    )
    return (participants, closest)
  }

  func takesUnclaimed(_ application: Slot) -> Bool { unclaiming.contains(application) }
}

/// The user's lists (`mimeapps.list`) for the type of a file, or for one of its supertypes.
///
/// As in GIO, an application removed from `text/html` gets no such file by its claim on `text/plain`. This claim counts
/// only if the application is the default for `text/plain` and nobody claims a closer type.
struct TypeChoices {
  let defaultApplication: Slot?
  let removed: [Slot]
}

/// A supertype that some applications claim, while others claim a closer type.
struct SupertypeClaim {
  let names: [ClaimKey]
  /// The applications that claim no closer type.
  let claimants: ApplicationSet
}

extension HostTable: Equatable where Value: Equatable {}

/// The values of host claims, found by the URL of an event.
struct HostTable<Value> {
  private var values: [ArraySlice<UInt8>: [ArraySlice<UInt8>: Value]] = [:]

  var isEmpty: Bool { values.isEmpty }

  subscript(claim: HostClaim) -> Value? {
    get { values[claim.host]?[claim.path] }
    _modify {
      defer { if values[claim.host]?.isEmpty == true { values[claim.host] = nil } }
      yield &values[claim.host, default: [:]][claim.path]
    }
  }

  /// The closest claim first; see ``HostClaim/closest(to:among:)``.
  func values(covering event: Event) -> [Value] {
    guard !isEmpty, case .url(let url) = event.content, let address = WebAddress(url) else {
      return []
    }
    return address.hosts.flatMap { host in
      values[host].map { values in address.paths.compactMap { values[$0] } } ?? []
    }
  }
}
