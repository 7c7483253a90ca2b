/// What a window shows: a type with state, and a body that says which events the window handles.
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
/// The body is evaluated when the window opens, and again when something that it read has changed: a property of an
/// `@Observable` class. What differs then is reported to the router, the latest state if there were several changes in
/// between. A change that an action makes is in effect before its event counts as taken.
///
/// What changes is in an `@Observable` class, the content itself or one that it holds, or in a ``Binding``: there is no
/// `@State`.
///
/// The body, the actions and ``run()`` are called on the actor that runs the application; see ``SceneApplication``. A
/// content is not marked `@MainActor`: what is, it calls within `MainActor.assumeIsolated`.
/// Contents may stand in the body of others: a window handles what any of them handles.
public protocol WindowContent: WindowModifiers {
  /// What views say of the events that the window handles.
  associatedtype Body: WindowModifiers

  /// What the window handles now.
  ///
  /// It begins with ``Views`` or with another content: a modifier alone modifies `self`, whose body never ends.
  @WindowModifiersBuilder var body: Body { get }

  /// Lives for as long as the window is open, and is cancelled when it closes.
  ///
  /// The window stays open when it returns; if it throws, the error is reported and the window is closed. Called for
  /// the window's own content, not for those in its body. It shares its actor with all windows: what blocks, such as
  /// `readLine()`, belongs on another thread.
  func run() async throws

  /// Brings the window to the front: it has taken an event, or was asked for with ``OpenWindowAction``.
  ///
  /// This module has no view toolkit, so that by default nothing happens.
  ///
  /// - Parameter activationToken: lets the window take the focus (xdg-activation-v1, or an X11 startup id); of an
  ///   event that came with one.
  func raise(activationToken: String?)
}

extension WindowContent {
  /// Adds what the body says; ends the program if the body contains itself.
  public func apply(to traits: inout WindowTraits) {
    traits.depth += 1
    guard traits.depth <= WindowTraits.maximumDepth else {
      fatalError(
        "The body of \(Self.self) contains itself. A body begins with Views(), or with another content: "
          + "a modifier with nothing before it modifies the content itself."
      )
    }
    body.apply(to: &traits)
    traits.depth -= 1
  }

  /// Returns at once.
  public func run() async throws {}

  /// Does nothing.
  public func raise(activationToken: String?) {}
}

extension Views: WindowContent {
  /// The views themselves: the content of a window without state.
  public var body: Views { self }
}

extension ModifiedViews: WindowContent where Base: WindowContent {
  /// The content that is modified, with its modifier.
  public var body: Views { self }

  /// Runs the content that is modified.
  public func run() async throws {
    try await base.run()
  }

  /// Raises the content that is modified.
  public func raise(activationToken: String?) {
    base.raise(activationToken: activationToken)
  }
}
