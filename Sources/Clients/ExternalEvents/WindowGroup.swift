import SceneClient

/// One kind of window: its declaration to the router, and the closure that makes the content of each window.
public struct DeclaredWindow {
  /// The id is empty if the author has given none.
  var declaration: SceneDeclaration
  /// `nil` for windows without values.
  var valueType: (any (Hashable & Sendable).Type)?
  var launchBehavior = SceneLaunchBehavior.automatic
  var makeContent: (PresentedValue) -> any WindowContent
}

/// Any number of windows of the same kind.
public struct WindowGroup: SceneDeclarations {
  /// The one kind of window that this `WindowGroup` declares.
  public let windows: [DeclaredWindow]

  /// Declares windows without values.
  ///
  /// - Parameters:
  ///   - title: a title for people; the modifier `title` of a view replaces it.
  ///   - id: identifies the kind of window within the application. ``OpenWindowAction`` and the actions of the
  ///     desktop entry use this id. If `id` is nil, the place in the body becomes the id: `window1`, `window2` and so
  ///     on.
  ///   - content: makes the content of each new window.
  public init<Content: WindowContent>(
    _ title: String? = nil,
    id: String? = nil,
    content: @escaping () -> Content
  ) {
    windows = [DeclaredWindow(.windowGroup(id ?? "", title: title)) { _ in content() }]
  }

  /// Declares windows that show one value each.
  ///
  /// If an open window shows a value already, ``OpenWindowAction`` raises this window instead of opening another.
  ///
  /// - Parameters:
  ///   - title: a title for people; the modifier `title` of a view replaces it.
  ///   - id: identifies the kind of window within the application. ``OpenWindowAction`` and the actions of the
  ///     desktop entry use this id. If `id` is nil, the place in the body becomes the id: `window1`, `window2` and so
  ///     on.
  ///   - type: the type of the values.
  ///   - content: makes the content of each new window, with a binding to its value. The value is nil in a
  ///     window that is opened for an event. Once an action has set the value, ``OpenWindowAction`` raises the
  ///     window for this value.
  public init<Value: Hashable & Sendable, Content: WindowContent>(
    _ title: String? = nil,
    id: String? = nil,
    for type: Value.Type = Value.self,
    content: @escaping (Binding<Value?>) -> Content
  ) {
    windows = [
      DeclaredWindow(.windowGroup(id ?? "", title: title), valueType: type) { content($0.binding()) }
    ]
  }
}

/// A kind of window of which at most one is open.
public struct Window: SceneDeclarations {
  /// The one kind of window that this `Window` declares.
  public let windows: [DeclaredWindow]

  /// Declares one window.
  ///
  /// - Parameters:
  ///   - title: a title for people; the modifier `title` of a view replaces it.
  ///   - id: identifies the window within the application.
  ///   - content: makes the content each time that the window is opened.
  public init<Content: WindowContent>(
    _ title: String? = nil,
    id: String? = nil,
    content: @escaping () -> Content
  ) {
    windows = [DeclaredWindow(.windowGroup(id ?? "", title: title, isSingleton: true)) { _ in content() }]
  }
}

/// Windows for documents, which open a file by its type alone.
public struct DocumentGroup: SceneDeclarations {
  /// The one kind of window that this `DocumentGroup` declares.
  public let windows: [DeclaredWindow]

  /// Declares windows for files.
  ///
  /// - Parameters:
  ///   - title: a title for people; the modifier `title` of a view replaces it.
  ///   - id: identifies the kind of window within the application.
  ///   - supportedTypes: MIME types (`image/png`, `image/*`) or filename extensions (`png`). A program with claims must
  ///     also claim the MIME types of the files, because an extension alone opens nothing in it.
  ///   - content: makes the content of each new window.
  public init<Content: WindowContent>(
    _ title: String? = nil,
    id: String? = nil,
    supportedTypes: [String],
    content: @escaping () -> Content
  ) {
    let declaration = SceneDeclaration.documentGroup(id ?? "", title: title, supportedTypes: supportedTypes)
    windows = [DeclaredWindow(declaration) { _ in content() }]
  }
}

extension DeclaredWindow {
  fileprivate init(
    _ declaration: SceneDeclaration,
    valueType: (any (Hashable & Sendable).Type)? = nil,
    makeContent: @escaping (PresentedValue) -> any WindowContent
  ) {
    self.declaration = declaration
    self.valueType = valueType
    self.makeContent = makeContent
  }
}
