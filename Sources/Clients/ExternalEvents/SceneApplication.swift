import Glibc
public import SceneClient
import VarlinkClient

@_exported public import struct FoundationEssentials.URL
@_exported public import class SceneClient.RouterConnection
@_exported public import struct SceneClient.RouterError
@_exported public import struct SceneTypes.Claims
@_exported public import struct SceneTypes.Sender
@_exported public import struct SceneTypes.UserInfo

/// An application in SwiftUI's words: its kinds of windows, and the events that each kind handles.
///
///     @main struct MyPhotos: SceneApplication {
///       static let id = "org.example.MyPhotos"
///
///       var body: some SceneDeclarations {
///         WindowGroup("Photos", id: "browser") { Browser() }
///         WindowGroup("Photo", id: "detail") { Detail() }
///           .handlesExternalEvents(matching: ["photoIdentifier="])
///       }
///
///       var claims: Claims {
///         Claims(schemes: ["photos"], activityTypes: ["org.example.MyPhotos.view"])
///       }
///     }
///
/// The application declares its windows to the router, and opens those that the router requests. Each event goes to the
/// window that the router has chosen for it. The ``WindowContent`` of a window says what the window shows, and which
/// events it handles.
///
/// If the router has started the program for an event, the first window is for this event. Otherwise the first window
/// belongs to the first ``WindowGroup`` or ``Window`` without the modifier `handlesExternalEvents(matching:)`. If the
/// body has no such declaration, the first window belongs to the first declaration. The modifier
/// `defaultLaunchBehavior(_:)` opens other windows, or none. The application ends with its last window.
///
/// All code of the application runs on the actor that calls ``run(_:isolation:)``. ``main()`` calls `run` from the main
/// actor. A program with its own event loop, such as GLib's, calls `run` from an actor of its own, whose executor has
/// to run its jobs in this loop.
///
/// A package target that defines a ``WindowContent`` has to enable the upcoming feature
/// `NonisolatedNonsendingByDefault`. Otherwise Swift does not run `async` methods such as ``WindowContent/run()`` on
/// the actor that calls them.
///
/// The router starts the program for links if the program has a desktop entry; see <doc:YourDesktopEntry>.
public protocol SceneApplication {
  /// The windows that the application can open.
  associatedtype Body: SceneDeclarations

  /// Makes the application.
  init()

  /// Identifies the application: the id of its desktop entry, without `.desktop`.
  static var id: String { get }

  /// The windows that the application can open, in the order in which the router tries them.
  ///
  /// The body has no `if` and no loops, because the windows are declared only once.
  @SceneDeclarationsBuilder var body: Body { get }

  /// The events that the application claims, such as the links of a host; none by default.
  ///
  /// An application with claims gets only events that it claims; see `Claims` for the exceptions. Its claims have
  /// to include the types of the activities that its windows continue, and the types of its documents.
  var claims: Claims { get }

  /// Whether the application has at most one window, which then gets all its events; false by default.
  var isSingleScene: Bool { get }

  /// Receives an error of the application or of one of its windows; by default, writes it to standard error.
  func report(_ error: SceneApplicationError)
}

extension SceneApplication {
  /// Claims nothing, unless the application defines its own claims.
  public var claims: Claims { Claims() }

  /// False: the application can have several windows.
  public var isSingleScene: Bool { false }

  /// Writes the error to standard error.
  public func report(_ error: SceneApplicationError) {
    let line = "\(Self.id): \(error)\n"
    _ = unsafe write(STDERR_FILENO, line, line.utf8.count)
  }

  /// Runs the application on the main actor, and then ends the process, with status 1 if the application fails and
  /// otherwise 0.
  public static func main() {
    Task { @MainActor in
      let application = Self()
      do throws(SceneApplicationError) {
        try await application.run()
        exit(0)
      } catch {
        application.report(error)
        exit(1)
      }
    }
    MainQueue.run()
  }

  /// Runs the application on the calling actor, until all windows are closed or the task is cancelled.
  ///
  /// - Parameters:
  ///   - router: the connection to the router. If nil, the application connects to the socket at
  ///     `$SCENED_SOCKET`, or to the user's router if this variable is not set. Programs that the router starts
  ///     have the variable. A connection that the application has made is renewed after a restart of the router, and
  ///     all windows are reopened.
  ///   - isolation: the actor on which all code of the application is called.
  /// - Throws: a ``SceneApplicationError`` if the router cannot be reached, does not accept the declarations or
  ///   has ended, or if two windows have the same id.
  public func run(
    _ router: RouterConnection? = nil,
    isolation: isolated any Actor = #isolation
  ) async throws(SceneApplicationError) {
    let isStartedForEvent = Self.takeVariable("SCENED_OPEN_REQUEST")
    let windows = try DeclaredWindow.named(body.windows)
    let connection: RouterConnection
    let declared: DeclaredApplication
    do throws(RouterError) {
      connection = if let router { router } else { try await RouterConnection() }
      declared = try await connection.declareApplication(
        Self.id,
        scenes: windows.map(\.declaration),
        claims: claims,
        isSingleScene: isSingleScene
      )
    } catch {
      throw SceneApplicationError(error)
    }
    let running = RunningApplication(declared, windows, router: connection) { report($0) }
    // The router soon requests the window for the event, so a program started for it opens none of its own accord.
    try await running.run(opensWindow: !isStartedForEvent, isolation: isolation)
  }

  /// Child processes must not inherit the variable.
  private static func takeVariable(_ name: String) -> Bool {
    defer { unsafe unsetenv(name) }
    return unsafe getenv(name) != nil
  }
}
