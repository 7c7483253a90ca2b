extension Router {
  /// Puts an event on its way to an open scene.
  mutating func deliver(_ slot: EventSlot, to scene: SceneID) {
    guard let place = queues.place(of: scene.rawValue) else {
      return settle(slot, .sceneClosed, scene: scene)
    }
    let size = events[slot].size
    if let limit = queues[place: place].limitReached(by: size, limits) {
      return settle(slot, .declined, reason: limit.rawValue, scene: scene)
    }
    let delivery = nextDeliveryID()
    deliveries.insert(slot, for: delivery.rawValue)
    events[slot].phase = .waiting(scene, delivery)
    queues[place: place].append(slot, size: size)
    showNext(of: scene)
  }

  /// Shows a scene as many deliveries as its credit allows.
  mutating func showNext(of scene: SceneID) {
    guard let place = queues.place(of: scene.rawValue) else { return }
    while let slot = queues[place: place].next {
      queues[place: place].showNext(size: events[slot].size)
      guard case .waiting(_, let delivery) = events[slot].phase else { continue }
      events[slot].phase = .shown(scene, delivery)
      let deadline = events[slot].deadline
      add(
        .deliver(
          Delivery(
            id: delivery,
            decisionID: events[slot].id,
            sceneID: scene,
            event: events[slot].event,
            registrationIDs: events[slot].decision.registrationIDs,
            eventID: events[slot].options.eventID,
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
    now: UInt64
  ) -> Result<[Effect], Refusal> {
    self.now = now
    switch shownEvent(delivery, by: scene) {
    case .failure(let refusal): return .failure(refusal)
    case .success(let slot):
      settle(slot, .acknowledged)
      return .success(takeEffects())
    }
  }

  /// Settles a delivery: the scene does not want the event, which is resumed with the next target.
  package mutating func decline(
    _ delivery: DeliveryID,
    by scene: SceneID,
    reason: String?,
    now: UInt64
  ) -> Result<[Effect], Refusal> {
    self.now = now
    if let refusal = limits.refusal(ofString: reason) { return .failure(refusal) }
    switch shownEvent(delivery, by: scene) {
    case .failure(let refusal): return .failure(refusal)
    case .success(let slot):
      settle(slot, .declined, reason: reason)
      return .success(takeEffects())
    }
  }

  // Inlined, as the router is copied, bit by bit, for a call that does not change it.
  @inline(__always)
  private func shownEvent(_ delivery: DeliveryID, by scene: SceneID) -> Result<EventSlot, Refusal> {
    if let slot = deliveries[delivery.rawValue], case .shown(scene, delivery) = events[slot].phase {
      return .success(slot)
    }
    guard queues.place(of: scene.rawValue) != nil else { return .failure(.noSuchScene) }
    let ended = endedDeliveries[delivery.rawValue]
    return .failure(.noSuchDelivery(ended?.sceneID == scene ? ended?.result : nil))
  }
}
