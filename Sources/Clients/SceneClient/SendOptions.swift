import RouterInterface

/// How an event is sent.
public struct SendOptions: Sendable, Hashable {
  /// An id for the event that the sender chooses.
  ///
  /// A second event with the same id from the same user is not routed again: it gets the outcome of the first. The
  /// router remembers it for ten minutes after its end.
  public var eventID: String?
  /// Lets the target raise its window (xdg-activation-v1, or an X11 startup id); may be used once.
  public var activationToken: String?
  /// The time for one target to take the event, from 1 µs to one hour; nil is ten seconds.
  public var timeout: Duration?

  /// Chooses how an event is sent.
  public init(eventID: String? = nil, activationToken: String? = nil, timeout: Duration? = nil) {
    self.eventID = eventID
    self.activationToken = activationToken
    self.timeout = timeout
  }
}

extension SendOptions {
  /// The longest that one target may have.
  ///
  /// A request that has to start a process has 60 s at least, and an event that was sent before with the same id keeps
  /// the time it was given then, up to an hour.
  var targetTime: Duration { eventID == nil ? max(timeout ?? .seconds(10), .seconds(60)) : .seconds(3600) }
}

extension Wire.SendEvent {
  init(_ event: Event, to scope: RoutingScope, _ options: SendOptions, waitFor: WaitFor? = nil) {
    self.init(
      event: event.wire,
      waitFor: waitFor,
      applicationID: scope.applicationID,
      sceneID: scope.sceneID,
      originSceneID: scope.originSceneID,
      allowNewScene: scope.allowsNewScene ? nil : false,
      eventID: options.eventID,
      activationToken: options.activationToken,
      timeoutUSec: options.timeout?.microseconds
    )
  }
}
