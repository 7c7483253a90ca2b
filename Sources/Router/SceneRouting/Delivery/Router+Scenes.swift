extension Router {
  /// Opens a scene.
  ///
  /// If the scene answers an open request, the scene gets the waiting events.
  ///
  /// `credit` is the greatest number of unsettled deliveries that the scene accepts at the same time, at least
  /// 1.
  ///
  /// `takenEventIDs` are the ids of the events that were shown to the scene before the router restarted.
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
    // The charge is made before the scene opens, because a refused call must change nothing.
    let charge = charge(ofTaken: takenEventIDs)
    if let error = registry.exchange(Charge(), for: charge, of: client.user, limits) {
      return .failure(error)
    }
    defer { registry.release(charge, of: client.user) }
    let opened = registry.openScene(completed, by: client, realTimeUSec: realTimeUSec, limits: limits)
    switch opened {
    case .failure(let error): return .failure(error)
    case .success(let scene):
      queues.insert(DeliveryQueue(credit: credit), for: scene.rawValue)
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

  /// The context of a new scene, with the declaration that its open request asks for.
  ///
  /// If the scene answers no open request, the context stays as it is. If the request is not open, or if the context
  /// does not fit the request, returns an error.
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

  /// Closes a scene.
  ///
  /// Its unsettled events are resumed with other targets.
  package mutating func closeScene(_ scene: SceneID, now: UInt64) -> Result<[Effect], CallError> {
    self.now = now
    guard let queue = queues.remove(scene.rawValue) ?? nil else { return .failure(.noSuchScene) }
    registry.closeScene(scene)
    add(.sceneClosed(scene))
    for event in queue.removeAll() { settle(event, .sceneClosed) }
    return .success(takeEffects())
  }

  /// Adds a registration to a scene, or replaces the registration with the same id.
  package mutating func setRegistration(
    _ registration: Registration,
    of scene: SceneID
  ) -> Result<[Effect], CallError> {
    if let error = registry.setRegistration(registration, of: scene, limits: limits) {
      return .failure(error)
    }
    return .success([.sceneChanged(scene)])
  }

  /// Removes one registration of a scene.
  package mutating func removeRegistration(
    _ registrationID: String,
    of scene: SceneID
  ) -> Result<[Effect], CallError> {
    if let error = registry.removeRegistration(registrationID, of: scene) { return .failure(error) }
    return .success([.sceneChanged(scene)])
  }

  /// Changes the title of a scene, makes the scene active, or does both.
  ///
  /// If `title` is `nil`, the title stays. If `isActive` is false, only the title changes.
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

  /// The number of unsettled deliveries of a scene.
  package func pendingDeliveryCount(of scene: SceneID) -> Int { queue(of: scene)?.pendingCount ?? 0 }
}
