import DesktopEntries
import SceneClient

/// The text of a desktop entry that declares what a running program has declared.
struct DesktopEntryText {
  private static let hostInterface = "org.freedesktop.UriHandler"

  /// The router takes the application's id from it.
  let fileName: String
  let text: String
  /// How the entry differs from the declaration of the running program, in sentences.
  let differences: [String]

  /// `exec` is the value of `Exec` without the escapes of a desktop entry.
  ///
  /// A missing name is the title of the declaration `main`, else the last part of the application's id.
  ///
  /// - Throws: an error if the entry cannot be read back.
  init(_ application: ApplicationDescription, name: String?, exec: String) throws(EntryError) {
    fileName = EntryCommand.name(of: application.id)
    let main = application.scenes.first { $0.id == "main" }
    let actions = application.scenes.filter { $0.id != "main" && $0.isNameOfAction }
    let claims = application.claims ?? Claims()
    let name = name ?? main?.title.flatMap { $0.isEmpty ? nil : $0 } ?? Self.name(of: application.id)
    let types = claims.schemes.map(DesktopEntry.type(ofScheme:)) + claims.mimeTypes
    var lines = [
      "# The name of this file has to be '\(fileName)'.".printable, "[Desktop Entry]", "Type=Application",
      "Name=\(name.escaped)", "Exec=\(exec.escaped)",
    ]
    if !types.isEmpty { lines.append("MimeType=\(types.escaped)") }
    if !claims.hosts.isEmpty { lines.append("Implements=\([Self.hostInterface].escaped)") }
    // The program gets its events over its connection to the router.
    lines.append("X-Scened-Aware=true")
    if !claims.activityTypes.isEmpty {
      lines.append("X-Scened-ActivityTypes=\(claims.activityTypes.escaped)")
    }
    if application.isSingleScene { lines.append("X-Scened-SingleScene=true") }
    // Every desktop entry declares 'main'; an empty `X-Scened-Matching` keeps events from opening it.
    lines += main?.lines(isAction: false) ?? ["X-Scened-Matching="]
    if !actions.isEmpty { lines.append("Actions=\(actions.map(\.id).escaped)") }
    for action in actions {
      let title = action.title.flatMap { $0.isEmpty ? nil : $0 } ?? action.id
      lines += ["", "[Desktop Action \(action.id)]", "Name=\(title.escaped)", "Exec=\(exec.escaped)"]
      lines += action.lines(isAction: true)
    }
    if !claims.hosts.isEmpty { lines += ["", "[\(Self.hostInterface)]"] + Self.lines(of: claims.hosts) }
    text = lines.joined(separator: "\n") + "\n"

    let (file, complaints) = DesktopEntryFile.read(Array(text.utf8), id: fileName, locale: LocaleName(""))
    guard case .application(let entry) = file else {
      throw EntryError("'\(application.id)' cannot have a desktop entry: \(complaints.first?.text ?? "")")
    }
    differences = Self.differences(of: entry, from: application)
  }

  private static func name(of id: String) -> String {
    let name = id.split(separator: ".").last.map(String.init) ?? ""
    return name.isEmpty ? "Application" : name
  }

  private static func lines(of hosts: [String]) -> [String] {
    let patterns = hosts.filter { $0.contains("/") }.map { "https://\($0)/*" }
    let names = hosts.filter { !$0.contains("/") }
    return (names.isEmpty ? [] : ["Supports=\(names.escaped)"])
      + (patterns.isEmpty ? [] : ["Patterns=\(patterns.escaped)"])
  }
}

extension DesktopEntryText {
  private static func differences(
    of entry: DesktopEntry,
    from application: ApplicationDescription
  ) -> [String] {
    var sentences: [String] = []
    if entry.id.contains("/") { sentences.append("No file can have the name '\(entry.id)'.") }
    var untitled: [String] = []
    for scene in application.scenes {
      guard let declared = entry.scenes.first(where: { $0.declarationID == scene.id }) else {
        sentences.append(
          "The entry leaves out the scene '\(scene.id)': an action's name consists of ASCII letters, digits and '-'."
        )
        continue
      }
      if scene.title ?? "" == "" {
        untitled.append("'\(scene.id)'")
      } else if scene.title != declared.title {
        sentences.append("The title of '\(scene.id)' is '\(declared.title)' in the entry.")
      }
      if declared.matching != scene.matching || declared.supportedTypes != scene.supportedTypes {
        sentences.append("The entry cannot have all identifiers and types of '\(scene.id)'.")
      }
    }
    if !untitled.isEmpty {
      sentences.append(
        "The entry gives titles to scenes without a title: \(untitled.joined(separator: ", "))."
      )
    }
    if application.scenes.contains(where: { $0.id == "main" }), application.scenes.first?.id != "main" {
      sentences.append("The entry declares 'main' before all other scenes.")
    }
    return sentences + differences(of: entry.claims, from: application.claims ?? Claims())
  }

  private static func differences(of entry: DesktopEntry.Claims, from claims: Claims) -> [String] {
    let pairs = [
      (entry.schemes, claims.schemes), (entry.mimeTypes, claims.mimeTypes),
      (entry.activityTypes, claims.activityTypes), (entry.hosts, claims.hosts),
    ]
    let missing = pairs.flatMap { entry, claims in claims.filter { !entry.contains($0) } }
    var sentences = missing.map { "The entry cannot claim '\($0)'." }
    if !claims.hosts.isEmpty {
      sentences.append(
        "The claims of hosts count only if root owns the file and its directory. desktop-file-validate rejects the group "
          + "'\(hostInterface)'."
      )
    }
    return sentences
  }
}

extension SceneDeclaration {
  /// Desktop Entry Specification 1.5, "Action identifiers".
  fileprivate var isNameOfAction: Bool {
    !id.isEmpty
      && id.utf8.allSatisfy { byte in
        let character = Character(UnicodeScalar(byte))
        return byte < 0x80 && (character.isLetter || character.isNumber || character == "-")
      }
  }

  fileprivate func lines(isAction: Bool) -> [String] {
    var lines: [String] = []
    if kind == .documentGroup { lines.append("X-Scened-Kind=DocumentGroup") }
    // An action declares a scene only if it has a key about scenes.
    if kind == .windowGroup, isAction, matching == nil { lines.append("X-Scened-Kind=WindowGroup") }
    if let matching { lines.append("X-Scened-Matching=\(matching.escaped)") }
    if !supportedTypes.isEmpty { lines.append("X-Scened-SupportedTypes=\(supportedTypes.escaped)") }
    if isSingleton { lines.append("X-Scened-Singleton=true") }
    return lines
  }
}

extension String {
  /// Desktop Entry Specification 1.5, "Possible value types".
  var escaped: String { escaped(inList: false) }

  fileprivate func escaped(inList: Bool) -> String {
    // Readers ignore unescaped spaces at both ends.
    let content = unicodeScalars.drop { $0 == " " }
    let start = unicodeScalars.count - content.count
    let end = start + content.count - content.reversed().prefix { $0 == " " }.count
    return unicodeScalars.enumerated().reduce(into: "") { text, element in
      switch element.element {
      case " " where element.offset < start || element.offset >= end: text += "\\s"
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case ";" where inList: text += "\\;"
      case let scalar: text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension [String] {
  fileprivate var escaped: String { map { $0.escaped(inList: true) + ";" }.joined() }
}
