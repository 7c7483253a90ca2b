/// The content of a window: a type with state, and a body that says which events the window handles.
///
///     @Observable final class Detail: WindowContent {
///       var photo: String?
///
///       var body: some WindowModifiers {
///         Views()
///           .handlesExternalEvents(preferring: photo.map { [$0] } ?? [], allowing: [])
///           .onOpenURL { url in self.photo = url.absoluteString }
///           .userActivity("org.example.Photos.view", element: photo) { photo, activity in
///             activity.targetContentIdentifier = photo
///             activity.isEligibleForHandoff = true
///           }
///           .title(photo ?? "No photo")
///       }
///     }
///
/// State that changes belongs in an `@Observable` class or in a ``Binding``. The class is the content itself, or an
/// object that it holds; there is no `@State`.
///
/// The body is evaluated when the window opens, and again when a property changes that the body has read. The router is
/// then told what has changed in the modifiers. Several quick changes make one report, of the latest state. A change
/// that an action makes is in effect before the action's event counts as taken.
///
/// The body, the actions and ``run()`` are called on the actor that runs the application; see ``SceneApplication``. Do
/// not mark a content `@MainActor`. In an application that runs on the main actor, a content can call code of the main
/// actor within `MainActor.assumeIsolated`.
///
/// A content that has a document open names it with `showing`, so that links to the document go to the content's
/// window.
///
/// The body of a content may contain other contents, and the window handles the events of all of them.
public protocol WindowContent: WindowModifiers {
  /// The type of the body.
  associatedtype Body: WindowModifiers

  /// The modifiers that say which events the window handles now.
  ///
  /// Begin the body with ``Views`` or with another content. A body that begins with a modifier, such as
  /// `.title("Photo")`, modifies the content itself and so contains itself, which ends the program with a message.
  @WindowModifiersBuilder var body: Body { get }

  /// Runs while the window is open, and is cancelled when the window closes.
  ///
  /// If the method returns, the window stays open. If the method throws, the error is reported and the window is
  /// closed. The method is called only for the content that the declaration makes, not for one inside another content's
  /// body. Blocking calls such as `readLine()` belong on another thread, because all windows of the application run on
  /// one actor.
  func run() async throws

  /// Brings the window to the front.
  ///
  /// The method is called when the window has taken an event, and when ``OpenWindowAction`` asks for the window. The
  /// default does nothing, because this module has no view toolkit.
  ///
  /// - Parameter activationToken: lets the window take the focus (xdg-activation-v1, or an X11 startup id); nil if the
  ///   event came without a token.
  func raise(activationToken: String?)
}

extension WindowContent {
  /// Adds the modifiers of the body; a body that contains itself ends the program with a message.
  public func apply(to traits: inout WindowTraits) {
    traits.depth += 1
    guard traits.depth <= WindowTraits.maximumDepth else {
      // A body can throw no error, and endless recursion would end the program without a message.
      fatalError(
        "The body of \(Self.self) contains itself. A body begins with Views(), or with another content: "
          + "a modifier with nothing before it modifies the content itself."
      )
    }
    body.apply(to: &traits)
    traits.depth -= 1
  }

  /// Does nothing, and returns immediately.
  public func run() async throws {}

  /// Does nothing.
  public func raise(activationToken: String?) {}
}

extension Views: WindowContent {
  /// The views themselves.
  public var body: Views { self }
}

extension ModifiedViews: WindowContent where Base: WindowContent {
  /// The modified content, together with the modifier.
  public var body: Views { self }

  /// Runs the content to which the modifiers were added.
  public func run() async throws {
    try await base.run()
  }

  /// Raises the content to which the modifiers were added.
  public func raise(activationToken: String?) {
    base.raise(activationToken: activationToken)
  }
}
