/// What a sender demands of the target of an event.
package struct RouteConstraints: Hashable, Sendable {
  /// Only this application's scenes and declarations.
  package var applicationID: String?
  /// Only this scene.
  package var sceneID: SceneID?
  /// Never this scene.
  package var originSceneID: SceneID?
  /// Whether a new scene may be opened.
  package var allowsNewScene: Bool

  /// No demands but those given.
  package init(
    applicationID: String? = nil,
    sceneID: SceneID? = nil,
    originSceneID: SceneID? = nil,
    allowsNewScene: Bool = true
  ) {
    self.applicationID = applicationID
    self.sceneID = sceneID
    self.originSceneID = originSceneID
    self.allowsNewScene = allowsNewScene
  }
}

/// The targets that did not take an event, which later attempts pass over: no more than there are attempts.
struct TriedTargets: Hashable, Sendable {
  struct Declaration: Hashable, Sendable {
    var applicationID: String
    var declarationID: String
  }

  var scenes: [SceneID] = []
  var declarations: [Declaration] = []
}

/// One event as the rules look at it: with what its sender demands, and the targets that may not take it.
struct RouteQuery {
  let event: Event
  let constraints: RouteConstraints
  var tried: TriedTargets

  init(_ event: consuming Event, _ constraints: RouteConstraints, tried: TriedTargets = TriedTargets()) {
    self.event = event
    self.constraints = constraints
    self.tried = tried
  }
}
