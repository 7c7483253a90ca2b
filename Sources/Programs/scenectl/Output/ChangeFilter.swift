import SceneClient

/// Finds the changes that concern one application or one scene.
struct ChangeFilter {
  let application: String?
  let scene: String?
  /// By scene id, because the report of a closed scene names only the scene.
  private var applications: [String: String] = [:]
  /// The decisions of the unfinished events that are shown, because a settlement names no application.
  private var events: Set<String> = []

  init(application: String?, scene: String?) { (self.application, self.scene) = (application, scene) }

  /// The caller passes every change, in order.
  mutating func shows(_ change: RouterChange) -> Bool {
    guard application != nil || scene != nil else { return true }
    switch change {
    case .snapshot(let snapshot):
      for scene in snapshot.scenes { applications[scene.id] = scene.applicationID }
      return true
    case .decision(let routed):
      let decision = routed.decision
      if includes(decision.applicationID, decision.sceneID) { events.insert(decision.decisionID) }
      return events.contains(decision.decisionID)
    case .settlement(let settlement):
      let isTaken = [.acknowledged, .launched].contains(settlement.result)
      return isTaken ? events.remove(settlement.decisionID) != nil : events.contains(settlement.decisionID)
    case .sceneChanged(let scene):
      applications[scene.id] = scene.applicationID
      return includes(scene.applicationID, scene.id)
    case .sceneClosed(let id): return includes(applications.removeValue(forKey: id), id)
    case .applicationChanged(let application): return scene == nil && includes(application.id, nil)
    case .applicationGone(let id): return scene == nil && includes(id, nil)
    case .dropped, .closed: return true
    }
  }

  private func includes(_ application: String?, _ scene: String?) -> Bool {
    (self.application == nil || self.application == application) && (self.scene == nil || self.scene == scene)
  }
}
