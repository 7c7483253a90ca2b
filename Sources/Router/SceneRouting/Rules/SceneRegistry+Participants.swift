struct AskedBecause {
  let reason: ApplicationReason
  /// `PATH:LINE` of the user's choice or default; `nil` if not known, or for another reason.
  var source: String?

  init(_ reason: ApplicationReason, source: String? = nil) { (self.reason, self.source) = (reason, source) }
}

struct FirstAsked {
  let application: Slot
  let because: AskedBecause
}

struct Participants {
  var all: ApplicationSet
  /// If true, applications that do not claim the event are left out; true also if the user chose one for the event.
  var isClaimed = false
  /// Asked first, each alone: the user's choices for the sender and the host, the host's claimants, the user's default.
  ///
  /// The closest claimant of the host comes first. An application can be in the list twice.
  var first: [FirstAsked] = []
  /// The user's lists for these claims order the applications after ``first`` and before ``farther``.
  var keys: [ClaimKey] = []
  /// Applications that claim only a more general type of the file are asked last.
  var farther: [SupertypeClaim] = []
}

extension SceneRegistry {
  /// `nil` if the sender names an unknown application, or one that the event came through before.
  func participants(in query: RouteQuery) -> Participants? {
    if let id = query.constraints.applicationID {
      if query.passedOver.contains(id) { return nil }
      return applicationsByID[id].map { Participants(all: ApplicationSet(only: $0.slot)) }
    }
    // Usually no host is claimed or chosen.
    let hostsCount = !claims.hosts.isEmpty || !hostChoices.isEmpty
    var first = hostsCount ? closest(to: query.event) : []
    if !senderChoices.isEmpty, let choice = senderChoice(for: query) { first.insert(choice, at: 0) }
    guard !claims.isEmpty || !first.isEmpty || !preferences.isEmpty else {
      return Participants(all: withoutPassedOver(claims.unclaiming, query))
    }
    let event = EventClaims(query.event, fileTypes)
    let claiming = claims.participants(in: event, first, choices(for: event.types))
    let closestType = claiming.closestType
    var participants = claiming.participants
    participants.all = withoutPassedOver(participants.all, query)
    if !preferences.isEmpty {
      if let chosen = userDefault(for: event, closestType, in: participants.all) { first.append(chosen) }
      participants.keys = closestType.map { event.types[$0] + event.others } ?? event.others
    }
    participants.first = first
    return participants
  }

  /// The applications that take no part, without those that have already passed the event on.
  @inline(never)
  func applications(besides participants: Participants, _ query: RouteQuery) -> ApplicationSet {
    var others = ApplicationSet(applications.compactMap { $0?.slot })
    others.subtract(participants.all)
    return withoutPassedOver(others, query)
  }

  /// The chosen application takes part even if it claims nothing; the closest type of the file counts, then the scheme.
  private func senderChoice(for query: RouteQuery) -> FirstAsked? {
    guard let sender = query.constraints.senderApplicationID, let choices = senderChoices[sender]
    else { return nil }
    let event = EventClaims(query.event, fileTypes)
    for key in event.types.joined() + event.others {
      guard let choice = choices[key], let application = applicationsByID[choice.applicationID] else {
        continue
      }
      return FirstAsked(
        application: application.slot,
        because: AskedBecause(.userSender, source: choice.source)
      )
    }
    return nil
  }

  private func choices(for types: [[ClaimKey]]) -> [TypeChoices] {
    guard !preferences.isEmpty else { return [] }
    return types.map { names in
      TypeChoices(
        defaultApplication: slots(names) { $0.defaultApplication.map { [$0] } ?? [] }.first,
        removed: slots(names, \.removed)
      )
    }
  }

  private func slots(_ keys: [ClaimKey], _ ids: (ClaimPreferences) -> [String]) -> [Slot] {
    keys.flatMap { key in preferences[key].map(ids)?.compactMap { applicationsByID[$0]?.slot } ?? [] }
  }

  private func withoutPassedOver(_ scope: ApplicationSet, _ query: RouteQuery) -> ApplicationSet {
    guard !query.passedOver.isEmpty else { return scope }
    var scope = scope
    for id in query.passedOver { if let slot = applicationsByID[id]?.slot { scope.remove(slot) } }
    return scope
  }

  @inline(never)
  private func closest(to event: Event) -> [FirstAsked] {
    let claimants = claims.hosts.values(covering: event).flatMap { equals in
      let applications = equals.map(\.application)
      guard applications.count > 1 else { return applications }
      let scope = ApplicationSet(applications.sorted())
      let groups = groups(of: scope, inOrderFor: EventClaims(event, fileTypes).others) ?? [scope]
      return groups.flatMap { group in applications.filter { group.contains($0) } }
    }
    let first = claimants.map { FirstAsked(application: $0, because: AskedBecause(.hostClaim)) }
    return hostChoice(for: event).map { [$0] + first } ?? first
  }

  /// The chosen application takes part even if it claims nothing.
  private func hostChoice(for event: Event) -> FirstAsked? {
    for choice in hostChoices.values(covering: event) {
      if let application = applicationsByID[choice.applicationID] {
        return FirstAsked(
          application: application.slot,
          because: AskedBecause(.userHost, source: choice.source)
        )
      }
    }
    return nil
  }

  /// The default for a supertype does not count if a closer type is claimed.
  private func userDefault(for event: EventClaims, _ closestType: Int?, in scope: ApplicationSet)
    -> FirstAsked?
  {
    for names in event.types.prefix((closestType ?? event.types.count) + 1) {
      if let application = userDefault(forOneOf: names, in: scope) { return application }
    }
    return userDefault(forOneOf: event.others, in: scope)
  }

  func userDefault(forOneOf keys: [ClaimKey], in scope: ApplicationSet) -> FirstAsked? {
    for key in keys {
      guard let preferences = preferences[key], let id = preferences.defaultApplication,
        let slot = applicationsByID[id]?.slot, scope.contains(slot)
      else { continue }
      return FirstAsked(
        application: slot,
        because: AskedBecause(.userDefault, source: preferences.defaultSource)
      )
    }
    return nil
  }

  /// First the applications on a connection, then each of the user's lists alone, then all others; `nil` for one group.
  func groups(of scope: ApplicationSet, inOrderFor keys: [ClaimKey]) -> [ApplicationSet]? {
    guard !preferences.isEmpty else { return nil }
    let listed = slots(keys, \.order).filter { scope.contains($0) }
    guard !listed.isEmpty else { return nil }
    let connected = scope.filter { applications[Int($0)]?.isDeclaredByFileAlone == false }
    var others = scope
    others.subtract(connected)
    var groups = [connected]
    for slot in listed where others.contains(slot) {
      groups.append(ApplicationSet(only: slot))
      others.remove(slot)
    }
    return groups + [others]
  }
}
