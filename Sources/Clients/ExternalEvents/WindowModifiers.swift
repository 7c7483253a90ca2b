public import FoundationEssentials

/// Views of a window, with modifiers that say which events the window handles.
///
/// As in SwiftUI, the window handles every event that one of its views handles.
public protocol WindowModifiers {
  /// Adds the modifiers of these views to the traits of their window.
  func apply(to traits: inout WindowTraits)
}

/// Views without modifiers: an empty list, or a list of other views.
///
/// The list may differ from one evaluation of the body to the next.
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

  /// Makes an empty list, to which modifiers are added.
  public init() {
    parts = []
  }

  /// Makes a list of views.
  public init(@WindowModifiersBuilder content: () -> Views) {
    self = content()
  }

  init(_ parts: [any WindowModifiers]) {
    self.parts = parts
  }

  /// Adds the modifiers of each view, in order.
  public func apply(to traits: inout WindowTraits) {
    for part in parts { part.apply(to: &traits) }
  }
}

/// Views with one more modifier.
public struct ModifiedViews<Base: WindowModifiers>: WindowModifiers {
  let base: Base
  let change: (inout WindowTraits) -> Void

  /// Adds the modifiers of the original views, and then the new modifier.
  public func apply(to traits: inout WindowTraits) {
    base.apply(to: &traits)
    change(&traits)
  }
}

// MARK: - Modifiers

extension WindowModifiers {
  /// Says which document the window shows, so that a link to this document comes to this window.
  ///
  ///     .showing(document)
  ///
  /// An event for the document comes to this window even if another window prefers it, or another application claims
  /// it. The router compares whole URLs, normalised and without their fragments. Of a `file:` URL it compares only the
  /// path. If `document` is nil, the modifier adds no document. To get the links to all documents of a site or a
  /// project, use `handlesExternalEvents(preferring:allowing:)`.
  ///
  /// - Parameter document: the absolute URL of the document, such as a file or a web page.
  /// - Returns: the views with the modifier.
  public func showing(_ document: URL?) -> ModifiedViews<Self> {
    showing(document.map { [$0] } ?? [])
  }

  /// Says which documents the window shows, such as the pages of all tabs of a browser.
  ///
  /// A window shows the documents of all its views.
  ///
  /// - Parameter documents: the absolute URLs of the documents.
  /// - Returns: the views with the modifier.
  public func showing(_ documents: some Sequence<URL>) -> ModifiedViews<Self> {
    let urls = documents.map(\.absoluteString)
    return modified { $0.showing.formUnion(urls) }
  }

  /// Sets the events that the window handles while it is open.
  ///
  /// Both sets contain identifiers. An identifier matches an event if the event's URL or target content identifier
  /// contains it. Letter case and accents do not count, and `message/4` also matches `message/42`. `"*"` matches every
  /// event; an empty set matches none.
  ///
  /// Windows that prefer an event come before windows that allow it. Among several windows that prefer it, or several
  /// that allow it, the window with the longest matching identifier comes first. If no open window prefers or allows
  /// the event, a new window is opened.
  ///
  /// Without this modifier, an open window gets only the event that it was opened for. An open ``Window`` also gets
  /// each event for which the router would otherwise open this window. If a window allows `"*"`, it gets even events
  /// for which the router would otherwise open a window of another kind.
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
  /// The event is taken when the action returns. If the action throws and no other action takes the event, the window
  /// declines the event: the router looks for another target, and the sender gets the description of the error as the
  /// reason. A window that was opened for the event stays open. All actions of the window get the URL, one after the
  /// other.
  public func onOpenURL(perform action: @escaping (URL) throws -> Void) -> ModifiedViews<Self> {
    onOpenURL { url, _ in try action(url) }
  }

  /// Calls `action` with each URL that the window receives, and with the facts that came with the URL.
  ///
  ///     .onOpenURL { url, event in self.open(url, atLine: event.line) }
  ///
  /// The event is taken when the action returns. If the action throws and no other action takes the event, the
  /// window declines the event.
  public func onOpenURL(
    perform action: @escaping (URL, ExternalEvent) throws -> Void
  ) -> ModifiedViews<Self> {
    modified { $0.urlActions.append(.immediate { try action($0.0, $0.1) }) }
  }

  /// Calls an `async` action with each URL that the window receives.
  ///
  /// The event is taken when the action returns or calls ``ExternalEvent/accept()``. If the event times out first,
  /// the action is cancelled.
  ///
  /// The action must have no capture list: write `self.` in its body instead of `[self] in`. Swift 6.3 runs an
  /// `async` closure with a capture list away from the actor that calls the closure.
  public func onOpenURL(perform action: @escaping (URL) async throws -> Void) -> ModifiedViews<Self> {
    modified { $0.urlActions.append(.waiting { try await action($0.0) }) }
  }

  /// Calls an `async` action with each URL that the window receives, and with the facts that came with the URL.
  ///
  /// The event is taken when the action returns or calls ``ExternalEvent/accept()``. If the event times out first,
  /// the action is cancelled.
  ///
  /// The action must have no capture list: write `self.` in its body instead of `[self] in`. Swift 6.3 runs an
  /// `async` closure with a capture list away from the actor that calls the closure.
  public func onOpenURL(
    perform action: @escaping (URL, ExternalEvent) async throws -> Void
  ) -> ModifiedViews<Self> {
    modified { $0.urlActions.append(.waiting { try await action($0.0, $0.1) }) }
  }

  /// Calls `action` with each activity of this type that the window receives.
  ///
  /// The event is taken when the action returns. If the action throws and no other action takes the event, the
  /// window declines the event.
  public func onContinueUserActivity(
    _ activityType: String,
    perform action: @escaping (UserActivity) throws -> Void
  ) -> ModifiedViews<Self> {
    modified { $0.activityActions.append((activityType, .immediate(action))) }
  }

  /// Calls an `async` action with each activity of this type that the window receives.
  ///
  /// The event is taken when the action returns or calls ``ExternalEvent/accept()``. If the event times out first,
  /// the action is cancelled.
  ///
  /// The action must have no capture list: write `self.` in its body instead of `[self] in`. Swift 6.3 runs an
  /// `async` closure with a capture list away from the actor that calls the closure.
  public func onContinueUserActivity(
    _ activityType: String,
    perform action: @escaping (UserActivity) async throws -> Void
  ) -> ModifiedViews<Self> {
    modified { $0.activityActions.append((activityType, .waiting(action))) }
  }

  /// Sets the title of the window, for people; if several views set one, the last counts.
  public func title(_ title: String) -> ModifiedViews<Self> {
    modified { $0.title = title }
  }

  /// Says whether the user works in the window.
  ///
  /// The window is active if one of its views says so. Of several equally good targets of an event, the window
  /// that became active last gets the event. In the router's list of the activities that other programs can take, the
  /// activity of the window that became active last comes first.
  public func isActive(_ isActive: Bool) -> ModifiedViews<Self> {
    modified { $0.isActive = $0.isActive || isActive }
  }

  func modified(_ change: @escaping (inout WindowTraits) -> Void) -> ModifiedViews<Self> {
    ModifiedViews(base: self, change: change)
  }
}

/// Makes a list of views.
@resultBuilder public enum WindowModifiersBuilder {
  /// Takes one view, or one content with its body.
  public static func buildExpression(_ views: some WindowModifiers) -> [any WindowModifiers] { [views] }
  /// Joins views in their order.
  public static func buildBlock(_ parts: [any WindowModifiers]...) -> [any WindowModifiers] {
    parts.flatMap(\.self)
  }
  /// Takes the views of an `if` without `else`.
  public static func buildOptional(_ part: [any WindowModifiers]?) -> [any WindowModifiers] { part ?? [] }
  /// Takes the views of an `if`.
  public static func buildEither(first part: [any WindowModifiers]) -> [any WindowModifiers] { part }
  /// Takes the views of an `else`.
  public static func buildEither(second part: [any WindowModifiers]) -> [any WindowModifiers] { part }
  /// Joins the views of a loop.
  public static func buildArray(_ parts: [[any WindowModifiers]]) -> [any WindowModifiers] {
    parts.flatMap(\.self)
  }
  /// Makes the list of all views.
  public static func buildFinalResult(_ parts: [any WindowModifiers]) -> Views { Views(parts) }
}
