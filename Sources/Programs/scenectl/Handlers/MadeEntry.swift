import DesktopEntries
import Glibc
import Installed
import SystemPackage

/// A desktop entry that the tool makes for a choice with `--ask` or `--profile`.
///
/// It is in the user's directory of entries, hidden from menus. It has no types, so it opens only the links for which
/// it is chosen, and goes with the last choice that names it.
struct MadeEntry {
  private static let prefixes = (ask: "scened-ask", profile: "scened-profile-")

  let id: String
  let name: String
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
    // Spelled out, so that different names give different files.
    let spelled = name.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      return character.isASCII && (character.isLetter || character.isNumber)
        ? String(character) : "_" + byte.text(digits: 2, radix: 16)
    }
    let stem = entry.id.hasSuffix(".desktop") ? entry.id.dropLast(".desktop".count) : entry.id[...]
    self.init(
      id: "\(Self.prefixes.profile)\(stem)-\(spelled.joined()).desktop",
      name: "\(entry.name) (\(profile.name))",
      exec: exec.text(inserting: profile.arguments, at: Self.place(ofOptionsIn: exec)),
      icon: entry.icon
    )
  }

  private init(id: String, name: String, exec: String, icon: String?) {
    (self.id, self.name) = (id, name)
    lines =
      [
        "# Made by 'scenectl handler set', and removed with the last choice that names it.",
        "[Desktop Entry]",
        "Type=Application", "Name=\(name.escaped)", "Exec=\(exec.escaped)",
      ]
      + (icon.map { ["Icon=\($0.escaped)"] } ?? []) + ["NoDisplay=true", "StartupNotify=true"]
  }

  /// The options come right after the browser's program; in a flatpak command, before the files and URLs.
  private static func place(ofOptionsIn exec: ExecLine) -> Int {
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
  static func isMade(_ id: String) -> Bool { id == askID || id.hasPrefix(prefixes.profile) }

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
