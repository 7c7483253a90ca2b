import RouterInterface

/// A request to an application for a new scene, which gets an event as its first delivery.
public struct OpenRequest: Sendable, Identifiable {
  let wire: Wire.SceneRequested
  private let handle: String
  private let router: RouterConnection
  /// The number of the connection over which the request came.
  let connection: Int

  init(
    _ wire: Wire.SceneRequested,
    application: String,
    handle: String,
    router: RouterConnection,
    connection: Int
  ) {
    self.wire = wire
    self.handle = handle
    self.router = router
    self.connection = connection
    applicationID = application
    event = wire.event
  }

  /// The application that gets the request.
  public let applicationID: String
  /// The event for which the scene is opened, and which it gets as its first delivery.
  public let event: Event
  /// Identifies the request.
  public var id: String { wire.openRequestID }
  /// Identifies the event; all decisions about the event have the same id.
  public var decisionID: String { wire.decisionID }
  /// The declaration of the scene to open.
  public var declarationID: String { wire.declarationID }
  /// The id that the sender, or the sender's library, has given to the event.
  public var eventID: String? { wire.eventID }
  /// Lets the scene show its window (xdg-activation-v1, or an X11 startup id).
  public var activationToken: String? { wire.activationToken }
  /// The sender of the event, if the router knows the sender.
  public var sender: Sender? { wire.sender }
  /// The time that the application has to answer, counted from the sending of the request.
  ///
  /// If the application does not answer in this time, the router withdraws the request, unless later events wait for
  /// the same scene.
  public var timeout: Duration { .microseconds(wire.timeoutUSec) }

  /// Opens the requested scene.
  ///
  /// If the router that sent the request is gone, the scene is opened nevertheless, and gets the event from this
  /// library.
  ///
  /// - Parameters:
  ///   - title: a title for people.
  ///   - registrations: the registrations of the scene's views.
  ///   - maxPendingDeliveries: the largest number of unsettled deliveries that the scene has at any time, at least 1;
  ///     nil means 16.
  /// - Returns: the scene, which gets the event as its first delivery.
  /// - Throws: a ``RouterError`` with the code `noSuchOpenRequest` if the request was answered or withdrawn before.
  public func openScene(
    title: String? = nil,
    registrations: [Registration] = [],
    maxPendingDeliveries: Int? = nil
  ) async throws(RouterError) -> OpenScene {
    try await router.openScene(
      application: applicationID,
      declaration: declarationID,
      title: title,
      registrations: registrations,
      answering: self,
      maxPendingDeliveries: maxPendingDeliveries
    )
  }

  /// Tells the router that the application will not open a scene.
  ///
  /// - Parameter reason: the reason, for the sender; cut after 1 KiB.
  /// - Returns: ``AnswerOutcome/tooLate(_:)`` if the request was already answered or withdrawn, or if the router
  ///   that sent the request is gone. If the router is gone, the event counts as taken, so the result is
  ///   ``Settlement/Result/acknowledged``.
  /// - Throws: a ``RouterError``, such as `cancelled` or `noAnswer`.
  @discardableResult
  public func decline(reason: String? = nil) async throws(RouterError) -> AnswerOutcome {
    let call = Wire.DeclineOpenRequestCall(
      applicationHandle: handle,
      openRequestID: id,
      reason: reason?.limited
    )
    return try await router.answer(over: connection, ifRouterIsGone: .tooLate(.acknowledged)) {
      () throws(RouterError) in
      _ = try await router.call(call)
      router.forgetShown(id, by: applicationID)
    }
  }
}

extension OpenRequest: WireRepresentable {}

extension Wire.EventDelivered {
  /// For a request from a router that is gone: this library delivers the event, because no router does any more.
  init(_ request: OpenRequest) {
    self.init(
      deliveryID: request.id,
      decisionID: request.decisionID,
      event: request.wire.event,
      registrationIDs: [],
      eventID: request.eventID,
      activationToken: request.activationToken,
      timeoutUSec: request.wire.timeoutUSec,
      sender: request.wire.sender
    )
  }
}
