/// One event as the rules look at it: folded, typed and with the targets that are out of question.
struct RouteQuery {
  let event: Event
  let text: FoldedText?
  let constraints: RouteConstraints
  let tried: TriedTargets

  init(_ event: Event, _ constraints: RouteConstraints, tried: TriedTargets = TriedTargets()) {
    self.event = event
    self.constraints = constraints
    self.tried = tried
    text = event.comparison.map { FoldedText($0.string) }
  }
}

/// Why a candidate that matched was passed over all the same.
enum Rejection: String, Error {
  /// The event comes from the scene.
  case origin
  /// It was tried, and did not take the event.
  case tried
  /// It would have to open a scene, which the sender does not allow.
  case newSceneNotAllowed
  /// The application has its one scene, which is out of question.
  case sceneAlreadyOpen
}

extension SceneRegistry {
  /// Why a scene may not take the event, if it may not.
  func rejection(ofScene candidate: Candidate, _ query: RouteQuery) -> Rejection? {
    guard let id = scenes[Int(candidate.index)]?.id else { return .tried }
    if id == query.constraints.originSceneID { return .origin }
    return query.tried.scenes.contains(id) ? .tried : nil
  }

  /// Whether any of an application's declarations may take the event: by opening a scene, or as its one scene is open.
  func isOpen(_ slot: Slot, _ query: RouteQuery) -> Bool {
    if applications[Int(slot)]?.openSingletonCount ?? 0 > 0 { return true }
    guard query.constraints.allowsNewScene else { return false }
    return applications[Int(slot)]?.isSingleScene == false || applications[Int(slot)]?.scenes.isEmpty == true
  }

  /// Where an event goes that a declaration takes.
  func destination(of candidate: Candidate, _ query: RouteQuery) -> Result<Destination, Rejection> {
    guard let application = applications[Int(candidate.application)],
      let declaration = application.declaration?.declaration.scenes[Int(candidate.index)]
    else { return .failure(.tried) }
    let target = TriedTargets.Declaration(applicationID: application.id, declarationID: declaration.id)
    if query.tried.declarations.contains(target) { return .failure(.tried) }
    if declaration.isSingleton, let open = application.scenesByDeclaration[declaration.id] {
      return oneScene(of: open, query).flatMap { candidate in
        scenes[Int(candidate.index)].map { .success(.scene($0.id)) } ?? .failure(.tried)
      }
    }
    if application.isSingleScene, !application.scenes.isEmpty {
      return .failure(.sceneAlreadyOpen)
    }
    guard query.constraints.allowsNewScene else { return .failure(.newSceneNotAllowed) }
    return .success(.newScene(applicationID: application.id, declarationID: declaration.id))
  }

  /// The scene of those that there should be only one of: the first that is not out of question.
  ///
  /// There are several if they were open before they were declared to be one.
  func oneScene(of open: SortedCandidates, _ query: RouteQuery) -> Result<Candidate, Rejection> {
    var next = open.first
    while let candidate = next, rejection(ofScene: candidate, query) != nil {
      next = open.first(after: candidate)
    }
    if let next { return .success(next) }
    return .failure(open.first.flatMap { rejection(ofScene: $0, query) } ?? .tried)
  }

  func contains(_ application: Slot, in scope: Scope) -> Bool {
    scope.contains(application, takesUnclaimed: unclaiming.contains(application))
  }

  /// The applications that take part, when no scene is named; `nil` if the named one is gone.
  func scope(of query: RouteQuery) -> Scope? {
    if let id = query.constraints.applicationID { return applicationSlots[id].map { .only($0) } }
    let claiming = claimants.isEmpty ? [] : query.event.claimKeys.compactMap { claimants[$0] }
    guard let first = claiming.first?.first else {
      return unclaiming.count == 1 ? .only(unclaiming.first ?? 0) : .unclaiming
    }
    let isOnlyOne = claiming.allSatisfy { $0.count == 1 && $0.contains(first) }
    return isOnlyOne ? .only(first) : .claiming(claiming)
  }

  /// The application in the scope that the user made the default for the event.
  func userDefault(for event: Event, in scope: Scope) -> Slot? {
    guard !userDefaults.isEmpty else { return nil }
    // The MIME type says more of a file than `file:` does, and the exact type more than its family.
    for key in event.claimKeys.sorted(by: { $0.specificity > $1.specificity }) {
      if let id = userDefaults[key], let slot = applicationSlots[id], contains(slot, in: scope) {
        return slot
      }
    }
    return nil
  }
}

extension ClaimKey {
  fileprivate var specificity: Int {
    switch self {
    case .scheme: 0
    case .mimeType(let type): type.hasSuffix("/*") ? 1 : 2
    case .activityType: 3
    }
  }
}
