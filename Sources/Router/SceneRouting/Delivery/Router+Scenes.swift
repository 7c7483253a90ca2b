extension Router {
  /// `credit`: the most unsettled deliveries that the scene accepts, at least 1.
  ///
  /// `takenEventIDs`: the events that were shown to the scene before the router restarted.
  package mutating func openScene(
    _ context: SceneContext,
    answering request: OpenRequestID? = nil,
    credit: Int,
    takenEventIDs: [String] = [],
    by client: Client,
    now: UInt64,
    realTimeUSec: Int64
  ) -> Result<(scene: SceneID, effects: [Effect]), CallError> {
    self.now = now
    guard (1...limits.maxPendingDeliveries).contains(credit) else {
      return .failure(.invalidParameter(path: "maxPendingDeliveries"))
    }
    if let error = error(ofTaken: takenEventIDs) { return .failure(error) }
    var context = context
    context.applicationID = context.applicationID.asApplicationID
    let completed: SceneContext
    switch completion(of: context, answering: request) {
    case .success(let context): completed = context
    case .failure(let error): return .failure(error)
    }
    // The charge comes first, because a refused call must change nothing.
    let charge = charge(ofTaken: takenEventIDs)
    if let error = registry.recharge(from: Charge(), to: charge, of: client.user, limits) {
      return .failure(error)
    }
    defer { registry.release(charge, of: client.user) }
    let opened = registry.openScene(completed, by: client, realTimeUSec: realTimeUSec, limits: limits)
    switch opened {
    case .failure(let error): return .failure(error)
    case .success(let scene):
      queues.insert(DeliveryQueue(credit: credit), for: scene)
      add(.sceneChanged(scene))
      remember(
        taken: takenEventIDs,
        by: scene,
        ofApplication: completed.applicationID,
        completed.declarationID,
        user: client.user
      )
      reportReturn()
      if let request { deliverWaiting(request, to: scene) }
      return .success((scene, takeEffects()))
    }
  }

  /// Fills in the declaration that the open request asks for.
  private func completion(of context: SceneContext, answering request: OpenRequestID?) -> Result<
    SceneContext, CallError
  > {
    guard let id = request else { return .success(context) }
    guard let request = requests[id] else {
      return .failure(.noSuchOpenRequest(endedRequests[id.rawValue]))
    }
    guard context.applicationID == request.applicationID else {
      return .failure(.invalidParameter(path: "context.applicationId"))
    }
    guard context.declarationID ?? request.declarationID == request.declarationID else {
      return .failure(.invalidParameter(path: "context.declarationId"))
    }
    var completed = context
    completed.declarationID = request.declarationID
    return .success(completed)
  }

  /// The unsettled events of the scene go on to other targets.
  package mutating func closeScene(_ scene: SceneID, now: UInt64) -> Result<[Effect], CallError> {
    self.now = now
    guard let queue = queues.remove(scene) ?? nil else { return .failure(.noSuchScene) }
    registry.closeScene(scene)
    add(.sceneClosed(scene))
    for event in queue.removeAll() { settle(event, .sceneClosed) }
    return .success(takeEffects())
  }

  package mutating func setRegistration(
    _ registration: Registration,
    of scene: SceneID
  ) -> Result<[Effect], CallError> {
    if let error = registry.setRegistration(registration, of: scene, limits: limits) {
      return .failure(error)
    }
    return .success([.sceneChanged(scene)])
  }

  package mutating func removeRegistration(
    _ registrationID: String,
    of scene: SceneID
  ) -> Result<[Effect], CallError> {
    if let error = registry.removeRegistration(registrationID, of: scene) { return .failure(error) }
    return .success([.sceneChanged(scene)])
  }

  /// If `title` is `nil`, the title stays.
  package mutating func updateScene(
    _ scene: SceneID,
    title: String?,
    isActive: Bool,
    realTimeUSec: Int64
  ) -> Result<[Effect], CallError> {
    registry.updateScene(
      scene,
      title: title,
      isActive: isActive,
      realTimeUSec: realTimeUSec,
      limits: limits
    )
    .map { $0 ? [.sceneChanged(scene)] : [] }
  }

  package func pendingDeliveryCount(of scene: SceneID) -> Int { queue(of: scene)?.pendingCount ?? 0 }
}

extension Router {
  /// The registry's generation stays, because activities have no influence on decisions.
  package mutating func setActivity(
    _ activity: Activity?,
    of scene: SceneID,
    realTimeUSec: Int64
  ) -> CallError? {
    registry.setActivity(activity, of: scene, realTimeUSec: realTimeUSec, limits: limits)
  }

  /// The scene keeps the activity; an effect tells it that a client took the activity, and the client's name.
  package func takeActivity(
    of scene: SceneID,
    by: String?
  ) -> Result<(activity: Activity, effects: [Effect]), CallError> {
    if let error = limits.error(ofString: by) { return .failure(error) }
    guard registry.scenesByID[scene] != nil else { return .failure(.noSuchScene) }
    guard let activity = registry.activity(of: scene)?.activity else { return .failure(.noSuchActivity) }
    return .success((activity, [.activityTaken(scene, activityType: activity.activityType, by: by)]))
  }
}
