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

  /// Whether an application claims one of some keys.
  func hasClaimant(ofOneOf keys: [ClaimKey]) -> Bool { keys.contains { claimants[$0] != nil } }

  /// The applications that claim an event, those that claim its host included; if there are none, those that take part
  /// in what nobody claims.
  ///
  /// `farther` are those among them that have to wait for others.
  func participants(in event: EventClaims, _ hostClaimants: [Slot]) -> (all: Scope, farther: [FartherType]) {
    var claiming = ApplicationSet()
    for key in event.others {
      guard let more = claimants[key] else { continue }
      if claiming.count == 0 { claiming = more } else { claiming.formUnion(more) }
    }
    for application in hostClaimants { claiming.insert(application) }
    var farther: [FartherType] = []
    var isCloserClaimed = false
    for names in event.types where hasClaimant(ofOneOf: names) {
      var more = ApplicationSet()
      for name in names { claimants[name].map { more.formUnion($0) } }
      if isCloserClaimed {
        var waiting = more
        waiting.subtract(claiming)
        if waiting.count > 0 { farther.append(FartherType(names: names, claimants: Scope(waiting))) }
      }
      isCloserClaimed = true
      claiming.formUnion(more)
    }
    return (Scope(claiming.count > 0 ? claiming : unclaiming), farther)
  }

  /// The applications that take part in what nobody claims.
  var unclaimingScope: Scope { Scope(unclaiming) }
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
