import Glibc
public import SceneClient
import UnixSocket
import VarlinkClient

@_exported public import struct FoundationEssentials.URL
@_exported public import struct SceneClient.Claims
@_exported public import class SceneClient.RouterConnection
@_exported public import struct SceneClient.RouterError
@_exported public import struct SceneClient.UserInfo

/// An application in SwiftUI's words: the kinds of windows it has, and the events that each handles.
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
/// This module also gives the types that its own API uses: `Claims`, `RouterConnection`, `RouterError` and `UserInfo` of
/// `SceneClient`, and `URL` of `FoundationEssentials`.
///
/// The application declares its windows to the router, opens those that are asked for and hands each event to the
/// window that it is for; what a window shows, and which events it handles, its ``WindowContent`` says. If the router
/// has started the program for an event, the window for that is the first; else the first declaration without
/// conditions is opened. The application ends with its last window.
///
/// Everything that belongs to the application is called on the actor from which ``run(_:isolation:)`` is called;
/// ``main()`` calls it from the main actor. Whoever has a loop of its own, such as GLib's, makes an actor whose executor
/// adds to that, and calls `run` there. A target with contents needs the upcoming feature
/// `NonisolatedNonsendingByDefault`: without it Swift takes `async` methods, ``WindowContent/run()`` among them, away from
/// the actor that calls them.
///
/// To be started by links the program needs a desktop entry `ID.desktop`. Its actions have the ids of the windows, and
/// repeat their conditions and the claims; its main group has an empty condition, as it would be one more window.
///
///     [Desktop Entry]
///     Type=Application
///     Name=My Photos
///     Exec=MyPhotos
///     MimeType=x-scheme-handler/photos;
///     X-Scened-Aware=true
///     X-Scened-ActivityTypes=org.example.MyPhotos.view;
///     X-Scened-Matching=
///     Actions=browser;detail;
///
///     [Desktop Action browser]
///     Name=Photos
///     Exec=MyPhotos
///     X-Scened-Kind=WindowGroup
///
///     [Desktop Action detail]
///     Name=Photo
///     Exec=MyPhotos
///     X-Scened-Matching=photoIdentifier=;
///
/// To try it without an entry, start the program and a `scened --socket PATH`, and give each, and `scenectl`, the same
/// path in `SCENED_SOCKET`.
public protocol SceneApplication {
  /// The windows that the application can open.
  associatedtype Body: SceneDeclarations

  /// Makes the application.
  init()

  /// Identifies the application: the name of its desktop entry without `.desktop`, which the router adds to it.
  static var id: String { get }

  /// The windows that the application can open, in the order in which they are tried; without `if` and loops, as they
  /// are declared once.
  @SceneDeclarationsBuilder var body: Body { get }

  /// The events that the application stands for, hosts included; none by default.
  ///
  /// Where there are any, the application gets nothing else: the types of the activities that its windows continue, and
  /// those of its documents, have to be claimed then, too.
  var claims: Claims { get }

  /// Whether the application has one window at most, which then gets all its events; false by default.
  var isSingleScene: Bool { get }

  /// Gets what goes wrong while the application runs on; by default it is written to standard error.
  func report(_ error: SceneApplicationError)
}

extension SceneApplication {
  /// None.
  public var claims: Claims { Claims() }

  /// False.
  public var isSingleScene: Bool { false }

  /// Writes the error to standard error.
  public func report(_ error: SceneApplicationError) {
    let line = "\(Self.id): \(error)\n"
    _ = unsafe write(STDERR_FILENO, line, line.utf8.count)
  }

  /// Runs the application on the main actor, and ends the process: with status 1 if it fails.
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
    do throws(SocketError) {
      try MainThread.run()
    } catch {
      Self().report(SceneApplicationError("\(error)"))
      exit(1)
    }
  }

  /// Runs the application on the calling actor, until its last window is closed or the task is cancelled.
  ///
  /// - Parameters:
  ///   - router: the router to use; nil is the one that has started the program, or that of `SCENED_SOCKET`, or else the
  ///     user's. One that is started anew gets all windows again.
  ///   - isolation: the actor on which all that belongs to the application is called.
  /// - Throws: a ``SceneApplicationError`` if the router cannot be reached, does not accept the declarations or has
  ///   ended, or if two windows have the same id.
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
        Self.id.hasSuffix(".desktop") ? Self.id : Self.id + ".desktop",
        scenes: windows.map(\.declaration),
        claims: claims,
        isSingleScene: isSingleScene
      )
    } catch {
      throw SceneApplicationError(error)
    }
    let running = RunningApplication(declared, windows, router: connection) { report($0) }
    // The request that the program was started for comes like all others.
    try await running.run(opensWindow: !isStartedForEvent, isolation: isolation)
  }

  /// Whether the variable is set; programs that this one starts do not inherit it.
  private static func takeVariable(_ name: String) -> Bool {
    defer { unsafe unsetenv(name) }
    return unsafe getenv(name) != nil
  }
}
