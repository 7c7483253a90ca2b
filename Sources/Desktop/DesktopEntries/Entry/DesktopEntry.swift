/// An application, as described by its desktop entry.
///
/// Source: Desktop Entry Specification 1.5, and keys that begin with `X-Scened-`.
package struct DesktopEntry: Hashable, Sendable {
  /// The events that an application claims.
  package struct Claims: Hashable, Sendable {
    /// The claimed schemes, from `x-scheme-handler/SCHEME` in `MimeType`.
    package var schemes: [String] = []
    /// The claimed MIME types: the types in `MimeType` that do not stand for a scheme.
    package var mimeTypes: [String] = []
    /// The claimed activity types, from `X-Scened-ActivityTypes`.
    package var activityTypes: [String] = []
    /// The claimed hosts, each `HOST` or `HOST/PATH`, from the group of ``UriHandler``.
    package var hosts: [String] = []

    /// Whether nothing is claimed.
    package var isEmpty: Bool {
      schemes.isEmpty && mimeTypes.isEmpty && activityTypes.isEmpty && hosts.isEmpty
    }
  }

  /// A kind of scene, declared by the main group or by an action with keys about scenes.
  package struct Scene: Hashable, Sendable {
    /// How events are matched with a scene.
    package enum Kind: String, Sendable, CaseIterable {
      /// Events are matched through the identifiers in ``Scene/matching``.
      case windowGroup = "WindowGroup"
      /// Events are matched through the file type alone.
      case documentGroup = "DocumentGroup"
    }

    /// The identifier of the action that declares the scene; `main` for the main group.
    package var declarationID: String
    /// The localized name of the application or the action.
    package var title: String
    /// How events are matched with the scene.
    package var kind: Kind
    /// The identifiers for this kind of scene; an event matches if it contains one of them.
    ///
    /// An empty list matches nothing. If the list is nil, a window group is a default. A default is chosen only if the
    /// event matches no other kind of scene of the application.
    package var matching: [String]?
    /// The types that a document group opens: MIME types or filename extensions.
    package var supportedTypes: [String]
    /// Whether at most one scene of the kind can be open.
    package var isSingleton: Bool
    /// The command line of the action; nil if the action has no command line.
    ///
    /// The value is also nil for the main group, which uses the application's command line.
    package var actionExec: ExecLine?
    /// The command line that opens one file at a given line, from `X-Scened-ExecLine`.
    package var execAtPosition: ExecLine?
    /// The number of the line at which the scene's group begins, from 1.
    package var line: Int
    /// The number of the line with `Exec` in the scene's group; nil without this key.
    package var lineOfExec: Int?
  }

  /// The desktop id: the path of the file below `applications`, with `-` for `/`, including `.desktop`.
  package var id: String
  /// The localized name.
  package var name: String
  /// The icon: a name in the icon theme, or a path.
  package var icon: String?
  /// The command line; nil only if the application is started over D-Bus.
  package var exec: ExecLine?
  /// A program that has to exist on the machine; if it is missing, the application counts as not installed.
  package var tryExec: String?
  /// The number of the line with `TryExec`; nil without this key.
  package var lineOfTryExec: Int?
  /// The working directory of the program.
  package var workingDirectory: String?
  /// Whether the program needs a terminal.
  package var runsInTerminal: Bool
  /// Whether the application is started by a call of `org.freedesktop.Application`.
  package var isDBusActivatable: Bool
  /// The number of the line with `DBusActivatable`; nil without this key.
  package var lineOfDBusActivatable: Int?
  /// The events that the application claims.
  package var claims: Claims
  /// Whether the application talks to the router.
  ///
  /// If so, the application gets events from the router and not as arguments.
  package var isAware: Bool
  /// Whether the application has at most one scene.
  package var isSingleScene: Bool
  /// Whether any key about scenes is present.
  package var hasSceneKeys: Bool
  /// The scene of the main group, then the scenes of actions in their order.
  package var scenes: [Scene]

  /// Whether the application takes part only in events that name it or for which the user chose it.
  ///
  /// The user chooses an application for a host or for a sender. The value is true in two cases:
  /// - The entry claims no events and has no key about scenes, such as `X-Scened-Matching`.
  /// - The application does not talk to the router, and its command line takes no URL or file.
  package var isForNamedEventsOnly: Bool { !takesEvents || claims.isEmpty && !hasSceneKeys }

  /// Whether the entry says that a URL or file can reach the application.
  ///
  /// There are three cases: the application talks to the router, it has no command line because it is started over
  /// D-Bus, or its command line takes URLs or files.
  package var takesEvents: Bool { isAware || exec == nil || exec?.targetCode != nil }

  /// Whether one start of the program can open several URLs or files.
  ///
  /// If not, each URL or file needs a start of its own.
  package var opensAllAtOnce: Bool {
    if isDBusActivatable { return true }
    return switch exec?.targetCode {
    case .file, .url: false
    default: true
    }
  }

  /// The application's name on the bus: its desktop id without `.desktop`; nil if that cannot be a name.
  ///
  /// Source: D-Bus Specification 0.43, "Valid Names".
  package var busName: String? {
    let suffix = ".desktop"
    let name = id.hasSuffix(suffix) ? id.dropLast(suffix.count) : id[...]
    let elements = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    func isLetter(_ byte: UInt8) -> Bool {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: "-")
    }
    let isName =
      name.utf8.count <= 255 && elements.count > 1
      && elements.allSatisfy { element in
        element.first.map { !isDigit($0) } ?? false && element.allSatisfy { isDigit($0) || isLetter($0) }
      }
    return isName ? String(name) : nil
  }

  /// Returns the application id: the desktop id without `.desktop` at its end.
  package static func applicationID(ofDesktopID id: String) -> String {
    var id = id[...]
    while id.hasSuffix(".desktop") { id = id.dropLast(".desktop".count) }
    return String(id)
  }

  /// Returns the desktop id of a file, from its path below `applications`; nil if the file is not a desktop
  /// entry.
  ///
  /// Directories are joined by `-`: the id of `kde/okular.desktop` is `kde-okular.desktop`.
  package static func id(ofPath path: String) -> String? {
    let id = path.utf8.contains(UInt8(ascii: "/")) ? String(path.map { $0 == "/" ? "-" : $0 }) : path
    return id.hasSuffix(".desktop") && id != ".desktop" && !id.hasPrefix("-") ? id : nil
  }
}

/// The result of reading a desktop entry file.
package enum DesktopEntryFile: Hashable, Sendable {
  /// The largest file that is read, in bytes.
  package static var maximumSize: Int { KeyFile.maximumSize }

  /// An application.
  case application(DesktopEntry)
  /// An empty file, or an entry with `Hidden`.
  ///
  /// The file hides an application with the same id in a later directory.
  case mask
  /// An entry with a `Type` other than `Application`, such as `Link` or `Directory`.
  case notAnApplication
  /// A file with an error among its complaints; the result of an earlier reading stays in use.
  case broken

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - id: The desktop id of the file.
  ///   - locale: The language of names.
  /// - Returns: The result, and the complaints about the file.
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
