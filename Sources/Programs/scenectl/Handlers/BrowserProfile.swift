import DesktopEntries
import Installed
import SceneRouting
import Varlink

/// A profile of a browser, from the browser's own files.
struct BrowserProfile: Hashable {
  enum Family { case firefox, chromium }

  let family: Family
  /// As the browser shows it.
  let name: String
  /// A name or a path.
  let directory: String

  /// Distinguishes the profile from the browser's others.
  var key: String { family == .firefox ? name : directory }

  /// With them the browser opens links in the profile.
  var arguments: [String] {
    switch family {
    case .firefox: ["-P", name]
    case .chromium: ["--profile-directory=\(directory)"]
    }
  }
}

extension InstalledDesktop {
  /// The profiles of a browser, each with its name, or that of its directory if several profiles have the same name.
  func profiles(of application: InstalledApplication) -> [(profile: BrowserProfile, name: String)] {
    let profiles = Browser.started(by: application.entry)?.profiles(in: places) ?? []
    return profiles.map { profile in
      (profile, profiles.count { $0.name == profile.name } == 1 ? profile.name : profile.directory)
    }
  }

  /// `profile` is a name or a directory.
  func entry(ofProfile profile: String, of id: String) throws -> MadeEntry {
    guard let application = application(id), Browser.started(by: application.entry) != nil else {
      throw HandlerError(
        "The profiles of '\(id.asApplicationID)' are not known: it is neither Firefox nor Chromium."
          .printable
      )
    }
    let profiles = profiles(of: application)
    let found = profiles.filter { $0.profile.name == profile || $0.profile.directory == profile }
    guard let first = found.first else {
      let names = profiles.map { "'\($0.profile.name)'" }.joined(separator: ", ")
      throw HandlerError(
        "'\(id.asApplicationID)' has no profile '\(profile)'; it has \(names.isEmpty ? "none" : names)."
          .printable
      )
    }
    guard found.count == 1 else {
      let directories = found.map { "'\($0.profile.directory)'" }.joined(separator: " or ")
      throw HandlerError(
        "Several profiles have the name '\(profile)'; name the directory \(directories).".printable
      )
    }
    return try MadeEntry(first.profile, named: first.name, of: application)
  }

  /// The actions of an application's entry that open a link: those that have a place for one, and a browser's private
  /// windows.
  func actions(of application: InstalledApplication) -> [DesktopAction] {
    guard case .file(let bytes, _) = FileContents.read(application.path) else { return [] }
    let isBrowser = Browser.started(by: application.entry) != nil
    return DesktopAction.all(of: application.entry, in: bytes, locale: places.locale).filter { action in
      action.exec.targetCode != nil || isBrowser && action.isPrivateWindow
    }
  }

  func entry(ofAction name: String, of id: String) throws -> MadeEntry {
    let actions = application(id).map { ($0, self.actions(of: $0)) }
    guard let (application, known) = actions, let action = known.first(where: { $0.id == name }) else {
      let names = (actions?.1 ?? []).map { "'\($0.id)'" }.joined(separator: ", ")
      throw HandlerError(
        "'\(id.asApplicationID)' has no action '\(name)' for links; it has \(names.isEmpty ? "none" : names)."
          .printable
      )
    }
    return MadeEntry(action, of: application)
  }
}

extension DesktopAction {
  /// A browser always has a private window; Debian's entries of Firefox and Chromium do not name it.
  ///
  /// `bytes` are those of the entry.
  static func all(of entry: DesktopEntry, in bytes: [UInt8], locale: LocaleName) -> [DesktopAction] {
    let actions = all(in: bytes, locale: locale)
    guard let browser = Browser.started(by: entry), let exec = entry.exec,
      !actions.contains(where: \.isPrivateWindow)
    else { return actions }
    let option = browser.family == .firefox ? "--private-window" : "--incognito"
    let text = exec.text(inserting: [option], at: MadeEntry.place(ofOptionsIn: exec))
    guard let exec = try? ExecLine(parsing: text) else { return actions }
    return actions + [DesktopAction(id: "new-private-window", name: "New Private Window", exec: exec)]
  }

  fileprivate var isPrivateWindow: Bool {
    ["private", "incognito"].contains { id.lowercased().contains($0) }
  }
}

struct Browser {
  let family: BrowserProfile.Family
  /// The names of the browser's programs, and its name in Flatpak.
  let names: [String]
  /// Where the browser may keep its list of profiles.
  ///
  /// A leading `$` stands for `$XDG_CONFIG_HOME/`; other directories are relative to `$HOME`.
  let directories: [String]

  private static let all = [
    Browser(
      family: .firefox,
      names: ["firefox", "firefox-esr"],
      directories: [".mozilla/firefox", "$mozilla/firefox"]
    ),
    Browser(
      family: .firefox,
      names: ["org.mozilla.firefox"],
      directories: [".mozilla/firefox", "config/mozilla/firefox"].map { ".var/app/org.mozilla.firefox/\($0)" }
    ),
    Browser(family: .firefox, names: ["librewolf"], directories: [".librewolf", "$librewolf/librewolf"]),
    Browser(family: .chromium, names: ["chromium", "chromium-browser"], directories: ["$chromium"]),
    Browser(
      family: .chromium,
      names: ["org.chromium.Chromium"],
      directories: [".var/app/org.chromium.Chromium/config/chromium"]
    ),
    Browser(
      family: .chromium,
      names: ["google-chrome", "google-chrome-stable"],
      directories: ["$google-chrome"]
    ),
    Browser(
      family: .chromium,
      names: ["brave-browser", "brave-browser-stable"],
      directories: ["$BraveSoftware/Brave-Browser"]
    ),
    Browser(
      family: .chromium,
      names: ["microsoft-edge", "microsoft-edge-stable"],
      directories: ["$microsoft-edge"]
    ),
    Browser(family: .chromium, names: ["vivaldi", "vivaldi-stable"], directories: ["$vivaldi"]),
  ]

  /// Looks for the browser's name in the entry's command line and id; nil for an entry that the tool has made.
  static func started(by entry: DesktopEntry) -> Browser? {
    guard let exec = entry.exec, !MadeEntry.isMade(entry.id) else { return nil }
    let words = exec.words + [entry.id.asApplicationID]
    let names = words.compactMap { $0.split(separator: "/").last.map(String.init) }
    return all.first { browser in names.contains(where: browser.names.contains) }
  }

  func profiles(in places: DesktopPlaces) -> [BrowserProfile] {
    var found: [BrowserProfile] = []
    for directory in directories {
      let parent = directory.hasPrefix("$") ? places.userConfiguration : Host.variable("HOME")
      guard let parent else { continue }
      let path = "\(parent)/\(directory.drop { $0 == "$" })"
      let profiles =
        switch family {
        case .firefox: Self.firefoxProfiles(Self.contents("\(path)/profiles.ini"))
        case .chromium: Self.chromiumProfiles(Self.contents("\(path)/Local State"))
        }
      found += profiles.filter { profile in !found.contains { $0.key == profile.key } }
    }
    return found
  }

  private static func contents(_ path: String) -> [UInt8] {
    if case .file(let bytes, _) = FileContents.read(path) { bytes } else { [] }
  }

  /// Groups `[ProfileN]` with `Name` and `Path` in `profiles.ini`.
  static func firefoxProfiles(_ bytes: [UInt8]) -> [BrowserProfile] {
    var profiles: [BrowserProfile] = []
    var group: [Substring: String] = [:]
    func endGroup() {
      if let name = group["Name"], !name.isEmpty {
        profiles.append(BrowserProfile(family: .firefox, name: name, directory: group["Path"] ?? ""))
      }
      group = [:]
    }
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      if line.hasPrefix("[") {
        endGroup()
        group["group"] = String(line)
      } else if let equals = line.firstIndex(of: "="), group["group"]?.hasPrefix("[Profile") == true {
        group[line[..<equals]] = String(line[equals...].dropFirst())
      }
    }
    endGroup()
    return profiles
  }

  /// Each directory is a member of `profile.info_cache` in `Local State`, with the `name` of the profile.
  static func chromiumProfiles(_ bytes: [UInt8]) -> [BrowserProfile] {
    var document = JSONDocument()
    var profiles: [BrowserProfile] = []
    do {
      var state = try ObjectReader(document.parse(bytes.span))
      guard let profile = state.member("profile") else { return [] }
      var reader = try ObjectReader(profile)
      guard let directories = reader.member("info_cache") else { return [] }
      var members = directories.members
      while let member = members.next() {
        guard let directory = member.name.stringValue else { continue }
        var description = try ObjectReader(member.value)
        let name = description.member("name")?.stringValue ?? directory
        profiles.append(BrowserProfile(family: .chromium, name: name, directory: directory))
      }
    } catch {
      return []
    }
    return profiles.sorted { $0.directory < $1.directory }
  }
}
