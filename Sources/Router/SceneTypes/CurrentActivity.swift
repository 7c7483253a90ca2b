/// A scene's current activity, which another program can take and continue.
public struct CurrentActivity: Sendable, Equatable {
  /// The scene that offers the activity.
  public let scene: SceneDescription
  /// The activity without user info; ``RouterConnection/takeActivity(of:by:)`` returns the user info, too.
  public let activity: Activity
  /// By `CLOCK_REALTIME`.
  package let sinceUSec: Int64

  package init(scene: SceneDescription, activity: Activity, sinceUSec: Int64) {
    self.scene = scene
    self.activity = activity
    self.sinceUSec = sinceUSec
  }

  /// When the activity became current, as the time since 1970 (`CLOCK_REALTIME`).
  public var since: Duration { .microseconds(sinceUSec) }
}

/// A report that another program has taken a scene's current activity and continues the activity
/// elsewhere.
public struct Continuation: Sendable, Equatable {
  /// The type of the activity.
  public let activityType: String
  /// The name that the program gave when it took the activity, such as the name of a machine; nil if it gave no name.
  public let taker: String?

  package init(activityType: String, taker: String? = nil) {
    self.activityType = activityType
    self.taker = taker
  }
}
