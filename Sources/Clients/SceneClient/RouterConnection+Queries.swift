import RouterInterface
import UnixSocket
import Varlink

extension RouterConnection {
  /// The open scenes, or those of an application, or the one of this id.
  public func scenes(
    application: String? = nil,
    id: String? = nil
  ) async throws(RouterError) -> [SceneDescription] {
    let call = Wire.ListScenes(applicationID: application, sceneID: id)
    // One fits into a reply.
    let scenes = try await id == nil ? allReplies(to: call).flatMap(\.scenes) : ask(call).scenes
    return scenes.map(SceneDescription.init)
  }

  /// The declared applications, or the one of this id.
  public func applications(id: String? = nil) async throws(RouterError) -> [ApplicationDescription] {
    try await allReplies(to: Wire.ListApplications(applicationID: id)).flatMap(\.applications)
      .map(ApplicationDescription.init)
  }

  /// The current activities that are eligible for Handoff, or those of an application, without user info; those of the
  /// scenes that were active last come first.
  public func activities(application: String? = nil) async throws(RouterError) -> [CurrentActivity] {
    try await allReplies(to: Wire.ListActivities(applicationID: application)).flatMap(\.activities)
      .map(CurrentActivity.init)
  }

  /// Takes a scene's current activity, to continue it elsewhere; the scene keeps it, and gets ``SceneMessage/continued(_:)``.
  ///
  /// - Parameters:
  ///   - scene: the id of the scene.
  ///   - taker: who takes it, to be shown to the scene's user; cut after 1 KiB.
  /// - Returns: the activity, with user info.
  /// - Throws: a ``RouterError`` with the code `noSuchScene`, or `noSuchActivity` if the scene has none that is eligible
  ///   for Handoff.
  public func takeActivity(of scene: String, by taker: String? = nil) async throws(RouterError) -> Activity {
    Activity(try await call(Wire.TakeActivity(sceneID: scene, by: taker?.limited)).activity)
  }

  /// Follows the router's work, beginning with all that is registered now.
  ///
  /// - Parameters:
  ///   - showsDecisions: whether to report what becomes of events.
  ///   - showsRegistry: whether to report changes of scenes and applications.
  /// - Returns: the changes, from a ``RouterChange/snapshot(_:)`` on, which may come in several parts, and comes again
  ///   after the connection was lost.
  /// - Throws: a ``RouterError`` if the router cannot be asked.
  public func monitor(
    showsDecisions: Bool = true,
    showsRegistry: Bool = true
  ) async throws(RouterError) -> RouterStream<RouterChange> {
    let call = Wire.Monitor(
      showDecisions: showsDecisions ? nil : false,
      showRegistry: showsRegistry ? nil : false
    )
    let replies = try await LastingReplies(self) { reply in
      reply == .closed(ClosingReason.shutdown.rawValue)
    } call: {
      call
    }
    return RouterStream(replies, firstWithin: timeout) { RouterChange($0) }
  }

  /// What the router has done since it was started.
  public func statistics() async throws(RouterError) -> Statistics {
    Statistics(try await ask(Wire.GetStatistics()))
  }

  /// Has the router read the desktop entries again; returns when what they say is in place.
  public func reload() async throws(RouterError) -> Reload {
    Reload(try await call(Wire.Reload()))
  }

  /// Which program answers at the socket.
  public func program() async throws(RouterError) -> RouterProgram {
    let information = try await ask(GetInfo())
    return RouterProgram(
      name: information.product,
      version: information.version,
      processID: peer?.processID,
      userID: peer?.userID
    )
  }
}
