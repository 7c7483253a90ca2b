import ArgumentParser
import SceneClient

/// Where an event may go, and how long the tool waits for its end.
struct RoutingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Only this application's scenes and declarations.", valueName: "id"))
  var application: String?

  @Option(help: ArgumentHelp("Only this scene.", valueName: "id"))
  var scene: String?

  @Flag(help: "Never open a new scene.")
  var noNewScene = false

  @Flag(help: "Only wait until the event has been routed.")
  var noWait = false

  @Option(help: ArgumentHelp("Time for one target to take the event, in seconds.", valueName: "seconds"))
  var timeout: Double?

  @Option(help: ArgumentHelp("Names the event; one of the same name is routed only once.", valueName: "id"))
  var eventID: String?

  func validate() throws {
    if let timeout, !(timeout > 0 && timeout <= 3600) {
      throw ValidationError("--timeout takes seconds, more than 0 and up to 3600.")
    }
  }

  var scope: RoutingScope {
    RoutingScope(applicationID: application, sceneID: scene, allowsNewScene: !noNewScene)
  }

  func options(activationToken: String? = nil) -> SendOptions {
    SendOptions(eventID: eventID, activationToken: activationToken, timeout: timeout.map { .seconds($0) })
  }
}
