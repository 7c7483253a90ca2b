/// The scenes and applications that may get an event.
public struct RoutingScope: Sendable, Hashable {
  /// Only scenes and declarations of this application; nil for all.
  public var applicationID: String?
  /// Only this scene, whatever its registrations are; nil for all.
  public var sceneID: String?
  /// The scene that sends the event; this scene never gets the event.
  ///
  /// A program that the router has started for an event finds the id of this event in `SCENED_EVENT`. A program
  /// that sends the event on may give this id here instead of a scene. The event then goes to other applications:
  /// not to the program's own application, and not to an application that has sent the event on before.
  public var originSceneID: String?
  /// Whether an application may get a request to open a new scene.
  public var allowsNewScene: Bool

  /// Limits the scenes and applications that may get an event.
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
