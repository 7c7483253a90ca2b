package struct RouteConstraints: Hashable, Sendable {
  package var applicationID: String?
  package var sceneID: SceneID?
  /// The event never goes back to this scene, unless ``sceneID`` names it.
  package var originSceneID: SceneID?
  /// The earlier event for which the sender was started; see ``StartMemory``.
  package var originDecisionID: DecisionID?
  /// The application of the sender's process, according to the kernel; the user may have chosen who gets its events.
  package var senderApplicationID: String?
  package var allowsNewScene: Bool

  package init(
    applicationID: String? = nil,
    sceneID: SceneID? = nil,
    originSceneID: SceneID? = nil,
    originDecisionID: DecisionID? = nil,
    senderApplicationID: String? = nil,
    allowsNewScene: Bool = true
  ) {
    self.applicationID = applicationID?.asApplicationID
    self.sceneID = sceneID
    self.originSceneID = originSceneID
    self.originDecisionID = originDecisionID
    self.senderApplicationID = senderApplicationID?.asApplicationID
    self.allowsNewScene = allowsNewScene
  }
}

/// There are at most as many targets as attempts.
struct TriedTargets: Hashable, Sendable {
  struct Declaration: Hashable, Sendable {
    var applicationID: String
    var declarationID: String
  }

  var scenes: [SceneID] = []
  var declarations: [Declaration] = []
}

struct RouteQuery {
  let event: Event
  let constraints: RouteConstraints
  /// Applications that have already passed the event on.
  let passedOver: [String]
  var tried: TriedTargets

  init(
    _ event: consuming Event,
    _ constraints: RouteConstraints,
    passedOver: [String] = [],
    tried: TriedTargets = TriedTargets()
  ) {
    self.event = event
    self.constraints = constraints
    self.passedOver = passedOver
    self.tried = tried
  }
}
