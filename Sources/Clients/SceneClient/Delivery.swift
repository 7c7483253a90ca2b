import RouterInterface

/// An event for an open scene, to be acknowledged or declined by this scene.
public struct Delivery: Sendable, Identifiable {
  let wire: Wire.EventDelivered
  private let scene: OpenScene.State
  private let sceneHandle: String
  private let router: RouterConnection
  /// The number of the connection over which the delivery came.
  private let connection: Int

  init(_ wire: Wire.EventDelivered, to scene: OpenScene.State, over router: RouterConnection, connection: Int)
  {
    self.wire = wire
    self.scene = scene
    sceneHandle = scene.opened?.sceneHandle ?? ""
    self.router = router
    self.connection = connection
    event = wire.event
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
  /// A scene need not compare these ids, because it gets no event twice.
  public var eventID: String? { wire.eventID }
  /// Lets the scene raise its window (xdg-activation-v1, or an X11 startup id).
  public var activationToken: String? { wire.activationToken }
  /// The sender of the event, if the router knows the sender.
  public var sender: Sender? { wire.sender }
  /// The time that the scene has to answer, from the sending of the delivery until the router withdraws it.
  public var timeout: Duration { .microseconds(wire.timeoutUSec) }

  /// Tells the router that the scene has taken the event.
  ///
  /// If the router that sent the delivery is gone, the method returns ``AnswerOutcome/accepted``, and this library
  /// tells the next router that the event is taken.
  ///
  /// - Returns: ``AnswerOutcome/tooLate(_:)`` if the delivery was already answered or withdrawn. In this case another
  ///   target may have got the event.
  /// - Throws: a ``RouterError``, such as `cancelled` or `noAnswer`.
  @discardableResult
  public func acknowledge() async throws(RouterError) -> AnswerOutcome {
    try await router.answer(over: connection, ifRouterIsGone: .accepted) { () throws(RouterError) in
      _ = try await router.call(acknowledgement)
    }
  }

  /// Tells the router that the scene has taken the event, and does not wait for an answer.
  ///
  /// This method works as ``acknowledge()``, but the caller does not learn whether the acknowledgement comes too late.
  public func acknowledgeOneway() async throws(RouterError) {
    try await router.answer(over: connection, ifRouterIsGone: .accepted) { () throws(RouterError) in
      try await router.callOneway(acknowledgement)
    }
  }

  private var acknowledgement: Wire.AcknowledgeDeliveryCall {
    Wire.AcknowledgeDeliveryCall(sceneHandle: sceneHandle, deliveryID: id)
  }

  /// Tells the router that the scene does not take the event, which then goes to the next best target, if there is one.
  ///
  /// - Parameter reason: the reason, for the sender; cut after 1 KiB.
  /// - Returns: ``AnswerOutcome/tooLate(_:)`` if the delivery was already answered or withdrawn, or if the router that
  ///   sent the delivery is gone. If the router is gone, the event counts as taken, so the result is
  ///   ``Settlement/Result/acknowledged``.
  /// - Throws: a ``RouterError``, such as `cancelled` or `noAnswer`.
  @discardableResult
  public func decline(reason: String? = nil) async throws(RouterError) -> AnswerOutcome {
    let call = Wire.DeclineDeliveryCall(sceneHandle: sceneHandle, deliveryID: id, reason: reason?.limited)
    return try await router.answer(over: connection, ifRouterIsGone: .tooLate(.acknowledged)) {
      () throws(RouterError) in
      _ = try await router.call(call)
      scene.forget(id, over: router)
    }
  }
}

extension Delivery: WireRepresentable {}
