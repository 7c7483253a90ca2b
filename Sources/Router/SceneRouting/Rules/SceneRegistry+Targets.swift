/// The sender's constraints on the target of an event.
package struct RouteConstraints: Hashable, Sendable {
  /// The only application whose scenes and declarations are considered.
  package var applicationID: String?
  /// The only scene that is considered.
  package var sceneID: SceneID?
  /// The scene that sends the event.
  ///
  /// The event never goes back to this scene, unless ``sceneID`` names the scene.
  package var originSceneID: SceneID?
  /// The earlier event for which the sender was started.
  ///
  /// The application that was started for the earlier event does not get the event that the sender now sends if both are
  /// about the same link. Nor do the applications that had passed that link on before (see ``StartMemory``).
  package var originEventID: DecisionID?
  /// The application that the sender's process belongs to, according to the kernel.
  ///
  /// The user may have chosen which application gets the events of this sender.
  package var senderApplicationID: String?
  /// Whether the event may open a new scene.
  package var allowsNewScene: Bool

  /// Makes constraints, by default none.
  package init(
    applicationID: String? = nil,
    sceneID: SceneID? = nil,
    originSceneID: SceneID? = nil,
    originEventID: DecisionID? = nil,
    senderApplicationID: String? = nil,
    allowsNewScene: Bool = true
  ) {
    self.applicationID = applicationID?.asApplicationID
    self.sceneID = sceneID
    self.originSceneID = originSceneID
    self.originEventID = originEventID
    self.senderApplicationID = senderApplicationID?.asApplicationID
    self.allowsNewScene = allowsNewScene
  }
}

/// The targets that did not take an event.
///
/// Later attempts pass over these targets. There are at most as many targets as attempts.
struct TriedTargets: Hashable, Sendable {
  struct Declaration: Hashable, Sendable {
    var applicationID: String
    var declarationID: String
  }

  var scenes: [SceneID] = []
  var declarations: [Declaration] = []
}

/// One event with the constraints of its sender, and with the targets that may not take the event.
struct RouteQuery {
  let event: Event
  let constraints: RouteConstraints
  /// The applications that have already passed the event on and must not get it again.
  let passedOver: [String]
  var tried: TriedTargets

  init(
    _ event: consuming Event,
    _ constraints: RouteConstraints,
    passedOver: [String] = [],
    tried: TriedTargets = TriedTargets()
  ) {
    self.event = event
    self.constraints = constraints
    self.passedOver = passedOver
    self.tried = tried
  }
}

/// The reason why an application is considered for an event, or why several applications are considered together.
struct Turn {
  let reason: ApplicationReason
  /// Where the user's choice or default is written, as `PATH:LINE`.
  ///
  /// This is `nil` if the place is not known, or if the application is asked for another reason. A host claim is not
  /// stored here, because the claim is looked up when the decision is made.
  var source: String?

  init(_ reason: ApplicationReason, source: String? = nil) { (self.reason, self.source) = (reason, source) }
}

/// An application that is asked before other applications.
struct FirstAsked {
  let application: Slot
  let turn: Turn
}

/// The applications that take part in an event, and their order.
struct Participants {
  var all: Scope
  /// Whether some application claims the event.
  ///
  /// If true, applications that do not claim the event are left out.
  var isClaimed = false
  /// The applications that are asked before the others, each alone.
  ///
  /// The list can name an application twice. The order is:
  /// 1. the user's choice for the sender
  /// 2. the user's choice for the host
  /// 3. the claimants of the host, the closest claim first
  /// 4. the user's default
  var first: [FirstAsked] = []
  /// The claims for which the user's lists are looked up.
  ///
  /// These lists give the order of the applications that are asked after ``first`` and before ``farther``.
  var keys: [ClaimKey] = []
  /// The applications that claim only a more general type of the file than other applications do.
  ///
  /// They are asked last.
  var farther: [FartherType] = []
}

/// The reason why a candidate that matches does not get the event.
enum Rejection: String, Error {
  /// The scene is the origin of the event.
  case origin
  /// The candidate was tried and did not take the event.
  case tried
  /// The candidate would open a new scene, which the sender does not allow.
  case newSceneNotAllowed
  /// The candidate would open a new scene, but the application's only permitted scene is already open.
  case sceneAlreadyOpen
  /// Other applications claim the event, and the candidate's application does not.
  case claimedByOthers
}

extension SceneRegistry {
  /// The applications that take part if the sender names no scene.
  ///
  /// Returns `nil` if the sender names an unknown application, or an application that the event came through
  /// before.
  func participants(in query: RouteQuery) -> Participants? {
    if let id = query.constraints.applicationID {
      if query.passedOver.contains(id) { return nil }
      return applicationsByID[id].map { Participants(all: Scope(only: $0.slot)) }
    }
    // Usually no host is claimed or chosen. Then the search for the event's host is skipped.
    let hostsCount = !claims.hosts.isEmpty || !hostChoices.isEmpty
    var first = hostsCount ? closest(to: query.event) : []
    if !senderChoices.isEmpty, let choice = senderChoice(for: query) { first.insert(choice, at: 0) }
    guard !claims.isEmpty || !first.isEmpty || !preferences.isEmpty else {
      return Participants(all: withoutPassedOver(claims.unclaimingScope, query))
    }
    let event = EventClaims(query.event, fileTypes)
    let claimants = claims.participants(in: event, first, choices(for: event.types))
    let all = withoutPassedOver(claimants.all, query)
    var participants = Participants(all: all, isClaimed: claimants.isClaimed, farther: claimants.farther)
    if !preferences.isEmpty {
      if let chosen = userDefault(for: event, claimants.closestType, in: all) { first.append(chosen) }
      participants.keys = claimants.closestType.map { event.types[$0] + event.others } ?? event.others
    }
    participants.first = first
    return participants
  }

  /// The applications that take no part in an event, apart from those that have already passed it on.
  @inline(never)
  func applications(besides participants: Participants, _ query: RouteQuery) -> Scope {
    var others = Scope(ApplicationSet(applications.compactMap { $0?.slot }))
    others.subtract(participants.all)
    return withoutPassedOver(others, query)
  }

  /// The application that the user chose for events of the sender's application.
  ///
  /// The application takes part even if it claims nothing. If the user chose an application for a type of the
  /// file, the choice for the closest type counts. Otherwise the choice for the scheme counts.
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
        turn: Turn(.userSender, source: choice.source)
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

  /// The applications that the user's lists name for `keys`.
  private func slots(_ keys: [ClaimKey], _ ids: (ClaimPreferences) -> [String]) -> [Slot] {
    keys.flatMap { key in preferences[key].map(ids)?.compactMap { applicationsByID[$0]?.slot } ?? [] }
  }

  /// The applications of a scope, except the applications that have already passed the event on.
  private func withoutPassedOver(_ scope: Scope, _ query: RouteQuery) -> Scope {
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
      let scope = Scope(ApplicationSet(applications.sorted()))
      let groups = groups(of: scope, inOrderFor: EventClaims(event, fileTypes).others) ?? [scope]
      return groups.flatMap { group in applications.filter { group.contains($0) } }
    }
    let first = claimants.map { FirstAsked(application: $0, turn: Turn(.hostClaim)) }
    return hostChoice(for: event).map { [$0] + first } ?? first
  }

  /// The application that the user chose for the host of an event.
  ///
  /// The application takes part even if it claims nothing.
  private func hostChoice(for event: Event) -> FirstAsked? {
    for choice in hostChoices.values(covering: event) {
      if let application = applicationsByID[choice.applicationID] {
        return FirstAsked(application: application.slot, turn: Turn(.userHost, source: choice.source))
      }
    }
    return nil
  }

  /// The application in the scope that is the user's default for the event.
  ///
  /// The default for a supertype of the file's type does not count if a closer type is claimed.
  private func userDefault(for event: EventClaims, _ closestType: Int?, in scope: Scope) -> FirstAsked? {
    for names in event.types.prefix((closestType ?? event.types.count) + 1) {
      if let application = userDefault(forOneOf: names, in: scope) { return application }
    }
    return userDefault(forOneOf: event.others, in: scope)
  }

  /// The user's default application for one of several claims.
  ///
  /// The claims are tried in the order of `keys`. The first default application that is in the scope is returned.
  func userDefault(forOneOf keys: [ClaimKey], in scope: Scope) -> FirstAsked? {
    for key in keys {
      guard let preferences = preferences[key], let id = preferences.defaultApplication,
        let slot = applicationsByID[id]?.slot, scope.contains(slot)
      else { continue }
      return FirstAsked(
        application: slot,
        turn: Turn(.userDefault, source: preferences.defaultSource)
      )
    }
    return nil
  }

  /// The applications of a scope in groups; nil if there is only one group.
  ///
  /// The declarations are asked one group after the other:
  /// 1. The applications declared over a connection are the first group.
  /// 2. Each application that the user's lists name for one of the keys is a group of its own.
  /// 3. All other applications are the last group.
  func groups(of scope: Scope, inOrderFor keys: [ClaimKey]) -> [Scope]? {
    guard !preferences.isEmpty else { return nil }
    let listed = slots(keys, \.order).filter { scope.contains($0) }
    guard !listed.isEmpty else { return nil }
    let connected = scope.filter { applications[Int($0)]?.isDeclaredByFileAlone == false }
    var others = scope
    others.subtract(connected)
    var groups = [connected]
    for slot in listed where others.contains(slot) {
      groups.append(Scope(only: slot))
      others.remove(slot)
    }
    return groups + [others]
  }

  /// The reason why a scene may not take the event; `nil` if the scene may take it.
  func rejection(ofScene candidate: Candidate, _ query: RouteQuery) -> Rejection? {
    guard let id = scenes[Int(candidate.index)]?.id else { return .tried }
    if id == query.constraints.originSceneID { return .origin }
    return query.tried.scenes.contains(id) ? .tried : nil
  }

  /// The first of the `open` scenes that may take the event.
  ///
  /// There should be only one scene. Further scenes may have opened before the declaration that allows only one scene.
  func oneScene(of open: SortedCandidates, _ query: RouteQuery) -> Result<Candidate, Rejection> {
    if let scene = open.first(where: { rejection(ofScene: $0, query) == nil }) { return .success(scene) }
    return .failure(open.first.flatMap { rejection(ofScene: $0, query) } ?? .tried)
  }

  /// Where an event goes if a declaration takes it: to a new scene, or to the open scene of a singleton.
  ///
  /// On failure, the result is the reason why the declaration may not take the event.
  func destination(of candidate: Candidate, _ query: RouteQuery) -> Result<Destination, Rejection> {
    guard let application = applications[Int(candidate.application)],
      let declaration = application.declaration?.declaration.scenes[Int(candidate.index)]
    else { return .failure(.tried) }
    // If the singleton's scene is open, the scene can get the event. This holds even if an earlier attempt to open the
    // scene for this event failed.
    if declaration.isSingleton, let open = application.scenesByDeclaration[declaration.id] {
      return oneScene(of: open, query).flatMap { candidate in
        scenes[Int(candidate.index)].map { .success(.scene($0.id)) } ?? .failure(.tried)
      }
    }
    let target = TriedTargets.Declaration(applicationID: application.id, declarationID: declaration.id)
    if query.tried.declarations.contains(target) { return .failure(.tried) }
    if application.isSingleScene, !application.scenes.isEmpty { return .failure(.sceneAlreadyOpen) }
    guard query.constraints.allowsNewScene else { return .failure(.newSceneNotAllowed) }
    return .success(.newScene(applicationID: application.id, declarationID: declaration.id))
  }
}
