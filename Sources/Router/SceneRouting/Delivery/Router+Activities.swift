extension Router {
  /// The registry's generation stays, because activities have no influence on decisions.
  package mutating func setActivity(
    _ activity: Activity?,
    of scene: SceneID,
    realTimeUSec: Int64
  ) -> CallError? {
    registry.setActivity(activity, of: scene, realTimeUSec: realTimeUSec, limits: limits)
  }

  /// The scene keeps the activity; an effect tells it that a client took the activity, and the client's name.
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
