/// The reason why a call to the router failed.
///
/// If no target takes an event that the router has accepted, the result is an ``EventOutcome`` and not an error.
public struct RouterError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of an error.
  public enum Code: Sendable, Equatable {
    /// The environment does not say where the router listens.
    case noSocketPath
    /// No process listens at the router's socket.
    case nobodyListens
    /// The router cannot be reached, for a reason that has no code of its own, such as a bridge program that does not
    /// reach it.
    case cannotConnect
    /// The router has not answered in time, but may have carried out the call.
    case noAnswer
    /// The connection to the router has ended, or was closed.
    case connectionLost
    /// The connection to the router ended before the router reported the outcome of an event, which a scene or a
    /// program may have taken.
    case outcomeUnknown
    /// The task that waited for the router was cancelled.
    case cancelled
    /// A reply does not follow the Varlink protocol, or does not fit the router's interface.
    case protocolViolation
    /// The user info of an activity is not a JSON object.
    case invalidUserInfo

    /// The scene was never open, or is closed.
    case noSuchScene(id: String?)
    /// The scene has no current activity that is eligible for Handoff.
    case noSuchActivity(scene: String)
    /// The scene has no registration with this id.
    case noSuchRegistration(id: String)
    /// The application was never declared, or is no longer declared.
    case noSuchApplication(id: String?)
    /// The router does not know the delivery, or the delivery has already been settled.
    ///
    /// `result` says how the delivery was settled; nil if the router does not know the delivery. The methods of
    /// ``Delivery`` return an ``AnswerOutcome`` instead of throwing this error.
    case noSuchDelivery(id: String, result: Settlement.Result?)
    /// The router does not know the open request, or the open request has already ended.
    ///
    /// `result` is nil if the router does not know the open request. Otherwise, `result` is one of these:
    /// - ``Settlement/Result/opened``: a scene was opened.
    /// - ``Settlement/Result/declined``: the application declined.
    /// - ``Settlement/Result/timeout``: no event waits for the scene any longer.
    /// - ``Settlement/Result/launchFailed``: the application is no longer declared, or its program did not
    ///   start.
    case noSuchOpenRequest(id: String, result: Settlement.Result?)
    /// The application or the declaration can have only one scene, and this scene is already open.
    case sceneAlreadyOpen(application: String, scene: String)
    /// Another connection already takes open requests for the application.
    case applicationAlreadyDeclared(application: String, process: Int64?)
    /// The router remembers no event with this id.
    case noSuchEvent(id: String)
    /// The router is stopping.
    case serviceStopping
    /// The limit with this name is exceeded; `maximum` is the largest value that the router takes.
    case limitExceeded(limit: String, maximum: Int64)
    /// The router does not accept the parameter at this path, such as `event.url`.
    case invalidParameter(path: String)
    /// The router or its socket belongs to another user, and refuses this user.
    case permissionDenied
    /// The router is too old: it does not know the method or the interface with this name.
    case notSupported(String)
    /// The router answered with an error of this name, which this library does not know.
    case unrecognized(String)
  }

  /// The kind of the error.
  public let code: Code
  /// A sentence for people that describes the error.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
