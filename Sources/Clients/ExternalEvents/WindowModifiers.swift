public import FoundationEssentials

/// What views say of the events that their window handles: the views of a ``WindowContent``, with modifiers.
///
/// Each modifier adds to what is there: a window handles what any of its views handles, as with SwiftUI.
public protocol WindowModifiers {
  /// Adds what these views say to that of their window.
  func apply(to traits: inout WindowTraits)
}

/// Views that say nothing by themselves; a list of others, which may come and go.
///
///     var body: some WindowModifiers {
///       Views {
///         Sidebar(library)
///         if showsInspector { Inspector(library) }
///       }
///       .title(library.name)
///     }
public struct Views: WindowModifiers {
  private let parts: [any WindowModifiers]

  /// No views.
  public init() {
    parts = []
  }

  /// All these views.
  public init(@WindowModifiersBuilder content: () -> Views) {
    self = content()
  }

  init(_ parts: [any WindowModifiers]) {
    self.parts = parts
  }

  /// Adds what each view says, in order.
  public func apply(to traits: inout WindowTraits) {
    for part in parts { part.apply(to: &traits) }
  }
}

/// Views with one more modifier.
public struct ModifiedViews<Base: WindowModifiers>: WindowModifiers {
  let base: Base
  let change: (inout WindowTraits) -> Void

  /// Adds what the views say, and then the modifier.
  public func apply(to traits: inout WindowTraits) {
    base.apply(to: &traits)
    change(&traits)
  }
}

// MARK: - Modifiers

extension WindowModifiers {
  /// Says which events the window handles if it is open.
  ///
  /// An identifier matches an event if it is contained in the event's URL or target content identifier, whatever the
  /// case and the accents: `message/4` is also contained in `message/42`. `"*"` matches every event, an empty set none.
  /// An open window that prefers an event comes before one that allows it; if there is neither, a new window is opened.
  /// Without this modifier an open window gets only what it was opened for, and a ``Window`` what it would be opened
  /// for; one that allows `"*"` also gets what another kind of window would be opened for.
  public func handlesExternalEvents(
    preferring: Set<String>,
    allowing: Set<String>
  ) -> ModifiedViews<Self> {
    modified { traits in
      traits.preferring.formUnion(preferring)
      traits.allowing.formUnion(allowing)
    }
  }

  /// Calls `action` with each URL that the window receives.
  ///
  /// The event is taken when the action returns. If it throws, and no other action takes the event, the window declines
  /// it, and the router looks for another; the description of the error is the reason that the sender reads. A window
  /// that was opened for the event stays open. All actions of the window get the URL, one after the other.
  public func onOpenURL(perform action: @escaping (URL) throws -> Void) -> ModifiedViews<Self> {
    modified { $0.urlActions.append(.immediate(action)) }
  }

  /// Calls `action` with each URL that the window receives, and waits for it.
  ///
  /// The event is taken when the action returns, or calls ``ExternalEvent/accept()`` before. An action whose event was
  /// withdrawn because its time is over is cancelled.
  ///
  /// The action must have no capture list: it has to say `self.` instead of `[self] in`. Swift 6.3 runs an `async`
  /// closure that has one away from the actor that calls it.
  public func onOpenURL(perform action: @escaping (URL) async throws -> Void) -> ModifiedViews<Self> {
    modified { $0.urlActions.append(.waiting(action)) }
  }

  /// Calls `action` with each activity of this type that the window receives, as it would with a URL.
  public func onContinueUserActivity(
    _ activityType: String,
    perform action: @escaping (UserActivity) throws -> Void
  ) -> ModifiedViews<Self> {
    modified { $0.activityActions.append((activityType, .immediate(action))) }
  }

  /// Calls `action` with each activity of this type that the window receives, and waits for it, as it would with a URL.
  public func onContinueUserActivity(
    _ activityType: String,
    perform action: @escaping (UserActivity) async throws -> Void
  ) -> ModifiedViews<Self> {
    modified { $0.activityActions.append((activityType, .waiting(action))) }
  }

  /// What the window is called, for people; of several the last counts.
  public func title(_ title: String) -> ModifiedViews<Self> {
    modified { $0.title = title }
  }

  /// Whether the window is the one that the user works in.
  ///
  /// The moment at which it becomes so counts: of several windows that would do, the latest gets the event, and the
  /// activity of the latest is continued elsewhere.
  public func isActive(_ isActive: Bool) -> ModifiedViews<Self> {
    modified { $0.isActive = $0.isActive || isActive }
  }

  func modified(_ change: @escaping (inout WindowTraits) -> Void) -> ModifiedViews<Self> {
    ModifiedViews(base: self, change: change)
  }
}

/// Makes views of a list of them.
@resultBuilder public enum WindowModifiersBuilder {
  /// One view, or one content with its body.
  public static func buildExpression(_ views: some WindowModifiers) -> [any WindowModifiers] { [views] }
  /// Views in order.
  public static func buildBlock(_ parts: [any WindowModifiers]...) -> [any WindowModifiers] {
    parts.flatMap(\.self)
  }
  /// Views of an `if` without `else`.
  public static func buildOptional(_ part: [any WindowModifiers]?) -> [any WindowModifiers] { part ?? [] }
  /// Views of an `if`.
  public static func buildEither(first part: [any WindowModifiers]) -> [any WindowModifiers] { part }
  /// Views of an `else`.
  public static func buildEither(second part: [any WindowModifiers]) -> [any WindowModifiers] { part }
  /// Views of a loop.
  public static func buildArray(_ parts: [[any WindowModifiers]]) -> [any WindowModifiers] {
    parts.flatMap(\.self)
  }
  /// All of them.
  public static func buildFinalResult(_ parts: [any WindowModifiers]) -> Views { Views(parts) }
}
