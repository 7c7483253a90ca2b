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
