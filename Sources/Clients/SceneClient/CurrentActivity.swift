import RouterInterface

/// What a scene is showing now, offered to be continued elsewhere.
public struct CurrentActivity: Sendable, Equatable, WireRepresentable {
  let wire: Wire.CurrentActivity

  init(_ wire: Wire.CurrentActivity) {
    self.wire = wire
  }

  /// The scene.
  public var scene: SceneDescription { SceneDescription(wire.scene) }
  /// The activity without user info, which ``RouterConnection/takeActivity(of:by:)`` returns.
  public var activity: Activity { Activity(wire.activity) }
  /// When it became current, in time since 1970 (`CLOCK_REALTIME`).
  public var since: Duration { .microseconds(wire.sinceUSec) }
}

/// Tells that the current activity of a scene was taken, to be continued elsewhere.
public struct Continuation: Sendable, Equatable, WireRepresentable {
  let wire: Wire.Continuation

  init(_ wire: Wire.Continuation) {
    self.wire = wire
  }

  /// The kind of activity.
  public var activityType: String { wire.activityType }
  /// Who took it, in the taker's words.
  public var taker: String? { wire.by }
}
