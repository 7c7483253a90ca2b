import RouterInterface
import UnixSocket
import Varlink
import VarlinkClient

extension RouterConnection {
  /// Returns the open scenes.
  ///
  /// - Parameters:
  ///   - application: only the scenes of this application; nil for all.
  ///   - id: only the scene with this id; nil for all.
  /// - Returns: the scenes that match all given parameters.
  /// - Throws: a ``RouterError`` if the router cannot be asked.
  public func scenes(
    application: String? = nil,
    id: String? = nil
  ) async throws(RouterError) -> [SceneDescription] {
    let call = Wire.ListScenesCall(applicationID: application, sceneID: id)
    // The list of one scene fits into one reply.
    return try await id == nil ? allReplies(to: call).flatMap(\.scenes) : ask(call).scenes
  }

  /// Returns the declared applications; with `id`, only the application with this id.
  public func applications(id: String? = nil) async throws(RouterError) -> [ApplicationDescription] {
    try await allReplies(to: Wire.ListApplicationsCall(applicationID: id)).flatMap(\.applications)
  }

  /// Returns the current activities that are eligible for Handoff, without user info.
  ///
  /// The activity of the most recently active scene comes first. If `application` is not nil, the list contains only
  /// the activities of this application's scenes.
  public func activities(application: String? = nil) async throws(RouterError) -> [CurrentActivity] {
    try await allReplies(to: Wire.ListActivitiesCall(applicationID: application)).flatMap(\.activities)
  }

  /// Takes a scene's current activity, to continue the activity elsewhere.
  ///
  /// The scene keeps the activity, and gets ``SceneMessage/continued(_:)``.
  ///
  /// - Parameters:
  ///   - scene: the id of the scene.
  ///   - taker: the name of the taker, to be shown to the scene's user; cut after 1 KiB.
  /// - Returns: the activity, with user info.
  /// - Throws: a ``RouterError`` with the code `noSuchScene`, or `noSuchActivity` if the scene has no current
  ///   activity that is eligible for Handoff.
  public func takeActivity(of scene: String, by taker: String? = nil) async throws(RouterError) -> Activity {
    try await call(Wire.TakeActivityCall(sceneID: scene, by: taker?.limited)).activity
  }

  /// Follows the changes at the router, beginning with a snapshot of the registry.
  ///
  /// - Parameters:
  ///   - showsDecisions: whether to report decisions and settlements of events.
  ///   - showsRegistry: whether to report changes of scenes and applications.
  /// - Returns: the changes, beginning with a ``RouterChange/snapshot(_:)``. The snapshot may come in several parts.
  ///   After a loss of the connection, a new snapshot comes.
  /// - Throws: a ``RouterError`` if the router cannot be asked.
  public func monitor(
    showsDecisions: Bool = true,
    showsRegistry: Bool = true
  ) async throws(RouterError) -> RouterStream<RouterChange> {
    let call = Wire.MonitorCall(
      showDecisions: showsDecisions ? nil : false,
      showRegistry: showsRegistry ? nil : false
    )
    return try await RouterStream(LastingReplies(LastingMonitor(call: call), over: self)) { reply, _ in
      RouterChange(reply)
    }
  }

  /// Returns the counters of the router since its start.
  public func statistics() async throws(RouterError) -> Statistics {
    try await ask(Wire.GetStatisticsCall())
  }

  /// Tells the router to reload the desktop entries, and returns when they are in effect.
  public func reload() async throws(RouterError) -> Reload {
    try await call(Wire.ReloadCall())
  }

  /// Returns the name, the version and the process of the router.
  ///
  /// The process is the one that answers this call, never systemd, even if systemd opened the socket; it is nil if the
  /// router is reached through a program.
  public func program() async throws(RouterError) -> RouterProgram {
    guard let socketPath else { return RouterProgram(try await ask(GetInfo()), from: nil) }
    do throws(VarlinkClientError) {
      // Only a connection with `identifiesSender` learns which process answers; all others save its extra system call
      // for each read.
      return try await within(timeout) { () async throws(VarlinkClientError) in
        let connection = try await VarlinkConnection.connect(
          to: Self.address(of: socketPath),
          identifiesSender: true
        )
        return RouterProgram(try await connection.call(GetInfo()), from: connection.sender)
      }
    } catch {
      throw RouterError(error, from: peer)
    }
  }

  private static func address(of path: String) throws(VarlinkClientError) -> SocketAddress {
    do throws(SocketError) { return try SocketAddress(path) } catch { throw .cannotConnect(error) }
  }
}

extension RouterProgram {
  fileprivate init(_ information: GetInfo.Reply, from process: PeerCredentials?) {
    name = information.product
    version = information.version
    (processID, userID) = (process?.processID, process?.userID)
  }
}

private struct LastingMonitor: LastingCall {
  let call: Wire.MonitorCall

  func call(over router: RouterConnection, reportsShown: Bool) -> Wire.MonitorCall { call }
  var passesFirst: Bool { true }

  func note(_ first: Wire.MonitorCall.Reply) -> Bool { true }
}

extension Wire.MonitorCall.Reply: LastingReply {
  var closingReason: String? { if case .closed(let reason) = self { reason } else { nil } }
}
