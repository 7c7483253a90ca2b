import SceneClient

/// Takes the activity of a scene from the router `source`, and sends the activity to the router `destination`.
///
/// `source` and `destination` can be the same router.
struct Handoff {
  let source: RouterConnection
  let destination: RouterConnection
  /// The name of the machine that continues the activity.
  ///
  /// The scene gets this name and can show it to the user.
  let taker: String?

  /// Continues the activity of `scene`, by default of the scene that was active last, and shows the outcome.
  ///
  /// If no rule finds a target for the activity, the URL of the activity's web page is sent instead.
  func run(
    from scene: String?,
    _ routing: RoutingOptions,
    _ report: OutcomeReport
  ) async throws -> CommandStatus {
    let scene = if let scene { scene } else { try await source.activities().first?.scene.id }
    guard let scene else {
      Terminal.showError("No scene shows an activity that can be continued elsewhere.")
      return .error
    }
    let activity = try await source.takeActivity(of: scene, by: taker)
    let origin = source === destination ? scene : nil
    let status = try await routing.send(Event(activity: activity), from: origin, over: destination, report)
    guard status == .notRouted, let webpageURL = activity.webpageURL else { return status }
    var routing = routing
    // The URL is an event of its own and needs an id of its own. The router refuses the id of one event for another
    // event.
    routing.eventID = routing.eventID.map { $0 + "/webpageURL" }
    return try await routing.send(Event(url: webpageURL), from: origin, over: destination, report)
  }
}
