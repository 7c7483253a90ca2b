/// An application as its desktop entry describes it.
///
/// Source: Desktop Entry Specification 1.5, and keys that begin with `X-Scened-`.
package struct DesktopEntry: Hashable, Sendable {
  /// The events an application stands for.
  package struct Claims: Hashable, Sendable {
    /// From `x-scheme-handler/SCHEME` in `MimeType`.
    package var schemes: [String] = []
    /// All other types in `MimeType`.
    package var mimeTypes: [String] = []
    /// From `X-Scened-ActivityTypes`.
    package var activityTypes: [String] = []
    /// `HOST` or `HOST/PATH`, from the group of ``UriHandler``.
    package var hosts: [String] = []

    /// Whether nothing is claimed.
    package var isEmpty: Bool {
      schemes.isEmpty && mimeTypes.isEmpty && activityTypes.isEmpty && hosts.isEmpty
    }
  }

  /// A kind of scene: the main group, or an action that says something of scenes.
  package struct Scene: Hashable, Sendable {
    /// How events are matched with a scene.
    package enum Kind: String, Sendable, CaseIterable {
      /// By identifiers, or as the default.
      case windowGroup = "WindowGroup"
      /// By file type alone.
      case documentGroup = "DocumentGroup"
    }

    /// `main`, or the identifier of the action.
    package var declarationID: String
    /// The localized name of the application or the action.
    package var title: String
    /// How events are matched.
    package var kind: Kind
    /// Nil makes a window group a default, an empty list matches nothing.
    package var matching: [String]?
    /// What a document group opens: MIME types or filename extensions.
    package var supportedTypes: [String]
    /// Whether there is never more than one.
    package var isSingleton: Bool
    /// How a scene of an action is started without D-Bus; the main group's line is the application's.
    package var actionExec: ExecLine?
    /// Where its group begins, counted from 1.
    package var line: Int
  }

  /// The desktop id: the name of the file below `applications`, with `.desktop`.
  package var id: String
  /// Localized.
  package var name: String
  /// A name in the icon theme, or a path.
  package var icon: String?
  /// Nil only if the application is started over D-Bus.
  package var exec: ExecLine?
  /// A program without which the application is not there.
  package var tryExec: String?
  /// Where the program is started.
  package var workingDirectory: String?
  /// Whether the program needs a terminal.
  package var runsInTerminal: Bool
  /// Whether it is started by a call of `org.freedesktop.Application`.
  package var isDBusActivatable: Bool
  /// The events it stands for.
  package var claims: Claims
  /// Whether the application speaks to the router, so that events come to it there and not as arguments.
  package var isAware: Bool
  /// Whether it has one scene at most.
  package var isSingleScene: Bool
  /// Whether any key says something of scenes.
  package var hasSceneKeys: Bool
  /// The main group, then actions in their order.
  package var scenes: [Scene]

  /// Whether it gets only events that name it, and those of hosts that the user chose it for.
  ///
  /// That is: it claims nothing and says nothing of scenes, or it gets events as arguments and takes none.
  package var isForNamedEventsOnly: Bool { !takesEvents || claims.isEmpty && !hasSceneKeys }

  /// Whether a URL or a file reaches it: from the router, over D-Bus or as an argument.
  package var takesEvents: Bool { isAware || exec == nil || exec?.targetCode != nil }

  /// Whether one start opens several URLs or files; else there is a start for each.
  package var opensAllAtOnce: Bool {
    if isDBusActivatable { return true }
    return switch exec?.targetCode {
    case .file, .url: false
    default: true
    }
  }

  /// The desktop id of a file, from its path below `applications`; nil if it is no desktop entry.
  ///
  /// Subdirectories are joined by `-`: that of `kde/okular.desktop` is `kde-okular.desktop`.
  package static func id(ofPath path: String) -> String? {
    let id = path.utf8.contains(UInt8(ascii: "/")) ? String(path.map { $0 == "/" ? "-" : $0 }) : path
    return id.hasSuffix(".desktop") && id != ".desktop" && !id.hasPrefix("-") ? id : nil
  }
}

/// What the file of a desktop entry is.
package enum DesktopEntryFile: Hashable, Sendable {
  /// The bytes of a file beyond which it is not read.
  package static var maximumSize: Int { KeyFile.maximumSize }

  /// An application.
  case application(DesktopEntry)
  /// Empty or `Hidden`: an application of the same id in a later directory is not there either.
  case mask
  /// A link, a directory or of a type that is not known.
  case notAnApplication
  /// Its complaints have an error; what was read from it before stays.
  case broken

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: All of the file.
  ///   - id: Its desktop id.
  ///   - locale: The language of names.
  /// - Returns: What it is, and what is wrong with it.
  package static func read(
    _ bytes: [UInt8],
    id: String,
    locale: LocaleName
  ) -> (file: DesktopEntryFile, complaints: [Complaint]) {
    var reader = DesktopEntryReader(id: id, locale: locale)
    let file = reader.read(bytes)
    return (reader.complaints.hasErrors ? .broken : file, reader.complaints.sorted { $0.line < $1.line })
  }
}
