/// The current activity of a scene: what the user does in the scene.
///
/// The activity takes no part in routing. A change of the activity is therefore no change of the registry, and
/// monitors do not see the change.
///
/// This is a class, so that a scene without an activity stores only a reference.
package final class CurrentActivity: Sendable {
  /// The activity itself.
  package let activity: Activity
  /// The time at which the activity became current, by `CLOCK_REALTIME`, in microseconds.
  package let sinceUSec: Int64

  init(_ activity: Activity, sinceUSec: Int64) {
    (self.activity, self.sinceUSec) = (activity, sinceUSec)
  }

  /// Whether clients may list the activity and take it over, to continue it elsewhere.
  var isEligible: Bool { activity.isEligibleForHandoff }

  /// The bytes that the activity adds to its scene in a JSON list.
  ///
  /// The number may be a few bytes too large. The `userInfo` of the activity is not listed.
  package var listedSize: Int {
    let texts = [activity.targetContentIdentifier, activity.webpageURL, activity.title]
    return Self.namesSize + activity.activityType.listedSize
      + texts.reduce(0) { $0 + ($1?.listedSize ?? 0) }
  }

  /// The charge for the activity of a scene.
  static func charge(of current: CurrentActivity?) -> Charge {
    Charge(bytes: current.map { namesSize + $0.activity.size } ?? 0)
  }

  /// The bytes that an activity takes in a JSON list of activities for field names and for fields without text.
  private static var namesSize: Int { 160 }
}

extension SceneRegistry {
  /// Sets the current activity of a scene.
  ///
  /// `nil` ends the current activity.
  mutating func setActivity(
    _ activity: Activity?,
    of id: SceneID,
    realTimeUSec: Int64,
    limits: Limits
  ) -> CallError? {
    guard let scene = scenesByID[id] else { return .noSuchScene }
    if let error = activity?.error(under: limits, path: "activity") { return error }
    let current = activity.map { CurrentActivity($0, sinceUSec: realTimeUSec) }
    let removed = CurrentActivity.charge(of: scene.activity)
    let added = CurrentActivity.charge(of: current)
    if let error = exchange(removed, for: added, of: scene.user, limits) { return error }
    scene.activity = current
    return nil
  }

  /// The current activity of a scene; `nil` if the scene has no activity that is eligible for Handoff.
  package func activity(of id: SceneID) -> CurrentActivity? {
    scenesByID[id]?.activity.flatMap { $0.isEligible ? $0 : nil }
  }

  /// The scenes of an application that have an activity that is eligible for Handoff.
  ///
  /// If `application` is `nil`, the scenes of all applications are searched. The scenes have the same order as in the
  /// rules. The scene that most recently reported that it is active comes first. Scenes that have never reported this
  /// come last, in the order in which they were opened.
  package func scenesWithActivities(of application: String?) -> [SceneID] {
    openScenes.compactMap { candidate in
      guard let scene = scenes[Int(candidate.index)], scene.activity?.isEligible == true,
        application == nil || scene.applicationID == application
      else { return nil }
      return scene.id
    }
  }
}
