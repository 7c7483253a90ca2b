extension Router {
  /// Makes an activity the current one of a scene in place of any other; `nil` ends it.
  ///
  /// The registry stays as it is, and so does its generation.
  package mutating func setActivity(
    _ activity: Activity?,
    of scene: SceneID,
    realTimeUSec: Int64
  ) -> CallError? {
    registry.setActivity(activity, of: scene, realTimeUSec: realTimeUSec, limits: limits)
  }

  /// The current activity of a scene, which keeps it, and to which that is reported; `by` is who takes it, in the taker's words.
  package func takeActivity(
    of scene: SceneID,
    by: String?
  ) -> Result<(activity: Activity, effects: [Effect]), CallError> {
    if let error = limits.error(ofString: by) { return .failure(error) }
    guard registry.scenesByID[scene] != nil else { return .failure(.noSuchScene) }
    guard let activity = registry.activity(of: scene)?.activity else { return .failure(.noSuchActivity) }
    return .success((activity, [.activityTaken(scene, activityType: activity.activityType, by: by)]))
  }
}
