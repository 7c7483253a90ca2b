import ArgumentParser
import SceneClient

struct ScopeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Route only to this application's scenes and declarations.", valueName: "id"),
    completion: .applications
  )
  var application: String?

  @Option(help: ArgumentHelp("Route only to this scene.", valueName: "id"), completion: .scenes)
  var scene: String?

  @Flag(help: "Never open a new scene.")
  var noNewScene = false

  /// For callers that parse no arguments.
  static var none: ScopeOptions {
    var options = ScopeOptions()
    (options.application, options.scene, options.noNewScene) = (nil, nil, false)
    return options
  }

  func scope(origin: String? = nil) -> RoutingScope {
    RoutingScope(
      applicationID: application,
      sceneID: scene,
      originSceneID: origin,
      allowsNewScene: !noNewScene
    )
  }
}

struct RoutingOptions: ParsableArguments {
  @OptionGroup var scopeOptions: ScopeOptions

  @Flag(help: "Wait only for the decision, not for the outcome.")
  var noWait = false

  @Option(
    help: ArgumentHelp(
      "Time limit for each target to take the event; 10 by default, and at least 60 for a program to be started.",
      valueName: "seconds"
    )
  )
  var timeout: Seconds?

  @Option(
    help: ArgumentHelp(
      "An id for the event; a second event with the same id is not routed again.",
      valueName: "id"
    )
  )
  var eventID: String?

  /// For callers that parse no arguments.
  static var none: RoutingOptions {
    var options = RoutingOptions()
    (options.scopeOptions, options.noWait, options.timeout, options.eventID) = (.none, false, nil, nil)
    return options
  }

  func options(activationToken: String? = nil) -> SendOptions {
    SendOptions(eventID: eventID, activationToken: activationToken, timeout: timeout?.duration)
  }
}
