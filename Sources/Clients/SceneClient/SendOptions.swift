import RouterInterface

/// The options for sending an event.
public struct SendOptions: Sendable, Hashable {
  /// An id for the event, chosen by the sender.
  ///
  /// A second event with the same id from the same user is not routed again: the call returns the outcome of
  /// the first event. The router remembers the id for ten minutes after the event has ended. If the id is
  /// nil, a connection that reconnects makes up an id for each event.
  public var eventID: String?
  /// A token with which the target raises its window (xdg-activation-v1, or an X11 startup id); works only once.
  public var activationToken: String?
  /// The time for one target to take the event, from 1 µs to one hour; nil means ten seconds.
  public var timeout: Duration?

  /// Makes options.
  public init(eventID: String? = nil, activationToken: String? = nil, timeout: Duration? = nil) {
    self.eventID = eventID
    self.activationToken = activationToken
    self.timeout = timeout
  }
}

extension SendOptions {
  /// Returns the options with an id.
  ///
  /// The router recognizes the id when the event is sent again, and shows the event only once.
  var repeatable: SendOptions {
    var options = self
    options.eventID = eventID ?? Self.madeUpID()
    return options
  }

  /// Returns an id of 128 random bits, which nobody else makes up.
  private static func madeUpID() -> String {
    [UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max)].map { String($0, radix: 36) }
      .joined(separator: "-")
  }

  /// The longest time that one target may have.
  ///
  /// A request that has to start a process has at least 60 s. An event with an id may have been sent before.
  /// The event then keeps the time of the first call, at most one hour.
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
