/// Declarations of the windows that an application can open.
public protocol SceneDeclarations {
  /// The declared windows, in the order in which the router tries them.
  var windows: [DeclaredWindow] { get }
}

/// Several declarations, in order.
public struct SceneDeclarationList: SceneDeclarations {
  /// The declared windows, in the order in which the router tries them.
  public let windows: [DeclaredWindow]
}

/// Makes one list of several declarations.
@resultBuilder public enum SceneDeclarationsBuilder {
  /// Joins declarations in their order.
  public static func buildBlock<each Part: SceneDeclarations>(_ part: repeat each Part)
    -> SceneDeclarationList
  {
    var windows: [DeclaredWindow] = []
    for part in repeat each part { windows += part.windows }
    return SceneDeclarationList(windows: windows)
  }
}

extension SceneDeclarations {
  /// Sets the events for which a new window of this kind is opened, if no open window handles them.
  ///
  /// Each condition is a text that matches an event if the event's URL or target content identifier contains it.
  /// Letter case and accents do not count. `"*"` matches every event; an empty set matches none. Without this
  /// modifier, a new window is opened for events that no other declaration matches. The modifier does not change a
  /// ``DocumentGroup``, which opens files by their type alone.
  public func handlesExternalEvents(matching conditions: Set<String>) -> some SceneDeclarations {
    SceneDeclarationList(
      windows: windows.map { window in
        guard window.declaration.kind == .windowGroup else { return window }
        var window = window
        window.declaration.matching = conditions.sorted()
        return window
      }
    )
  }

  /// Says whether a window of this kind is opened at the start of the program.
  ///
  /// A program that the router has started for an event opens only the window for this event.
  public func defaultLaunchBehavior(_ behavior: SceneLaunchBehavior) -> some SceneDeclarations {
    SceneDeclarationList(
      windows: windows.map { window in
        var window = window
        window.launchBehavior = behavior
        return window
      }
    )
  }
}

/// Whether a window of a kind is opened at the start of the program.
public enum SceneLaunchBehavior: Sendable {
  /// A window is opened if this kind is the first, and none is ``presented``; see ``SceneApplication``.
  case automatic
  /// A window is opened, together with one of each other kind that is `presented`.
  case presented
  /// No window is opened at the start.
  ///
  /// If this kind would be the first and none is ``presented``, the program starts without a window. It then waits for
  /// an event that needs one.
  case suppressed
}
