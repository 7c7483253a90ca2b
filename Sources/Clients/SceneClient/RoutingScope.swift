/// The scenes and applications that may get an event.
public struct RoutingScope: Sendable, Hashable {
  /// The only application whose scenes and declarations may get the event; nil for every application.
  public var applicationID: String?
  /// The only scene that may get the event; nil for every scene.
  ///
  /// The router does not check whether this scene's registrations match the event.
  public var sceneID: String?
  /// The scene that sends the event; this scene never gets the event.
  ///
  /// A program that the router started for an event, and that sends the event back for another application, can set
  /// this property to the id of the event instead of a scene's, which is in the environment variable `SCENED_EVENT`. If
  /// both events are about the same link, the router then leaves out the program's application, and all applications
  /// that sent this link back earlier.
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

  /// A scope that contains every scene and every application.
  public static let everything = RoutingScope()
}
