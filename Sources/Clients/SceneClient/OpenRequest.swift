import RouterInterface

/// Asks an application for a new scene, to which an event is then delivered first.
public struct OpenRequest: Sendable, Identifiable {
  let wire: Wire.OpenRequest
  private let handle: String
  private let router: RouterConnection

  init(_ wire: Wire.OpenRequest, application: String, handle: String, router: RouterConnection) {
    self.wire = wire
    self.handle = handle
    self.router = router
    applicationID = application
    event = Event(wire.event)
  }

  /// The application that is asked.
  public let applicationID: String
  /// The event that the scene is for; it is also the first one delivered to the scene.
  public let event: Event
  /// Identifies the request.
  public var id: String { wire.openRequestID }
  /// Identifies the event: all decisions about it have the same.
  public var decisionID: String { wire.decisionID }
  /// The kind of scene to open.
  public var declarationID: String { wire.declarationID }
  /// As chosen by the sender of the event.
  public var eventID: String? { wire.eventID }
  /// Lets the scene show its window (xdg-activation-v1, or an X11 startup id).
  public var activationToken: String? { wire.activationToken }
  /// How long after it was sent the request is withdrawn.
  public var timeout: Duration { .microseconds(wire.timeoutUSec) }

  /// Opens the scene that is asked for.
  ///
  /// - Parameters:
  ///   - title: for people.
  ///   - registrations: the interests of its views.
  ///   - maxPendingDeliveries: how many unsettled deliveries to see at once, at least 1; nil is 16.
  /// - Returns: the scene, of which the event is the first delivery.
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

  /// Tells the router that no scene will be opened.
  ///
  /// - Parameter reason: Why, for the sender; cut after 1 KiB.
  /// - Throws: a ``RouterError`` with the code `noSuchOpenRequest` if the request was answered or withdrawn before.
  public func decline(reason: String? = nil) async throws(RouterError) {
    _ = try await router.call(
      Wire.DeclineOpenRequest(applicationHandle: handle, openRequestID: id, reason: reason?.limited)
    )
  }
}

extension OpenRequest: WireRepresentable {}
