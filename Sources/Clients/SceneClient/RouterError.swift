/// Why the router did not do what it was asked to do.
///
/// What becomes of an event that the router accepted is no error; see ``EventOutcome``.
public struct RouterError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: Sendable, Equatable {
    /// The environment does not say where the router listens.
    case noSocketPath
    /// Nobody listens at the router's socket.
    case nobodyListens
    /// The router's socket cannot be used for another reason, or the program that is to lead to it does not.
    case cannotConnect
    /// The router has not answered in time; the call may have been carried out all the same.
    case noAnswer
    /// The connection to the router has ended; whatever was open over it is closed.
    case connectionLost
    /// The connection to the router has ended while an event was under way; what became of it is not known.
    case outcomeUnknown
    /// The task was cancelled.
    case cancelled
    /// What came from the router is not what its interface describes.
    case protocolViolation
    /// The user info of an activity is not a JSON object.
    case invalidUserInfo

    /// The scene is not, or no longer, open.
    case noSuchScene(id: String?)
    /// The scene has no current activity that is eligible for Handoff.
    case noSuchActivity(scene: String)
    /// The scene has no such registration.
    case noSuchRegistration(id: String)
    /// The application is not, or no longer, declared.
    case noSuchApplication(id: String?)
    /// The delivery is unknown, or already settled.
    case noSuchDelivery(id: String, result: Settlement.Result?)
    /// The open request is unknown, or already answered.
    case noSuchOpenRequest(id: String, result: Settlement.Result?)
    /// The application or the declaration has the one scene it can have.
    case sceneAlreadyOpen(application: String, scene: String)
    /// Another connection already takes open requests for the application.
    case applicationAlreadyDeclared(application: String, process: Int64?)
    /// No event with this id is remembered.
    case noSuchEvent(id: String)
    /// The router is going away.
    case serviceStopping
    /// The value of this name is larger than the maximum that the router takes.
    case limitExceeded(limit: String, maximum: Int64)
    /// The router does not accept the parameter at this path, such as `event.url`.
    case invalidParameter(path: String)
    /// The router, or its socket, belongs to another user and refuses this one.
    case permissionDenied
    /// The router is too old to know the method, or the interface, of this name.
    case notSupported(String)
    /// The router answered with an error of this name, which this library does not know.
    case unrecognized(String)
  }

  /// What went wrong.
  public let code: Code
  /// What went wrong, as a sentence for people.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
