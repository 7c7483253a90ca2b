/// Source: Desktop Entry Specification 1.5, and keys that begin with `X-Scened-`.
package struct DesktopEntry: Hashable, Sendable {
  package struct Claims: Hashable, Sendable {
    package var schemes: [String] = []
    /// `x-scheme-handler/SCHEME` in `MimeType` is a scheme, and no MIME type.
    package var mimeTypes: [String] = []
    package var activityTypes: [String] = []
    /// Each `HOST` or `HOST/PATH`, from the group of ``UriHandler``.
    package var hosts: [String] = []

    package var isEmpty: Bool {
      schemes.isEmpty && mimeTypes.isEmpty && activityTypes.isEmpty && hosts.isEmpty
    }
  }

  /// Declared by the main group, or by an action with keys about scenes.
  package struct Scene: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
      case windowGroup = "WindowGroup"
      case documentGroup = "DocumentGroup"
    }

    /// The identifier of the action; `main` for the main group.
    package var declarationID: String
    package var title: String
    package var kind: Kind
    /// An empty list matches nothing; nil makes a window group a default, for events that match no other kind of scene.
    package var matching: [String]?
    /// MIME types or filename extensions.
    package var supportedTypes: [String]
    package var isSingleton: Bool
    /// Nil for the main group too, which uses the application's command line.
    package var actionExec: ExecLine?
    package var execAtPosition: ExecLine?
    /// Where the scene's group begins, from 1.
    package var line: Int
    package var lineOfExec: Int?
  }

  /// The path of the file below `applications`, with `-` for `/`, including `.desktop`.
  package var id: String
  package var name: String
  package var icon: String?
  /// Nil only if the application is started over D-Bus.
  package var exec: ExecLine?
  /// If this program is missing, the application counts as not installed.
  package var tryExec: String?
  package var lineOfTryExec: Int?
  package var workingDirectory: String?
  package var runsInTerminal: Bool
  package var isDBusActivatable: Bool
  package var lineOfDBusActivatable: Int?
  package var claims: Claims
  /// Whether the application gets events from the router, and not as arguments.
  package var isAware: Bool
  package var isSingleScene: Bool
  package var hasSceneKeys: Bool
  /// The scene of the main group, then the scenes of actions in their order.
  package var scenes: [Scene]

  /// Whether it takes part only in events that name it, or for which the user chose it for a host or a sender.
  package var isForNamedEventsOnly: Bool { !takesEvents || claims.isEmpty && !hasSceneKeys }

  /// Without a command line, URLs and files come over D-Bus.
  package var takesEvents: Bool { isAware || exec == nil || exec?.targetCode != nil }

  /// If not, each URL or file needs a start of its own.
  package var opensAllAtOnce: Bool {
    if isDBusActivatable { return true }
    return switch exec?.targetCode {
    case .file, .url: false
    default: true
    }
  }

  /// The desktop id without `.desktop`; nil if that is no name (D-Bus Specification 0.43, "Valid Names").
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

  package static func applicationID(ofDesktopID id: String) -> String {
    var id = id[...]
    while id.hasSuffix(".desktop") { id = id.dropLast(".desktop".count) }
    return String(id)
  }

  /// The id of `kde/okular.desktop` below `applications` is `kde-okular.desktop`; nil if the file is no desktop entry.
  package static func id(ofPath path: String) -> String? {
    let id = path.utf8.contains(UInt8(ascii: "/")) ? String(path.map { $0 == "/" ? "-" : $0 }) : path
    return id.hasSuffix(".desktop") && id != ".desktop" && !id.hasPrefix("-") ? id : nil
  }
}

package enum DesktopEntryFile: Hashable, Sendable {
  package static var maximumSize: Int { KeyFile.maximumSize }

  case application(DesktopEntry)
  /// An empty file, or an entry with `Hidden`; it hides an application with the same id in a later directory.
  case mask
  case notAnApplication
  /// There is an error among the complaints; the result of an earlier reading stays in use.
  case broken

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
