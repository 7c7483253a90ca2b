import RouterInterface

/// A scene's current activity, which another program can take and continue.
public struct CurrentActivity: Sendable, Equatable, WireRepresentable {
  let wire: Wire.CurrentActivity

  init(_ wire: Wire.CurrentActivity) {
    self.wire = wire
  }

  /// The scene that offers the activity.
  public var scene: SceneDescription { SceneDescription(wire.scene) }
  /// The activity without user info; ``RouterConnection/takeActivity(of:by:)`` returns the user info, too.
  public var activity: Activity { wire.activity }
  /// When the activity became current, as the time since 1970 (`CLOCK_REALTIME`).
  public var since: Duration { .microseconds(wire.sinceUSec) }
}

/// A report that another program has taken a scene's current activity and continues the activity
/// elsewhere.
public struct Continuation: Sendable, Equatable, WireRepresentable {
  let wire: Wire.Continuation

  init(_ wire: Wire.Continuation) {
    self.wire = wire
  }

  /// The type of the activity.
  public var activityType: String { wire.activityType }
  /// The name that the program gave when it took the activity, such as the name of a machine; nil if it gave no name.
  public var taker: String? { wire.by }
}
