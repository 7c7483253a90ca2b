extension Router {
  /// Sets the current activity of a scene.
  ///
  /// `nil` ends the current activity.
  ///
  /// The registry's generation does not change, because activities of scenes have no influence on decisions.
  package mutating func setActivity(
    _ activity: Activity?,
    of scene: SceneID,
    realTimeUSec: Int64
  ) -> CallError? {
    registry.setActivity(activity, of: scene, realTimeUSec: realTimeUSec, limits: limits)
  }

  /// Returns the current activity of a scene.
  ///
  /// The scene keeps the activity. An effect tells the scene that a client took the activity to continue it elsewhere.
  /// `by` is the name that the client gave.
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
