extension Router {
  /// Puts an event on its way to a scene.
  mutating func deliver(_ slot: EventSlot, to scene: SceneID, now: UInt64, effects: inout [Effect]) {
    let delivery = nextDeliveryID()
    deliveries.insert(slot, for: delivery.rawValue)
    events[slot].phase = .waiting(scene, delivery)
    let isOpen = isOpen(scene)
    let overflows = isFull(scene)
    if let place = queues.place(of: scene.rawValue) { queues[place: place].wait(slot, &events) }
    if !isOpen {
      settle(slot, .sceneClosed, now: now, effects: &effects)
    } else if overflows {
      settle(slot, .declined, reason: "\(Limit.pendingDeliveriesPerScene)", now: now, effects: &effects)
    } else {
      showNext(of: scene, now: now, effects: &effects)
    }
  }

  /// Shows a scene as many deliveries as its credit allows.
  mutating func showNext(of scene: SceneID, now: UInt64, effects: inout [Effect]) {
    guard let place = queues.place(of: scene.rawValue) else { return }
    while let slot = queues[place: place].showNext(events) {
      guard case .waiting(_, let delivery) = events[slot].phase else { continue }
      events[slot].phase = .shown(scene, delivery)
      let deadline = events[slot].attempt.deadline
      effects.append(
        .deliver(
          Delivery(
            id: delivery,
            decisionID: events[slot].id,
            sceneID: scene,
            event: events[slot].event,
            registrationIDs: events[slot].attempt.decision.registrationIDs,
            activationToken: events[slot].options.activationToken,
            timeoutUSec: deadline > now ? deadline - now : 1
          )
        )
      )
    }
  }

  /// Settles a delivery: the scene took the event.
  package mutating func acknowledge(
    _ delivery: DeliveryID,
    by scene: SceneID,
    now: UInt64,
    effects: inout [Effect]
  ) -> Refusal? {
    switch shownEvent(delivery, by: scene) {
    case .failure(let refusal): return refusal
    case .success(let slot):
      settle(slot, .acknowledged, now: now, effects: &effects)
      return nil
    }
  }

  /// Settles a delivery: the scene does not want the event, which goes on to the next target.
  package mutating func decline(
    _ delivery: DeliveryID,
    by scene: SceneID,
    reason: String?,
    now: UInt64,
    effects: inout [Effect]
  ) -> Refusal? {
    if let refusal = limits.refusal(ofString: reason) { return refusal }
    switch shownEvent(delivery, by: scene) {
    case .failure(let refusal): return refusal
    case .success(let slot):
      settle(slot, .declined, reason: reason, now: now, effects: &effects)
      return nil
    }
  }

  // Inlined, as the router is copied, bit by bit, for a call that does not change it.
  @inline(__always)
  private func shownEvent(_ delivery: DeliveryID, by scene: SceneID) -> Result<EventSlot, Refusal> {
    guard isOpen(scene) else { return .failure(.noSuchScene) }
    if let slot = deliveries[delivery.rawValue], case .shown(scene, delivery) = events[slot].phase {
      return .success(slot)
    }
    let ended = endedDeliveries[delivery.rawValue]
    return .failure(.noSuchDelivery(ended?.sceneID == scene ? ended?.result : nil))
  }
}

// MARK: - Scenes

extension Router {
  /// Whether a scene is open; what a closed one has not settled may still be here.
  @inline(__always)
  private func isOpen(_ scene: SceneID) -> Bool { queues[scene.rawValue].map { !$0.isClosed } ?? false }

  /// Opens a scene; if it answers an open request, the events that wait for it are delivered to it.
  ///
  /// `credit` is how many unsettled deliveries the scene wants to see at once, at least 1.
  package mutating func openScene(
    _ context: SceneContext,
    answering request: OpenRequestID? = nil,
    credit: Int,
    user: UserID,
    now: UInt64,
    realTimeUSec: Int64,
    effects: inout [Effect]
  ) -> Result<SceneID, Refusal> {
    let completed: SceneContext
    switch completion(of: context, answering: request) {
    case .success(let context): completed = context
    case .failure(let refusal): return .failure(refusal)
    }
    let opened = registry.openScene(
      completed,
      user: user,
      realTimeUSec: realTimeUSec,
      limits: limits
    )
    guard case .success(let scene) = opened else { return opened }
    queues.insert(DeliveryQueue(credit: credit), for: scene.rawValue)
    effects.append(.sceneChanged(scene))
    if let request, let turn = endRequest(request, .opened, .opened(scene)) {
      goOn(turn, to: scene, now: now, effects: &effects)
    }
    return opened
  }

  /// A scene's context with what the open request that it answers says of it.
  private func completion(of context: SceneContext, answering request: OpenRequestID?) -> Result<
    SceneContext, Refusal
  > {
    guard let request else { return .success(context) }
    guard let record = openRequests[request] else {
      return .failure(.noSuchOpenRequest(endedRequests[request.rawValue]))
    }
    guard context.applicationID == record.applicationID else {
      return .failure(.invalidParameter(path: "context.applicationId"))
    }
    guard isAsked(record.applicationID, for: request) else {
      return .failure(.noSuchOpenRequest(.launchFailed))
    }
    guard context.declarationID ?? record.declarationID == record.declarationID else {
      return .failure(.invalidParameter(path: "context.declarationId"))
    }
    var completed = context
    completed.declarationID = record.declarationID
    return .success(completed)
  }

  /// Closes a scene; what it has not settled goes on to other targets.
  package mutating func closeScene(_ scene: SceneID, now: UInt64, effects: inout [Effect]) -> Refusal? {
    guard isOpen(scene), let place = queues.place(of: scene.rawValue) else { return .noSuchScene }
    queues[place: place].close()
    registry.closeScene(scene)
    effects.append(.sceneClosed(scene))
    goOn(.closed(scene), now: now, effects: &effects)
    return nil
  }

  /// Adds a registration to a scene, or replaces the one with the same id.
  package mutating func setRegistration(
    _ registration: Registration,
    of scene: SceneID,
    effects: inout [Effect]
  ) -> Refusal? {
    if let refusal = registry.setRegistration(registration, of: scene, limits: limits) {
      return refusal
    }
    effects.append(.sceneChanged(scene))
    return nil
  }

  /// Takes a registration out of a scene's union.
  package mutating func removeRegistration(
    _ registrationID: String,
    of scene: SceneID,
    effects: inout [Effect]
  ) -> Refusal? {
    if let refusal = registry.removeRegistration(registrationID, of: scene) { return refusal }
    effects.append(.sceneChanged(scene))
    return nil
  }

  /// Changes what else is known of a scene; `nil` leaves a title, `isActive: false` changes nothing.
  package mutating func updateScene(
    _ scene: SceneID,
    title: String?,
    isActive: Bool,
    realTimeUSec: Int64,
    effects: inout [Effect]
  ) -> Refusal? {
    let updated = registry.updateScene(
      scene,
      title: title,
      isActive: isActive,
      realTimeUSec: realTimeUSec,
      limits: limits
    )
    switch updated {
    case .failure(let refusal): return refusal
    case .success(let changed):
      if changed { effects.append(.sceneChanged(scene)) }
      return nil
    }
  }
}
