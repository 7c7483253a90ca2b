/// Scenes or declarations that the rules consider together.
enum Tier {
  /// Several scenes, if they opened before the application declared that it has only one.
  case oneScene(SortedCandidates)
  /// With a slot, only the scenes of this application.
  case showing(of: Slot?)
  /// `singleScenesAllowAll`: the scene of a single-scene application counts as if `*` were its only identifier.
  case openScenes(
    IdentifierSetKind,
    ApplicationSet,
    wildcardCounts: Bool = true,
    singleScenesAllowAll: Bool = false
  )
  case conditions(ApplicationSet)
  case defaults(ApplicationSet)
}

struct Choice {
  let rule: Rule
  /// A declaration for ``Rule/matching``, ``Rule/document`` and ``Rule/default``; otherwise a scene.
  let candidate: Candidate
  /// The most specific that matches; `nil` for a rule without identifiers, or if a single-scene application allows all.
  var key: IdentifierKey?
  var wildcardCounts = true
}

extension SceneRegistry {
  mutating func decide(_ query: RouteQuery) -> Decision {
    let chosen: (choice: Choice, because: AskedBecause)?
    if let id = query.constraints.sceneID {
      chosen = choose(id).map { ($0, AskedBecause(.sender)) }
    } else {
      findKeys(in: query.event)
      chosen = choose(query)
    }
    guard let chosen else { return Decision(generation: generation) }
    return decision(for: chosen.choice, chosen.because, query)
  }

  /// The last of ``keys`` is `*`.
  mutating func findKeys(in event: Event) {
    while keys.popLast() != nil {}
    let text = event.comparison
    if let text { holders.findKeys(in: text.string, &keys) }
    shownKey =
      shown.isEmpty
      ? nil : findShownKey((text?.field == .targetContentIdentifier ? event.fileURL : text)?.string)
    resolvedShownKey = nil
    if let resolved = event.resolvedURL { findMoreKeys(in: resolved) }
    keys.append(.wildcard)
  }

  @inline(never)
  private mutating func findMoreKeys(in resolved: String) {
    ownKeyCount = keys.count
    holders.findKeys(in: resolved, isContinued: true, &keys)
    resolvedShownKey = shown.isEmpty ? nil : findShownKey(resolved)
  }

  var isShown: Bool { shownKey != nil || resolvedShownKey != nil }

  private mutating func findShownKey(_ url: String?) -> ShownTable.Key? {
    guard let url else { return nil }
    let bytes = url.utf8.span
    if ShownURL.isNormal(bytes) { return shown.key(of: bytes) }
    shownURL.replace(with: url, machineName: machineName)
    return shown.key(of: shownURL.bytes.span)
  }
}

// MARK: - The order of the rules

extension SceneRegistry {
  /// Asks in the order of the routing contract, until `takes` returns true.
  @inline(__always)
  func askTiers(_ query: RouteQuery, takes: (Tier, AskedBecause) -> Bool) -> Bool {
    guard let participants = participants(in: query) else { return false }
    if askTiers(of: participants, query, takes: takes) { return true }
    // What nobody stands for, or takes, goes to the window that asks for it.
    guard query.constraints.applicationID == nil else { return false }
    let others = applications(besides: participants, query)
    let because = AskedBecause(.order)
    return takes(.openScenes(.preferring, others, wildcardCounts: false), because)
      || takes(.openScenes(.allowing, others, wildcardCounts: false), because)
  }

  @inline(__always)
  private func askTiers(
    of participants: Participants,
    _ query: RouteQuery,
    takes: (Tier, AskedBecause) -> Bool
  ) -> Bool {
    var others = participants.all
    if let application = others.only {
      if query.constraints.applicationID != nil {
        return askTiers(of: application, others, AskedBecause(.sender), takes: takes)
      }
      let because = AskedBecause(.only)
      guard isShown else { return askTiers(of: application, others, because, takes: takes) }
      // If a scene of an application that takes no part shows the URL, all scenes that show it come first.
      if shows(query, besides: application), takes(.showing(of: nil), AskedBecause(.showing)) { return true }
      return askTiers(of: application, others, because, takes: takes)
    }
    if isShown, takes(.showing(of: nil), AskedBecause(.showing)) { return true }
    // A preference for `*` does not count here.
    if takes(.openScenes(.preferring, others, wildcardCounts: false), AskedBecause(.preferring)) {
      return true
    }
    for asked in participants.first where others.contains(asked.application) {
      let application = asked.application
      if askTiers(of: application, ApplicationSet(only: application), asked.because, takes: takes) {
        return true
      }
      others.remove(application)
    }
    var closest = others
    for type in participants.farther { closest.subtract(type.claimants) }
    if askTiers(ofAllIn: closest, participants.keys, takes: takes) { return true }
    // This test only saves time: the subtraction takes long if there are very many applications.
    if participants.farther.isEmpty { return false }
    others.subtract(closest)
    for type in participants.farther {
      if let asked = userDefault(forOneOf: type.names, in: others) {
        let application = asked.application
        if askTiers(of: application, ApplicationSet(only: application), asked.because, takes: takes) {
          return true
        }
        others.remove(application)
      }
      let waiting = others.intersection(type.claimants)
      if askTiers(ofAllIn: waiting, type.names, takes: takes) { return true }
    }
    return false
  }

  @inline(__always)
  private func askTiers(
    ofAllIn scope: ApplicationSet,
    _ keys: [ClaimKey],
    takes: (Tier, AskedBecause) -> Bool
  ) -> Bool {
    let because = AskedBecause(.order)
    if takes(.openScenes(.preferring, scope), because)
      || takes(.openScenes(.allowing, scope, singleScenesAllowAll: true), because)
    {
      return true
    }
    guard let groups = groups(of: scope, inOrderFor: keys) else {
      return takes(.conditions(scope), because) || takes(.defaults(scope), because)
    }
    return groups.contains { takes(.conditions($0), because) }
      || groups.contains { takes(.defaults($0), because) }
  }

  @inline(__always)
  private func askTiers(
    of application: Slot,
    _ scope: ApplicationSet,
    _ because: AskedBecause,
    takes: (Tier, AskedBecause) -> Bool
  ) -> Bool {
    if let application = applications[Int(application)], application.isSingleScene,
      !application.scenes.isEmpty
    {
      return takes(.oneScene(application.scenes), because)
    }
    // If several applications take part, the scenes that show the URL have already been considered.
    let isAlone = because.reason == .only || because.reason == .sender
    if isAlone, isShown, takes(.showing(of: application), because) { return true }
    return takes(.openScenes(.preferring, scope), because) || takes(.openScenes(.allowing, scope), because)
      || takes(.conditions(scope), because) || takes(.defaults(scope), because)
  }
}

// MARK: - The choice

extension Rule {
  init(_ kind: IdentifierSetKind) { self = kind == .preferring ? .preferring : .allowing }
}

extension SceneRegistry {
  /// Takes the scene that the sender named even if its identifiers do not match.
  func choose(_ id: SceneID) -> Choice? {
    scenesByID[id].map { Choice(rule: .explicit, candidate: $0.candidate) }
  }

  // Inlined, because a call of a non-mutating function would copy all bytes of the registry.
  @inline(__always)
  func choose(_ query: RouteQuery) -> (choice: Choice, because: AskedBecause)? {
    var chosen: (Choice, AskedBecause)?
    _ = askTiers(query) { tier, because in
      guard let choice = self.choice(in: tier, query) else { return false }
      chosen = (choice, because)
      return true
    }
    return chosen
  }
}

// MARK: - The decision

extension SceneRegistry {
  @inline(__always)
  func decision(for choice: Choice, _ because: AskedBecause, _ query: RouteQuery) -> Decision {
    switch choice.rule {
    case .explicit, .singleScene, .showing, .preferring, .allowing:
      guard let scene = scenes[Int(choice.candidate.index)] else { break }
      return decision(for: choice, because, scene, query.event)
    case .matching, .document, .default:
      guard case .success(let destination) = destination(of: choice.candidate, query),
        let application = applications[Int(choice.candidate.application)],
        let declaration = application.declaration?.declaration.scenes[Int(choice.candidate.index)]
      else { break }
      return decision(for: choice, because, destination, application, declaration, query.event)
    }
    return Decision(generation: generation)
  }

  @inline(__always)
  private func decision(for choice: Choice, _ because: AskedBecause, _ scene: Scene, _ event: Event)
    -> Decision
  {
    var pattern: String?
    var comparison = event.comparison
    var ids: [String] = []
    var reason = because.reason
    switch choice.rule {
    case .showing:
      guard let entry = shownEntry(of: scene, event) else { break }
      pattern = entry.registration.showing[entry.index]
      ids = scene.registrationIDs(showing: shownKey, or: resolvedShownKey)
      comparison = entry.url
      if reason != .sender { reason = .showing }
    case .preferring, .allowing:
      let kind: IdentifierSetKind = choice.rule == .preferring ? .preferring : .allowing
      if let key = choice.key {
        pattern = spelling(of: key, by: scene, kind, event)
        comparison = string(of: event, with: key)
        ids = scene.registrationIDs(kind, holding: keys, wildcardCounts: choice.wildcardCounts)
      } else {
        pattern = "*"
      }
    default: break
    }
    return Decision(
      generation: generation,
      choice.rule,
      .scene(scene.id),
      applicationID: scene.applicationID,
      because: reason,
      source: source(of: because, applications[Int(scene.application)], event),
      declarationID: scene.declarationID,
      pattern: pattern,
      in: pattern == nil ? nil : comparison,
      registrationIDs: ids
    )
  }

  @inline(__always)
  private func source(of because: AskedBecause, _ application: Application?, _ event: Event) -> String? {
    because.reason == .hostClaim
      ? application?.declaration?.hosts.values(covering: event).first : because.source
  }

  private func decision(
    for choice: Choice,
    _ because: AskedBecause,
    _ destination: Destination,
    _ application: Application,
    _ declaration: SceneDeclaration,
    _ event: Event
  ) -> Decision {
    var pattern: String?
    var comparison = event.comparison
    if let key = choice.key {
      pattern = spelling(of: key, by: choice.candidate)
      comparison = string(of: event, with: key)
    } else if choice.rule == .document, let fileType = FileType(event, fileTypes) {
      pattern = fileType.match(declaration.supportedTypes)
      comparison = event.fileURL
      if pattern?.contains("/") == true, fileType.isKnownToSender, let type = event.contentType {
        comparison = (type, .contentType)
      }
    }
    return Decision(
      generation: generation,
      choice.rule,
      destination,
      applicationID: application.id,
      because: because.reason,
      source: source(of: because, application, event),
      declarationID: declaration.id,
      pattern: pattern,
      in: pattern == nil ? nil : comparison
    )
  }

  /// The comparison string or the resolved URL, whichever `key` matches.
  @inline(__always)
  private func string(of event: Event, with key: IdentifierKey) -> (string: String, field: Event.Field)? {
    guard let resolved = event.resolved, key != .wildcard, !keys[..<ownKeyCount].contains(key) else {
      return event.comparison
    }
    return resolved
  }

  /// A spelling that the event contains byte for byte comes before other spellings.
  func spelling(of key: IdentifierKey, by scene: Scene, _ kind: IdentifierSetKind, _ event: Event) -> String {
    guard holders.mayBeSpelled(key) else { return holders.texts.spelling(of: key) }
    let spellings = scene.spellings(of: key, in: kind)
    return Self.first(of: spellings.filter { event.contains($0) }) ?? Self.first(of: spellings) ?? ""
  }

  func spelling(of key: IdentifierKey, by candidate: Candidate) -> String {
    let matching = applications[Int(candidate.application)]?.declaration?.matching[Int(candidate.index)]
    guard let matching, holders.mayBeSpelled(key) else { return holders.texts.spelling(of: key) }
    return Self.first(of: matching.identifiers.spellings(of: key)) ?? ""
  }

  private static func first(of spellings: [String]) -> String? {
    spellings.min { $0.utf8.span.sortsBefore($1.utf8.span) }
  }
}
