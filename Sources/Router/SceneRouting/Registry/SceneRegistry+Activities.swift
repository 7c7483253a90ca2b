/// What the user of a scene is doing: no part of routing, so that it changes neither the registry nor what monitors see.
///
/// A class, as a scene without one is to hold no more than a reference.
package final class CurrentActivity: Sendable {
  /// What the user is doing.
  package let activity: Activity
  /// When it became current; `CLOCK_REALTIME`, in microseconds.
  package let sinceUSec: Int64

  init(_ activity: Activity, sinceUSec: Int64) {
    (self.activity, self.sinceUSec) = (activity, sinceUSec)
  }

  /// Whether it can be listed and taken.
  var isEligible: Bool { activity.isEligibleForHandoff == true }

  /// Bytes that it takes in a list beside its scene, in JSON and without `userInfo`, or a few more.
  package var listedSize: Int {
    let texts = [activity.targetContentIdentifier, activity.webpageURL, activity.title]
    return Self.namesSize + activity.activityType.listedSize
      + texts.reduce(0) { $0 + ($1?.listedSize ?? 0) }
  }

  /// What the activity of a scene counts for.
  static func charge(of current: CurrentActivity?) -> Charge {
    Charge(bytes: current.map { namesSize + $0.activity.size } ?? 0)
  }

  /// Bytes of the names of its fields in a list, and of what stands between them.
  private static var namesSize: Int { 160 }
}

extension SceneRegistry {
  /// Makes an activity the current one of a scene in place of any other; `nil` ends it.
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

  /// The current activity of a scene; `nil` if there is none that is eligible for Handoff.
  package func activity(of id: SceneID) -> CurrentActivity? {
    scenesByID[id]?.activity.flatMap { $0.isEligible ? $0 : nil }
  }

  /// The scenes of an application, or of all, that have an activity that is eligible for Handoff, in the order of the
  /// rules: those that were active last come first.
  package func scenesWithActivities(of application: String?) -> [SceneID] {
    openScenes.compactMap { candidate in
      guard let scene = scenes[Int(candidate.index)], scene.activity?.isEligible == true,
        application == nil || scene.applicationID == application
      else { return nil }
      return scene.id
    }
  }
}
