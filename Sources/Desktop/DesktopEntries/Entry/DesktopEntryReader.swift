struct DesktopEntryReader {
  let id: String
  let locale: LocaleName
  private(set) var complaints: [Complaint] = []

  init(id: String, locale: LocaleName) {
    self.id = id
    self.locale = locale
  }

  mutating func read(_ bytes: [UInt8]) -> DesktopEntryFile {
    if bytes.isEmpty { return .mask }
    guard let file = KeyFile(bytes) else {
      complaints.error(1, "The file is larger than \(KeyFile.maximumSize) bytes; make it smaller.")
      return .broken
    }
    complaints = file.complaints
    guard let group = file.group("Desktop Entry") else {
      complaints.error(1, "There is no group '[Desktop Entry]'; put it before the keys.")
      return .broken
    }
    var main = GroupReader(file, group: group)
    if main.boolean("Hidden") == true { return .mask }
    guard let type = main.string("Type") else {
      complaints.error(main.line, "'Type' is missing; add 'Type=Application'.")
      return .broken
    }
    guard type == "Application" else { return .notAnApplication }
    let entry = readApplication(&main)
    complaints += main.complaints
    return entry.map(DesktopEntryFile.application) ?? .broken
  }

  private mutating func readApplication(_ main: inout GroupReader) -> DesktopEntry? {
    let isDBusActivatable = main.boolean("DBusActivatable") ?? false
    let exec = readExec(&main, isRequired: !isDBusActivatable)
    guard let name = main.name(in: locale), !name.isEmpty else {
      main.complaints.error(main.line, "'Name' is missing; add a name without a language.")
      return nil
    }
    let hint = main.boolean("SingleMainWindow") ?? false
    var entry = DesktopEntry(
      id: id,
      name: name,
      icon: main.string("Icon", in: locale),
      exec: exec,
      tryExec: main.string("TryExec"),
      lineOfTryExec: main.line(of: "TryExec"),
      workingDirectory: main.string("Path").flatMap { $0.isEmpty ? nil : $0 },
      runsInTerminal: main.boolean("Terminal") ?? false,
      isDBusActivatable: isDBusActivatable,
      lineOfDBusActivatable: main.line(of: "DBusActivatable"),
      claims: readClaims(&main),
      isAware: main.boolean(SceneKey.aware) ?? false,
      isSingleScene: main.boolean(SceneKey.singleScene) ?? hint,
      hasSceneKeys: SceneKey.inMainGroup.contains { main.line(of: $0) != nil },
      scenes: [readScene(&main, id: "main", title: name)]
    )
    readActions(of: &entry, main: &main)
    return entry
  }

  /// An unusable command line is an error, even if D-Bus starts the application.
  private func readExec(_ group: inout GroupReader, isRequired: Bool) -> ExecLine? {
    guard let text = group.string("Exec"), let line = group.line(of: "Exec") else {
      if isRequired { group.complaints.error(group.line, "'Exec' is missing; add the command line.") }
      return nil
    }
    do throws(ExecError) {
      return try ExecLine(parsing: text)
    } catch {
      group.complaints.error(line, "'Exec', \(error).")
      return nil
    }
  }

  /// An unusable command line is ignored, because the entry works without it.
  private func readExecAtPosition(_ group: inout GroupReader) -> ExecLine? {
    guard let text = group.string(execAtPositionKey) else { return nil }
    do throws(ExecError) {
      return try ExecLine(parsingWithPosition: text)
    } catch {
      group.warn(execAtPositionKey, "'\(execAtPositionKey)' is ignored; \(error).")
      return nil
    }
  }

  private func readClaims(_ main: inout GroupReader) -> DesktopEntry.Claims {
    var claims = DesktopEntry.Claims()
    for type in main.strings("MimeType") ?? [] {
      if !MIMEType.isValid(type) {
        main.warn("MimeType", "'\(type)' in 'MimeType' is ignored; write 'TYPE/SUBTYPE'.")
      } else if let scheme = MIMEType.scheme(of: type) {
        claims.schemes.append(scheme)
      } else {
        claims.mimeTypes.append(type)
      }
    }
    claims.activityTypes = main.strings(SceneKey.activityTypes) ?? []
    claims.hosts = UriHandler.hosts(claimedBy: &main)
    return claims
  }
}

// MARK: - Scenes

/// Not a key about scenes: an action with this key alone declares no scene.
private let execAtPositionKey = "X-Scened-ExecLine"

private enum SceneKey {
  static let matching = "X-Scened-Matching"
  static let kind = "X-Scened-Kind"
  static let supportedTypes = "X-Scened-SupportedTypes"
  static let singleton = "X-Scened-Singleton"
  static let singleScene = "X-Scened-SingleScene"
  static let aware = "X-Scened-Aware"
  static let activityTypes = "X-Scened-ActivityTypes"

  static let inActions = [matching, kind, supportedTypes, singleton]
  static let inMainGroup = inActions + [singleScene, aware, activityTypes]
}

extension DesktopEntryReader {
  private func readScene(_ group: inout GroupReader, id: String, title: String) -> DesktopEntry.Scene {
    var kind = DesktopEntry.Scene.Kind.windowGroup
    if let text = group.string(SceneKey.kind), let line = group.line(of: SceneKey.kind) {
      if let known = DesktopEntry.Scene.Kind(rawValue: text) {
        kind = known
      } else {
        // As a window group, a misspelled document group would match every event.
        let kinds = DesktopEntry.Scene.Kind.allCases.map(\.rawValue).joined(separator: " or ")
        group.complaints.error(line, "'\(SceneKey.kind)' has to be \(kinds).")
      }
    }
    let scene = DesktopEntry.Scene(
      declarationID: id,
      title: title,
      kind: kind,
      matching: group.strings(SceneKey.matching),
      supportedTypes: group.strings(SceneKey.supportedTypes) ?? [],
      isSingleton: group.boolean(SceneKey.singleton) ?? false,
      execAtPosition: readExecAtPosition(&group),
      line: group.line,
      lineOfExec: group.line(of: "Exec")
    )
    let known = id == "main" ? SceneKey.inMainGroup : SceneKey.inActions
    for (key, line) in group.keys(withPrefix: "X-Scened-")
    where key != execAtPositionKey && !known.contains(key) {
      group.complaints.warn(line, "'\(key)' is not known in this group and is ignored; check its spelling.")
    }
    return scene
  }

  /// One less than `declarationsPerApplication` in the routing contract, which also counts the main group.
  private static var maximumActions: Int { 255 }

  private mutating func readActions(of entry: inout DesktopEntry, main: inout GroupReader) {
    let actions = main.strings("Actions") ?? []
    if actions.count > Self.maximumActions {
      main.warn(
        "Actions",
        "'Actions' has more than \(Self.maximumActions) actions, and the others are ignored; remove some."
      )
    }
    for id in actions.prefix(Self.maximumActions) {
      guard let group = main.file.group("Desktop Action \(id)") else {
        main.warn("Actions", "Action '\(id)' is ignored; add the group '[Desktop Action \(id)]'.")
        continue
      }
      var action = GroupReader(main.file, group: group)
      guard SceneKey.inMainGroup.contains(where: { action.line(of: $0) != nil }) else { continue }
      if entry.scenes.contains(where: { $0.declarationID == id }) {
        main.warn(
          "Actions",
          "The id of action '\(id)' is already in use, so the action is ignored; rename it."
        )
        continue
      }
      let title = action.name(in: locale) ?? id
      var scene = readScene(&action, id: id, title: title)
      scene.actionExec = readExec(&action, isRequired: !entry.isDBusActivatable)
      entry.hasSceneKeys = true
      entry.scenes.append(scene)
      complaints += action.complaints
    }
  }
}
