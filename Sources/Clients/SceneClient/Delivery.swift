import RouterInterface

/// An event on its way to a scene, until the scene acknowledges or declines it.
public struct Delivery: Sendable, Identifiable {
  let wire: Wire.Delivery
  private let scene: OpenScene.State
  private let sceneHandle: String
  private let router: RouterConnection
  /// The number of the connection over which the delivery came.
  private let connection: Int

  init(_ wire: Wire.Delivery, to scene: OpenScene.State, over router: RouterConnection, connection: Int) {
    self.wire = wire
    self.scene = scene
    sceneHandle = scene.opened?.sceneHandle ?? ""
    self.router = router
    self.connection = connection
    event = Event(wire.event)
  }

  /// The event.
  public let event: Event
  /// Identifies the delivery.
  public var id: String { wire.deliveryID }
  /// Identifies the event; all decisions about the event have the same id.
  public var decisionID: String { wire.decisionID }
  /// The registrations of the scene that matched the event.
  public var registrationIDs: [String] { wire.registrationIDs }
  /// The id that the sender, or its library, has chosen.
  ///
  /// A scene gets no event twice, so that there is no need to compare ids.
  public var eventID: String? { wire.eventID }
  /// Lets the scene raise its window (xdg-activation-v1, or an X11 startup id).
  public var activationToken: String? { wire.activationToken }
  /// The sender of the event, if the router knows the sender.
  public var sender: Sender? { wire.sender.map(Sender.init) }
  /// The time from the sending of the delivery to its withdrawal.
  public var timeout: Duration { .microseconds(wire.timeoutUSec) }

  /// Tells the router that the scene has taken the event.
  ///
  /// Does nothing if the router that sent the delivery is gone. This process then reports the event to the next
  /// router as taken.
  ///
  /// - Parameter oneway: whether to return without waiting for an answer. In this case the call does not throw if
  ///   the delivery was withdrawn in the meantime.
  /// - Throws: a ``RouterError`` with the code `noSuchDelivery` if the delivery was settled or withdrawn before.
  public func acknowledge(oneway: Bool = false) async throws(RouterError) {
    let call = Wire.AcknowledgeDelivery(sceneHandle: sceneHandle, deliveryID: id)
    try await router.answer(over: connection) { () throws(RouterError) in
      if oneway {
        try await router.callOneway(call)
      } else {
        _ = try await router.call(call)
      }
    }
  }

  /// Tells the router that the scene does not take the event.
  ///
  /// The next best target gets the event, if there is one. Does nothing if the router that sent the delivery
  /// is gone: the event then counts as taken.
  ///
  /// - Parameter reason: the reason, for the sender; cut after 1 KiB.
  /// - Throws: a ``RouterError`` with the code `noSuchDelivery` if the delivery was settled or withdrawn
  ///   before.
  public func decline(reason: String? = nil) async throws(RouterError) {
    let call = Wire.DeclineDelivery(sceneHandle: sceneHandle, deliveryID: id, reason: reason?.limited)
    try await router.answer(over: connection) { () throws(RouterError) in
      _ = try await router.call(call)
      scene.forget(id, over: router)
    }
  }
}

extension Delivery: WireRepresentable {}
