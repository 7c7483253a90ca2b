/// The windows that an application can open, in the order in which they are tried.
public protocol SceneDeclarations {
  /// One after the other.
  var windows: [DeclaredWindow] { get }
}

/// Declarations in order.
public struct SceneDeclarationList: SceneDeclarations {
  /// One after the other.
  public let windows: [DeclaredWindow]
}

/// Makes one list of several declarations.
@resultBuilder public enum SceneDeclarationsBuilder {
  /// Declarations in order.
  public static func buildBlock<each Part: SceneDeclarations>(_ part: repeat each Part)
    -> SceneDeclarationList
  {
    var windows: [DeclaredWindow] = []
    for part in repeat each part { windows += part.windows }
    return SceneDeclarationList(windows: windows)
  }
}

extension SceneDeclarations {
  /// Says for which events a new window of this kind is opened, if no open window handles them.
  ///
  /// An identifier matches an event if it is contained in the event's URL or target content identifier, whatever the
  /// case and the accents. `"*"` matches every event, an empty set none. Without this modifier a window is opened for
  /// what no other declaration matches. A ``DocumentGroup`` is chosen by the types of files, whatever this says.
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
}
