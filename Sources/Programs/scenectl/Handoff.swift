import SceneClient

/// Both routers can be the same.
struct Handoff {
  let source: RouterConnection
  let destination: RouterConnection
  /// The machine that continues the activity, which the scene can show to its user.
  let taker: String?

  /// `scene` is by default the one that was active last.
  ///
  /// If no rule finds a target for the activity, the URL of its web page is sent instead.
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
    // The URL is an event of its own, and the router refuses the id of one event for another.
    routing.eventID = routing.eventID.map { $0 + "/webpageURL" }
    return try await routing.send(Event(url: webpageURL), from: origin, over: destination, report)
  }
}
