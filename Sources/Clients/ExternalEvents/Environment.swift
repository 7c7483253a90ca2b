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
  @TaskLocal static var current = EnvironmentValues(openWindow: OpenWindowAction(), dismiss: DismissAction())

  /// Opens or raises a window of the application.
  public let openWindow: OpenWindowAction
  /// Closes the window.
  public let dismiss: DismissAction
}

/// Opens or raises a window of the application.
///
/// The action may be called on any thread, and returns immediately. If the application has no kind of window for the
/// parameters, ``SceneApplication/report(_:)`` gets an error. Calling the action ends the program unless the content
/// that reads it is made in the closure of the content's ``WindowGroup``.
public struct OpenWindowAction: Sendable {
  /// `nil` if the action was read outside a closure that makes the content of a window.
  var commands: AsyncStream<WindowCommand>.Continuation?

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
    precondition(
      commands != nil,
      "openWindow is not of a window: make the content that reads it in the closure of its WindowGroup."
    )
    commands?.yield(command)
  }
}

/// Closes a window.
///
/// The action may be called on any thread, and returns immediately.
public struct DismissAction: Sendable {
  var commands: AsyncStream<WindowCommand>.Continuation?
  var window: Int?

  /// Closes the window whose content has read the action.
  public func callAsFunction() {
    guard let commands, let window else {
      preconditionFailure(
        "dismiss is not of a window: make the content that reads it in the closure of its WindowGroup."
      )
    }
    commands.yield(.close(window: window))
  }
}

enum WindowCommand: Sendable {
  case open(id: String?, value: (any Hashable & Sendable)?)
  case close(window: Int)
  case closed(window: Int)
  case end(SceneApplicationError)
}
