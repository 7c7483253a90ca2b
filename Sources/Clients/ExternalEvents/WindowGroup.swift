import SceneClient

/// One kind of window: how it is declared to the router, and what makes its content.
public struct DeclaredWindow {
  /// Its id is empty if the author has given none.
  var declaration: SceneDeclaration
  /// The type of the values that its windows show; nil if they show none.
  var valueType: (any (Hashable & Sendable).Type)?
  var makeContent: (PresentedValue) -> any WindowContent
}

/// Windows of the same kind, any number of them.
public struct WindowGroup: SceneDeclarations {
  /// This declaration alone.
  public let windows: [DeclaredWindow]

  /// Windows without values.
  ///
  /// - Parameters:
  ///   - title: for people; views may say another.
  ///   - id: unique among the windows of the application, for ``OpenWindowAction`` and for the desktop entry, whose
  ///     actions have these names.
  ///   - content: makes the content of a window, anew for each.
  public init<Content: WindowContent>(
    _ title: String? = nil,
    id: String? = nil,
    content: @escaping () -> Content
  ) {
    windows = [DeclaredWindow(.windowGroup(id ?? "", title: title)) { _ in content() }]
  }

  /// Windows that show a value each: to open one whose value is equal to that of an open one raises that.
  ///
  /// - Parameters:
  ///   - title: for people; views may say another.
  ///   - id: unique among the windows of the application.
  ///   - type: of the values.
  ///   - content: makes the content of a window, with a binding to its value. That is nil in a window that is opened for
  ///     an event, until an action sets it: the window is then the one for this value.
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

/// A window of which there is one at most.
public struct Window: SceneDeclarations {
  /// This declaration alone.
  public let windows: [DeclaredWindow]

  /// One window.
  ///
  /// - Parameters:
  ///   - title: for people; views may say another.
  ///   - id: unique among the windows of the application.
  ///   - content: makes its content each time it is opened.
  public init<Content: WindowContent>(
    _ title: String? = nil,
    id: String? = nil,
    content: @escaping () -> Content
  ) {
    windows = [DeclaredWindow(.windowGroup(id ?? "", title: title, isSingleton: true)) { _ in content() }]
  }
}

/// Windows for documents, chosen by the type of the file alone.
public struct DocumentGroup: SceneDeclarations {
  /// This declaration alone.
  public let windows: [DeclaredWindow]

  /// Windows for files.
  ///
  /// - Parameters:
  ///   - title: for people; views may say another.
  ///   - id: unique among the windows of the application.
  ///   - supportedTypes: MIME types (`image/png`, `image/*`) or filename extensions (`png`).
  ///   - content: makes the content of a window, anew for each.
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
