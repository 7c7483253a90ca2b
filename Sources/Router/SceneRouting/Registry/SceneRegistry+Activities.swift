/// A class, so that a scene without an activity stores only a reference.
///
/// The activity takes no part in routing, so its change is no change of the registry, and monitors do not see it.
package final class SceneActivity: Sendable {
  package let activity: Activity
  /// By `CLOCK_REALTIME`.
  package let sinceUSec: Int64

  init(_ activity: Activity, sinceUSec: Int64) {
    (self.activity, self.sinceUSec) = (activity, sinceUSec)
  }

  var isEligible: Bool { activity.isEligibleForHandoff }

  /// Bytes in a JSON list, perhaps a few too many; `userInfo` is not listed.
  package var listedSize: Int {
    let texts = [activity.targetContentIdentifier, activity.webpageURL, activity.title]
    return Self.namesSize + activity.activityType.listedSize
      + texts.reduce(0) { $0 + ($1?.listedSize ?? 0) }
  }

  static func charge(of current: SceneActivity?) -> Charge {
    Charge(bytes: current.map { namesSize + $0.activity.size } ?? 0)
  }

  /// Bytes of field names and of fields without text in a JSON list.
  private static var namesSize: Int { 160 }
}

extension SceneRegistry {
  mutating func setActivity(
    _ activity: Activity?,
    of id: SceneID,
    realTimeUSec: Int64,
    limits: Limits
  ) -> CallError? {
    guard let scene = scenesByID[id] else { return .noSuchScene }
    if let error = activity?.error(under: limits, path: "activity") { return error }
    let current = activity.map { SceneActivity($0, sinceUSec: realTimeUSec) }
    let removed = SceneActivity.charge(of: scene.activity)
    let added = SceneActivity.charge(of: current)
    if let error = exchange(removed, for: added, of: scene.user, limits) { return error }
    scene.activity = current
    return nil
  }

  /// Only an activity that is eligible for Handoff.
  package func activity(of id: SceneID) -> SceneActivity? {
    scenesByID[id]?.activity.flatMap { $0.isEligible ? $0 : nil }
  }

  /// The scenes with an activity that is eligible for Handoff, in the order of the rules.
  package func scenesWithActivities(of application: String?) -> [SceneID] {
    openScenes.compactMap { candidate in
      guard let scene = scenes[Int(candidate.index)], scene.activity?.isEligible == true,
        application == nil || scene.applicationID == application
      else { return nil }
      return scene.id
    }
  }
}
