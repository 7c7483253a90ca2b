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
  /// The id that the sender, or the sender's library, has given to the event.
  ///
  /// A scene gets no event twice, so the ids need no comparison.
  public var eventID: String? { wire.eventID }
  /// Lets the scene raise its window (xdg-activation-v1, or an X11 startup id).
  public var activationToken: String? { wire.activationToken }
  /// The sender of the event, if the router knows the sender.
  public var sender: Sender? { wire.sender.map(Sender.init) }
  /// The time from the sending of the delivery to its withdrawal.
  public var timeout: Duration { .microseconds(wire.timeoutUSec) }

  /// Tells the router that the scene has taken the event.
  ///
  /// Does nothing if the router that sent the delivery is gone. The acknowledgement then counts as accepted. The reason
  /// is that this library reports the event to the next router.
  ///
  /// - Returns: ``AnswerOutcome/tooLate(_:)`` if the delivery was answered or withdrawn before. Another target may have
  ///   got the event then.
  /// - Throws: a ``RouterError``, such as `cancelled` or `noAnswer`.
  @discardableResult
  public func acknowledge() async throws(RouterError) -> AnswerOutcome {
    try await router.answer(over: connection, ifRouterIsGone: .accepted) { () throws(RouterError) in
      _ = try await router.call(acknowledgement)
    }
  }

  /// Tells the router that the scene has taken the event, and does not wait for an answer.
  ///
  /// The caller does not learn whether the acknowledgement comes too late. Otherwise this method works as
  /// ``acknowledge()``.
  public func acknowledgeOneway() async throws(RouterError) {
    try await router.answer(over: connection, ifRouterIsGone: .accepted) { () throws(RouterError) in
      try await router.callOneway(acknowledgement)
    }
  }

  private var acknowledgement: Wire.AcknowledgeDelivery {
    Wire.AcknowledgeDelivery(sceneHandle: sceneHandle, deliveryID: id)
  }

  /// Tells the router that the scene does not take the event.
  ///
  /// The next best target gets the event, if there is one.
  ///
  /// - Parameter reason: the reason, for the sender; cut after 1 KiB.
  /// - Returns: ``AnswerOutcome/tooLate(_:)`` in two cases: the delivery was answered or withdrawn before, or the
  ///   delivery's router is gone. In the second case the event counts as taken, and the result is
  ///   ``Settlement/Result/acknowledged``.
  /// - Throws: a ``RouterError``, such as `cancelled` or `noAnswer`.
  @discardableResult
  public func decline(reason: String? = nil) async throws(RouterError) -> AnswerOutcome {
    let call = Wire.DeclineDelivery(sceneHandle: sceneHandle, deliveryID: id, reason: reason?.limited)
    return try await router.answer(over: connection, ifRouterIsGone: .tooLate(.acknowledged)) {
      () throws(RouterError) in
      _ = try await router.call(call)
      scene.forget(id, over: router)
    }
  }
}

extension Delivery: WireRepresentable {}
