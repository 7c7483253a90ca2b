import RouterInterface

/// The options for sending an event.
public struct SendOptions: Sendable, Hashable {
  /// An id for the event, chosen by the sender.
  ///
  /// The router does not route a second event of the same user with the same id; the call returns the outcome of the
  /// first event instead. The router remembers the id for ten minutes after the event has ended. If the id is nil and
  /// the connection can reconnect, the library gives each event a random id.
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
  /// With an event id, by which the router recognizes an event that is sent again, and does not show it a second time.
  var repeatable: SendOptions {
    var options = self
    options.eventID = eventID ?? Self.madeUpID()
    return options
  }

  /// Unique, because it has 128 random bits.
  private static func madeUpID() -> String {
    [UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max)].map { String($0, radix: 36) }
      .joined(separator: "-")
  }

  /// The longest time that the router can give one target to answer.
  ///
  /// A program that has to be started first gets at least 60 s. With an id, an earlier call can have sent the same
  /// event with the longest timeout, one hour, which then still applies.
  var targetTime: Duration { eventID == nil ? max(timeout ?? .seconds(10), .seconds(60)) : .seconds(3600) }
}

extension Wire.SendEventCall {
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
