import FoundationEssentials
public import SceneClient

/// An error of an application or of one of its windows, with advice.
public struct SceneApplicationError: Error, Sendable, Equatable, CustomStringConvertible {
  /// One or two sentences for people: the error, and the advice.
  public let description: String
  /// The error of the router; nil if the error has another cause.
  public let cause: RouterError?

  init(_ description: String, cause: RouterError? = nil) {
    self.description = description
    self.cause = cause
  }

  /// Makes an error from an error of the router, and adds advice if there is any.
  public init(_ error: RouterError) {
    let advice: String? =
      switch error.code {
      case .noSocketPath: "Set SCENED_SOCKET, or start the program in a session of the user."
      case .nobodyListens: "Start the router: systemctl --user start scened.socket"
      case .applicationAlreadyDeclared: "Open a window of the program that runs with a link, or end it first."
      case .limitExceeded("identifierLength", _): "Shorten the identifiers in handlesExternalEvents."
      case .limitExceeded("identifiersPerScene", _): "Put fewer identifiers into handlesExternalEvents."
      case .limitExceeded("urlLength", _): "Shorten the URLs in showing."
      case .invalidParameter(let path) where path.contains(".showing["): "Give showing absolute URLs."
      case .limitExceeded("userInfoSize", _): "Put less into the user info of userActivity."
      case .invalidParameter(let path) where path.hasPrefix("activity."): "Correct what userActivity offers."
      case .limitExceeded("stringLength", _): "Shorten the ids, and the types in claims."
      case .invalidParameter(let path) where path.contains("claims"): "Correct the application's claims."
      case .sceneAlreadyOpen: "Use the window that is open, or allow several."
      default: nil
      }
    self.init([error.description, advice].compactMap(\.self).joined(separator: " "), cause: error)
  }
}

extension SceneApplicationError {
  static let routerHasEnded = SceneApplicationError(
    "The router has ended, and the windows with it. Start the program again when the router runs."
  )

  static func duplicate(_ id: String) -> SceneApplicationError {
    SceneApplicationError("Two windows of the application have the id '\(id)'. Give one of them another.")
  }

  static func notOpened(_ url: URL, _ reason: String, cause: RouterError? = nil) -> SceneApplicationError {
    SceneApplicationError("The link '\(url.absoluteString)' was not opened. \(reason)", cause: cause)
  }

  static func noSuchWindow(_ id: String?, _ value: (any Hashable & Sendable)?, among ids: [String])
    -> SceneApplicationError
  {
    let wanted = [id.map { "with the id '\($0)'" }, value.map { "for values of \(type(of: $0))" }]
    return SceneApplicationError(
      """
      The application has no window \(wanted.compactMap(\.self).joined(separator: " ")). Declare it in its body, \
      or choose one that is there: \(ids.joined(separator: ", ")).
      """
    )
  }
}
