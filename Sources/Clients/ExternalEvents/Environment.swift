public import FoundationEssentials
import SceneClient
import Synchronization

/// Reads one of the ``EnvironmentValues`` of a window, such as the action that opens windows.
///
///     @Environment(\.openWindow) private var openWindow
///
/// The value is read when the content is made, in the closure of the ``WindowGroup``. In an `@Observable` class
/// the property is marked `@ObservationIgnored`, because `@Observable` takes no property wrappers.
@propertyWrapper public struct Environment<Value> {
  /// The value that the window offers.
  public let wrappedValue: Value

  /// Reads the value at a key path of ``EnvironmentValues``.
  public init(_ value: KeyPath<EnvironmentValues, Value>) {
    wrappedValue = EnvironmentValues.current[keyPath: value]
  }
}

/// The values that a window offers to its content.
public struct EnvironmentValues: Sendable {
  @TaskLocal static var current = EnvironmentValues()

  /// `nil` outside a closure that makes the content of a window.
  var window: CallingWindow?

  /// Opens or raises a window of the application.
  public var openWindow: OpenWindowAction { OpenWindowAction(window: window) }
  /// Closes windows of the application.
  public var dismissWindow: DismissWindowAction { DismissWindowAction(window: window) }
  /// Closes the window.
  public var dismiss: DismissAction { DismissAction(window: window) }
  /// Opens a link in another window, of any application.
  public var openURL: OpenURLAction { OpenURLAction(window: window) }
}

/// Opens or raises a window of the application.
///
/// The action may be called on any thread, and returns immediately. If the application has no kind of window for the
/// parameters, ``SceneApplication/report(_:)`` gets an error. Only content that is made in the closure of its
/// ``WindowGroup`` may call it; other content ends the program.
public struct OpenWindowAction: Sendable {
  let window: CallingWindow?

  /// Opens a new window of the declaration with this id.
  ///
  /// If the declaration is a ``Window`` and its window is already open, the action raises that window instead.
  public func callAsFunction(id: String) {
    send(.open(id: id, value: nil))
  }

  /// Raises the window that shows `value`, or opens a new one, in the first group for values of this type.
  public func callAsFunction<Value: Hashable & Sendable>(value: Value) {
    send(.open(id: nil, value: value))
  }

  /// Raises the window that shows `value`, or opens a new one, in the group with this id.
  public func callAsFunction<Value: Hashable & Sendable>(id: String, value: Value) {
    send(.open(id: id, value: value))
  }

  private func send(_ command: WindowCommand) {
    window.required(by: "openWindow").commands.yield(command)
  }
}

/// Closes windows of the application.
///
/// The action may be called on any thread, and returns immediately. It does nothing if no such window is open. If the
/// application has no kind of window for the parameters, ``SceneApplication/report(_:)`` gets an error. Only content that
/// is made in the closure of its ``WindowGroup`` may call it; other content ends the program.
public struct DismissWindowAction: Sendable {
  let window: CallingWindow?

  /// Closes all windows of the declaration with this id.
  public func callAsFunction(id: String) {
    send(.dismiss(id: id, value: nil))
  }

  /// Closes all windows that show `value`, in all groups.
  public func callAsFunction<Value: Hashable & Sendable>(value: Value) {
    send(.dismiss(id: nil, value: value))
  }

  /// Closes the windows that show `value` in the group with this id.
  public func callAsFunction<Value: Hashable & Sendable>(id: String, value: Value) {
    send(.dismiss(id: id, value: value))
  }

  private func send(_ command: WindowCommand) {
    window.required(by: "dismissWindow").commands.yield(command)
  }
}

/// Closes a window.
///
/// The action may be called on any thread, and returns immediately.
public struct DismissAction: Sendable {
  let window: CallingWindow?

  /// Closes the window whose content has read the action.
  public func callAsFunction() {
    let window = window.required(by: "dismiss")
    window.commands.yield(.close(window: window.id))
  }
}

/// Opens a link in another window, of any application.
///
///     openURL(url)
///     if await !openURL(url).value { note = "Nothing opens this link." }
///
/// The router chooses the window or program, as for links from elsewhere. Once the window that calls the action is
/// open, it never gets the link back.
///
/// The action may be called on any thread, and returns immediately. If the last window is closed meanwhile, the
/// application ends when the link is taken or has failed. Only content that is made in the closure of its
/// ``WindowGroup`` may call it; other content ends the program.
public struct OpenURLAction: Sendable {
  let window: CallingWindow?

  /// Opens a link.
  ///
  /// If nothing takes the link, ``SceneApplication/report(_:)`` gets an error with the reason.
  ///
  /// - Parameters:
  ///   - url: an absolute URL.
  ///   - activationToken: a token of the calling window (xdg-activation-v1, or an X11 startup id), which lets the
  ///     window with the link take the focus. Your toolkit makes the token, and it works only once.
  /// - Returns: a task whose value says whether the link was taken. If the task is cancelled, the link can be opened
  ///   nevertheless.
  @discardableResult
  public func callAsFunction(_ url: URL, activationToken: String? = nil) -> Task<Bool, Never> {
    let window = window.required(by: "openURL")
    window.commands.yield(.linkBegan)
    return Task {
      let error = await window.send(url, activationToken)
      window.commands.yield(.linkEnded(error))
      return error == nil
    }
  }
}

/// The window whose content calls an action, on any thread.
final class CallingWindow: Sendable {
  let id: Int
  let router: RouterConnection
  let commands: AsyncStream<WindowCommand>.Continuation
  /// `nil` until the window is open.
  let scene = Mutex<OpenScene?>(nil)

  init(_ id: Int, router: RouterConnection, commands: AsyncStream<WindowCommand>.Continuation) {
    self.id = id
    self.router = router
    self.commands = commands
  }

  /// Returns the reason why nothing has taken the link.
  fileprivate func send(_ url: URL, _ activationToken: String?) async -> SceneApplicationError? {
    do throws(RouterError) {
      let outcome = try await router.send(
        Event(url: url.absoluteString),
        to: RoutingScope(originSceneID: scene.withLock { $0?.id }),
        options: SendOptions(activationToken: activationToken)
      )
      return outcome.isTaken ? nil : .notOpened(url, outcome.description)
    } catch {
      return .notOpened(url, error.description, cause: error)
    }
  }
}

extension CallingWindow? {
  fileprivate func required(by action: String) -> CallingWindow {
    guard let self else {
      preconditionFailure(
        "\(action) is not of a window: make the content that reads it in the closure of its WindowGroup."
      )
    }
    return self
  }
}

enum WindowCommand: Sendable {
  case open(id: String?, value: (any Hashable & Sendable)?)
  case dismiss(id: String?, value: (any Hashable & Sendable)?)
  case close(window: Int)
  case closed(window: Int)
  case linkBegan
  case linkEnded(SceneApplicationError?)
  case end(SceneApplicationError)
}
