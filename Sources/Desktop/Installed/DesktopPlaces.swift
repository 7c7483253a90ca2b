package import DesktopEntries
import Glibc

/// The directories of files such as desktop entries and `mimeapps.list`, the most important directory first.
///
/// Source: XDG Base Directory Specification 0.8. An empty variable counts as absent. A path that is not absolute is
/// ignored.
package struct DesktopPlaces: Hashable, Sendable {
  /// Directories of lists such as `mimeapps.list`: `$XDG_CONFIG_HOME`, then `$XDG_CONFIG_DIRS`.
  package var configuration: [String]
  /// The directory of the user's own lists such as `mimeapps.list`; nil if no variable gives this directory.
  ///
  /// This directory is the first of ``configuration``.
  package var userConfiguration: String?
  /// The directory of the router's stored state: `scened` in `$XDG_STATE_HOME`; nil if no variable gives this
  /// directory.
  package var state: String?
  /// Directories of entries that concern only the router.
  ///
  /// These directories come before all other directories of entries.
  package var own: [String]
  /// Directories of desktop entries and of lists such as `mimeapps.list`.
  ///
  /// They are the directories `applications` in `$XDG_DATA_HOME`, then in `$XDG_DATA_DIRS`.
  package var applications: [String]
  /// The directory of the user's own entries, the first of ``applications``; nil if no variable gives this
  /// directory.
  package var userApplications: String?
  /// Directories of the shared MIME database: `mime` in `$XDG_DATA_HOME`, then in `$XDG_DATA_DIRS`.
  package var mime: [String]
  /// Directories of the service files of the session bus.
  ///
  /// They are the directories `dbus-1/services` in `$XDG_DATA_HOME`, then in `$XDG_DATA_DIRS`.
  package var services: [String]
  /// The names of the desktop, from `$XDG_CURRENT_DESKTOP`.
  package var desktops: [String]
  /// The directories of programs, from `$PATH`.
  package var programs: [String]
  /// The language in which names are read.
  package var locale: LocaleName

  /// The variables that ``init(environment:)`` reads.
  private static let variables = [
    "HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CURRENT_DESKTOP",
    "XDG_STATE_HOME", "PATH", "LC_ALL", "LC_MESSAGES", "LANG",
  ]

  /// The variables that are taken from the user's service manager if the manager has them.
  ///
  /// They are taken from the manager, because this process lacks the values that were set after its start.
  package static let variablesOfManager = [
    "PATH", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "XDG_CURRENT_DESKTOP", "XDG_DATA_DIRS", "XDG_DATA_HOME",
    "XDG_STATE_HOME",
  ]

  /// The variables of this process that ``init(environment:)`` reads.
  package static var processEnvironment: [String: String] {
    var environment: [String: String] = [:]
    for name in variables {
      if let value = unsafe getenv(name) { environment[name] = unsafe String(cString: value) }
    }
    return environment
  }

  /// Reads an environment, in which values of the user's manager replace some of this process's values.
  ///
  /// `manager` returns the manager's value of a variable; nil if the manager has no value.
  package init(environment: [String: String], manager: (String) -> String?) {
    var environment = environment
    for name in Self.variablesOfManager { environment[name] = manager(name) ?? environment[name] }
    self.init(environment: environment)
  }

  /// Reads an environment.
  package init(environment: [String: String]) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    func home(_ name: String, _ standard: String) -> [String] {
      let path = value(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
      return Self.paths([path ?? value("HOME").map { $0 + standard } ?? ""])
    }
    func list(_ name: String, _ standard: String) -> [String] {
      Self.paths((value(name) ?? standard).split(separator: ":").map(String.init))
    }
    let configurationHome = home("XDG_CONFIG_HOME", "/.config")
    userConfiguration = configurationHome.first
    state = home("XDG_STATE_HOME", "/.local/state").first.map { $0 + "/scened" }
    configuration = Self.paths(configurationHome + list("XDG_CONFIG_DIRS", "/etc/xdg"))
    own = configurationHome.map { $0 + "/scened" } + ["/etc/scened", "/usr/share/scened"]
    let dataHome = home("XDG_DATA_HOME", "/.local/share")
    userApplications = dataHome.first.map { $0 + "/applications" }
    let data = dataHome + list("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
    applications = Self.paths(data).map { $0 + "/applications" }
    mime = Self.paths(data).map { $0 + "/mime" }
    services = Self.paths(data).map { $0 + "/dbus-1/services" }
    // The name of a desktop becomes a part of file names, so it must not lead to another directory.
    desktops = (value("XDG_CURRENT_DESKTOP") ?? "").split(separator: ":").map(String.init)
      .filter { !$0.contains("/") }
    programs = list("PATH", "/usr/local/bin:/usr/bin:/bin")
    locale = LocaleName(value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG") ?? "")
  }

  /// Returns the absolute paths among `paths`, each once, without slashes at their ends.
  private static func paths(_ paths: [String]) -> [String] {
    var found: [String] = []
    for path in paths where path.hasPrefix("/") {
      var path = path
      while path.hasSuffix("/") { path.removeLast() }
      if !found.contains(path) { found.append(path) }
    }
    return found
  }

  /// The path of the list of default applications that the router has replaced; nil if ``state`` is nil.
  ///
  /// The list has the format of `mimeapps.list`.
  package var replacedDefaults: String? { state.map { "\($0)/\(Self.replacedDefaultsName)" } }

  static let replacedDefaultsName = "replaced-defaults.list"

  /// The path of the file with the user's choices for senders; nil if no variable gives this path.
  package var senderChoices: String? { userConfiguration.map { $0 + "/scened/choices" } }

  /// Returns the possible file names of a list, such as `gnome-mimeapps.list` and `mimeapps.list`.
  ///
  /// The desktop-specific names come first.
  package func names(ofLists name: String) -> [(name: String, isDesktopSpecific: Bool)] {
    desktops.map { ("\($0.lowercased())-\(name)", true) } + [(name, false)]
  }
}
