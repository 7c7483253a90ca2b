/// The claims of all applications, and the applications that take part in events that nobody claims.
struct ClaimTable {
  private var claimants: [ClaimKey: ApplicationSet] = [:]
  /// For each claimed host, the applications that claim it, sorted by their place among all applications.
  ///
  /// Each application is represented by its first kind of window.
  private(set) var hosts = HostTable<SortedCandidates>()
  private var unclaiming = ApplicationSet()

  /// Adds the claims of an application.
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

  /// Removes the claims of an application.
  ///
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

  /// Sets whether an application takes part in events that nobody claims.
  mutating func setTakesUnclaimed(_ takesUnclaimed: Bool, of application: Slot) {
    if takesUnclaimed { unclaiming.insert(application) } else { unclaiming.remove(application) }
  }

  /// Whether the table has no claims of schemes, activity types or MIME types; claims of hosts do not count.
  var isEmpty: Bool { claimants.isEmpty }

  /// The applications that take part in an event.
  ///
  /// These are the applications that claim the event or its host, and the applications that the user chose for the
  /// event. If there is no such application, the applications of ``unclaimingScope`` take part.
  ///
  /// - `first` has the applications that claim the host, and the applications that the user chose for the event.
  /// - `choices` has the entries of the user's lists for each type of the event. It is empty if the lists are empty.
  func participants(
    in event: EventClaims,
    _ first: [FirstAsked],
    _ choices: [TypeChoices]
  ) -> Claimants {
    var claiming = ApplicationSet()
    for key in event.others {
      guard var more = claimants[key] else { continue }
      if case .mimeType = key, let type = choices.first { for slot in type.removed { more.remove(slot) } }
      if claiming.count == 0 { claiming = more } else { claiming.formUnion(more) }
    }
    for asked in first { claiming.insert(asked.application) }
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
      isClaimed: claiming.count > 0,
      closestType: closest,
      farther: farther
    )
  }

  /// Whether an application takes part in events that nobody claims.
  func takesUnclaimed(_ application: Slot) -> Bool { unclaiming.contains(application) }

  /// The applications that take part in events that nobody claims.
  var unclaimingScope: Scope { Scope(unclaiming) }
}

/// The applications that take part in an event, as ``ClaimTable`` finds them.
struct Claimants {
  let all: Scope
  /// Whether some application claims the event or its host, or was chosen by the user for the event.
  let isClaimed: Bool
  /// The index in ``EventClaims/types`` of the first type that some application claims; nil if no type is claimed.
  let closestType: Int?
  /// The applications that claim only a supertype of the file's type, while others claim a closer type.
  ///
  /// They are grouped by supertype, and asked after the other claimants.
  let farther: [FartherType]
}

/// The entries of the user's lists (`mimeapps.list`) for the type of a file, or for one of its supertypes.
///
/// The lists can remove an application from a type, such as `text/html`. The application can still claim a supertype,
/// such as `text/plain`. As in GIO, this claim brings the application no `text/html` files, with one exception. The
/// claim counts if the application is the default for the supertype and nobody claims a closer type.
struct TypeChoices {
  let defaultApplication: Slot?
  let removed: [Slot]
}

/// A supertype of the file's type that some applications claim, while others claim a closer type.
struct FartherType {
  let names: [ClaimKey]
  /// The applications that claim this type and no closer type.
  ///
  /// These applications are asked after the other claimants.
  let claimants: Scope
}

extension HostTable: Equatable where Value: Equatable {}

/// A value for each host claim.
///
/// A search finds the values by the URL of an event.
struct HostTable<Value> {
  private var values: [ArraySlice<UInt8>: [ArraySlice<UInt8>: Value]] = [:]

  var isEmpty: Bool { values.isEmpty }

  /// The value of a claim.
  subscript(claim: HostClaim) -> Value? {
    get { values[claim.host]?[claim.path] }
    _modify {
      defer { if values[claim.host]?.isEmpty == true { values[claim.host] = nil } }
      yield &values[claim.host, default: [:]][claim.path]
    }
  }

  /// The values of the claims that cover an event, the closest claim (see ``HostClaim/closest(to:among:)``) first.
  func values(covering event: Event) -> [Value] {
    guard !isEmpty, case .url(let url) = event.content, let address = WebAddress(url) else {
      return []
    }
    return address.hosts.flatMap { host in
      values[host].map { values in address.paths.compactMap { values[$0] } } ?? []
    }
  }
}
