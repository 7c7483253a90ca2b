/// Reads what a window offers its content, as `@Environment(\.openWindow) private var openWindow`.
///
/// It is read when the content is made, in the closure of the ``WindowGroup``. In an `@Observable` class it is marked
/// `@ObservationIgnored`.
@propertyWrapper public struct Environment<Value> {
  /// What the window offers.
  public let wrappedValue: Value

  /// Reads one of the values.
  public init(_ value: KeyPath<EnvironmentValues, Value>) {
    wrappedValue = EnvironmentValues.current[keyPath: value]
  }
}

/// What a window offers its content.
public struct EnvironmentValues: Sendable {
  @TaskLocal static var current = EnvironmentValues(openWindow: OpenWindowAction(), dismiss: DismissAction())

  /// Opens windows of the application.
  public let openWindow: OpenWindowAction
  /// Closes the window.
  public let dismiss: DismissAction
}

/// Opens a window, or raises the one that is asked for.
///
/// It may be called anywhere and returns at once. That there is no such window is reported; see
/// ``SceneApplication/report(_:)``.
public struct OpenWindowAction: Sendable {
  /// Nil outside of windows.
  var commands: AsyncStream<WindowCommand>.Continuation?

  /// Opens a new window with this id; if it is a ``Window`` that is open, raises it.
  public func callAsFunction(id: String) {
    send(.open(id: id, value: nil))
  }

  /// Raises the window of the group for values of this type that shows an equal one, or else opens one.
  public func callAsFunction<Value: Hashable & Sendable>(value: Value) {
    send(.open(id: nil, value: value))
  }

  /// Raises the window of the group with this id that shows an equal value, or else opens one.
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
/// It may be called anywhere and returns at once.
public struct DismissAction: Sendable {
  var commands: AsyncStream<WindowCommand>.Continuation?
  var window: Int?

  /// Closes the window whose content has read this action.
  public func callAsFunction() {
    guard let commands, let window else {
      preconditionFailure(
        "dismiss is not of a window: make the content that reads it in the closure of its WindowGroup."
      )
    }
    commands.yield(.close(window: window))
  }
}

/// What is asked of the windows, and what becomes of them.
enum WindowCommand: Sendable {
  case open(id: String?, value: (any Hashable & Sendable)?)
  case close(window: Int)
  case closed(window: Int)
  case end(SceneApplicationError)
}
