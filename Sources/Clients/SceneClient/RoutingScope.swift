/// Which scenes and applications an event may go to.
public struct RoutingScope: Sendable, Hashable {
  /// Only this application's scenes and declarations.
  public var applicationID: String?
  /// Only this scene, whatever its registrations.
  public var sceneID: String?
  /// Never the scene that the event comes from.
  ///
  /// In a program that the router has started, the event that it was started for, as `SCENED_EVENT` in its environment
  /// says: then never the application that was started, nor one that handed that event on to it in the same way.
  public var originSceneID: String?
  /// Whether an application may be asked to open a new scene.
  public var allowsNewScene: Bool

  /// Limits where an event may go.
  public init(
    applicationID: String? = nil,
    sceneID: String? = nil,
    originSceneID: String? = nil,
    allowsNewScene: Bool = true
  ) {
    self.applicationID = applicationID
    self.sceneID = sceneID
    self.originSceneID = originSceneID
    self.allowsNewScene = allowsNewScene
  }

  /// Every scene and every application.
  public static let everything = RoutingScope()
}
