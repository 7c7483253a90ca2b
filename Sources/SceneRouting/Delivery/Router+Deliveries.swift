extension Router {
  /// Puts an event on its way to an open scene.
  mutating func deliver(_ event: EventRecord, to scene: SceneID) {
    guard let queue = queue(of: scene) else { return settle(event, .sceneClosed, scene: scene) }
    if let limit = queue.limitReached(by: event.size, limits) {
      return settle(event, .declined, reason: limit.rawValue, scene: scene)
    }
    event.deliveryID = nextDeliveryID()
    pendingDeliveryCount += 1
    if queue.append(event) { show(event, to: scene) } else { event.phase = .waiting(scene) }
  }

  /// Shows a scene the next delivery, if its credit allows one.
  mutating func showNext(of scene: SceneID) {
    if let event = queue(of: scene)?.showNext() { show(event, to: scene) }
  }

  private mutating func show(_ event: EventRecord, to scene: SceneID) {
    event.phase = .shown(scene)
    add(
      .deliver(
        Delivery(
          id: event.deliveryID,
          decisionID: event.id,
          sceneID: scene,
          event: event.event,
          registrationIDs: event.decision.registrationIDs,
          eventID: event.options.eventID,
          activationToken: event.options.activationToken,
          timeoutUSec: event.deadline > now ? event.deadline - now : 1
        )
      )
    )
  }

  /// Settles a delivery: the scene took the event.
  package mutating func acknowledge(
    _ delivery: DeliveryID,
    by scene: SceneID,
    now: UInt64
  ) -> Result<[Effect], CallError> {
    self.now = now
    switch shownEvent(delivery, by: scene) {
    case .failure(let error): return .failure(error)
    case .success(let event):
      settle(event, .acknowledged)
      return .success(takeEffects())
    }
  }

  /// Settles a delivery: the scene does not want the event, which is resumed with the next target.
  package mutating func decline(
    _ delivery: DeliveryID,
    by scene: SceneID,
    reason: String?,
    now: UInt64
  ) -> Result<[Effect], CallError> {
    self.now = now
    if let error = limits.error(ofString: reason) { return .failure(error) }
    switch shownEvent(delivery, by: scene) {
    case .failure(let error): return .failure(error)
    case .success(let event):
      settle(event, .declined, reason: reason)
      return .success(takeEffects())
    }
  }

  @inline(__always)
  private func shownEvent(_ delivery: DeliveryID, by scene: SceneID) -> Result<EventRecord, CallError> {
    guard let queue = queue(of: scene) else { return .failure(.noSuchScene) }
    if let event = queue.shownEvent(delivery) { return .success(event) }
    let ended = endedDeliveries[delivery.rawValue]
    return .failure(.noSuchDelivery(ended?.sceneID == scene ? ended?.result : nil))
  }
}
