import DesktopEntries
import Glibc
import Installed
import SystemPackage

/// A desktop entry that the tool makes to ask, or to open links in a profile or by an action of an application.
///
/// It is in the user's directory of entries, hidden from menus. It has no types, so it opens only the links for which
/// it is chosen, and goes with the last choice that names it, or after the one link that it was made for.
struct MadeEntry {
  private static let prefixes = (ask: "scened-ask", profile: "scened-profile-", action: "scened-action-")

  let id: String
  let name: String
  let icon: String?
  private let lines: [String]

  /// Without `menu`, the tool looks for a menu program when a link comes.
  static func asking(menu: String?) -> MadeEntry {
    let tool = Host.canonicalPath("/proc/self/exe")?.string ?? "scenectl"
    let words = [tool, "handler", "ask", "--offer"] + (menu.map { ["--menu", $0] } ?? [])
    let exec = words.map(ExecLine.quoted).joined(separator: " ") + " %u"
    return MadeEntry(id: askID, name: "Ask which application opens a link", exec: exec, icon: nil)
  }

  static let askID = "\(askApplicationID).desktop"
  static let askApplicationID = prefixes.ask

  /// `name` is the name of the profile, or of its directory if several profiles have the same name.
  ///
  /// The browser extension makes the same id from it (`application` in `scened.js`).
  ///
  /// - Throws: an error if the browser cannot be started with a profile.
  init(_ profile: BrowserProfile, named name: String, of application: InstalledApplication) throws {
    let entry = application.entry
    guard let exec = entry.exec else {
      throw HandlerError(
        "'\(application.entry.id)' has no 'Exec', so that it cannot be started with a profile."
      )
    }
    self.init(
      id: Self.id(Self.prefixes.profile, entry, name),
      name: Self.name(entry, profile: profile.name),
      exec: exec.text(inserting: profile.arguments, at: Self.place(ofOptionsIn: exec)),
      icon: entry.icon
    )
  }

  init(_ action: DesktopAction, of application: InstalledApplication) {
    let entry = application.entry
    let exec = action.exec.text(inserting: [], at: 0)
    self.init(
      id: Self.id(Self.prefixes.action, entry, action.id),
      name: Self.name(entry, action: action.name),
      exec: action.exec.targetCode == nil ? exec + " %u" : exec,
      icon: action.icon ?? entry.icon
    )
  }

  private static func id(_ prefix: String, _ entry: DesktopEntry, _ name: String) -> String {
    // Spelled out, so that different names give different files.
    let spelled = name.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      return character.isASCII && (character.isLetter || character.isNumber)
        ? String(character) : "_" + byte.text(digits: 2, radix: 16)
    }
    let stem = entry.id.hasSuffix(".desktop") ? entry.id.dropLast(".desktop".count) : entry.id[...]
    return "\(prefix)\(stem)-\(spelled.joined()).desktop"
  }

  private init(id: String, name: String, exec: String, icon: String?) {
    (self.id, self.name, self.icon) = (id, name, icon)
    lines =
      [
        "# Made by scenectl, and removed when no choice names it any more.",
        "[Desktop Entry]",
        "Type=Application", "Name=\(name.escaped)", "Exec=\(exec.escaped)",
      ]
      + (icon.map { ["Icon=\($0.escaped)"] } ?? []) + ["NoDisplay=true", "StartupNotify=true"]
  }

  /// The options come right after the browser's program; in a flatpak command, before the files and URLs.
  static func place(ofOptionsIn exec: ExecLine) -> Int {
    let words = exec.words
    if exec.program.split(separator: "/").last == "flatpak" {
      // In a flatpak command, the word '@@' or '@@u' begins the files and URLs, and '@@' ends them.
      return words.firstIndex { $0.hasPrefix("@@") || $0.isEmpty } ?? words.count
    }
    guard exec.program.split(separator: "/").last == "env" else { return 1 }
    return 1 + (words.dropFirst().firstIndex { !$0.contains("=") } ?? words.count - 1)
  }
}

extension MadeEntry {
  /// What the id of an entry was made from; the entry may be removed again.
  struct Parts {
    let application: String
    /// One of the two is nil.
    let profile, action: String?

    /// Nil for the id of another entry.
    init?(_ applicationID: String) {
      let prefix = [prefixes.profile, prefixes.action].first { applicationID.hasPrefix($0) }
      guard let prefix, let dash = applicationID.lastIndex(of: "-") else { return nil }
      application = String(applicationID[..<dash].dropFirst(prefix.count))
      var bytes: [UInt8] = []
      var spelled = applicationID[dash...].dropFirst()
      while let first = spelled.popFirst() {
        guard first == "_" else {
          bytes += first.utf8
          continue
        }
        bytes += [UInt8(spelled.prefix(2), radix: 16)].compactMap(\.self)
        spelled = spelled.dropFirst(2)
      }
      let name = String(decoding: bytes, as: UTF8.self)
      (profile, action) = prefix == prefixes.action ? (nil, name) : (name, nil)
    }

    /// `bytes` and `entry` are those of the application.
    func name(in bytes: [UInt8], of entry: DesktopEntry, _ locale: LocaleName) -> String {
      guard let action else { return MadeEntry.name(entry, profile: profile ?? "") }
      let installed = DesktopAction.all(of: entry, in: bytes, locale: locale).first { $0.id == action }
      return MadeEntry.name(entry, action: installed?.name ?? action)
    }
  }

  private static func name(_ entry: DesktopEntry, profile: String) -> String { "\(entry.name) (\(profile))" }

  private static func name(_ entry: DesktopEntry, action: String) -> String { "\(action) — \(entry.name)" }

  static func isMade(_ id: String) -> Bool {
    id == askID || id.hasPrefix(prefixes.profile) || id.hasPrefix(prefixes.action)
  }

  func save(in places: DesktopPlaces) throws {
    guard let directory = places.userApplications else {
      throw HandlerError("Your desktop entries cannot be found: set $HOME or $XDG_DATA_HOME.")
    }
    let text = lines.joined(separator: "\n") + "\n"
    let (entry, complaints) = DesktopEntryFile.read(Array(text.utf8), id: id, locale: LocaleName(""))
    guard case .application = entry else {
      throw HandlerError("No desktop entry can be made: \(complaints.first?.text ?? "")".printable)
    }
    var file = try UserFile("\(directory)/\(id)")
    file.contents = AssociationFile(Array(text.utf8))
    try UserFile.save([file])
  }

  static func removeAll(in places: DesktopPlaces, except kept: Set<String>) {
    guard let directory = places.userApplications else { return }
    for name in Host.names(in: FilePath(directory)) where isMade(name) && !kept.contains(name) {
      Host.remove(FilePath("\(directory)/\(name)"))
    }
  }
}
