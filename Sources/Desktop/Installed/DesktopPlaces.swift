package import DesktopEntries
import Glibc

/// Source: XDG Base Directory Specification 0.8; the most important directory comes first, a relative path is ignored.
package struct DesktopPlaces: Hashable, Sendable {
  /// For lists such as `mimeapps.list`.
  package var configuration: [String]
  /// The first of ``configuration``; nil if no variable gives it.
  package var userConfiguration: String?
  /// For the router's stored state; nil if no variable gives it.
  package var state: String?
  /// For entries that concern only the router; they come before all others.
  package var own: [String]
  /// For desktop entries, and for lists such as `mimeapps.list`.
  package var applications: [String]
  /// The first of ``applications``; nil if no variable gives it.
  package var userApplications: String?
  package var mime: [String]
  package var services: [String]
  package var desktops: [String]
  package var programs: [String]
  package var locale: LocaleName

  private static let variables = [
    "HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CURRENT_DESKTOP",
    "XDG_STATE_HOME", "PATH", "LC_ALL", "LC_MESSAGES", "LANG",
  ]

  /// The user's service manager has values that were set after the start of this process.
  package static let variablesOfManager = [
    "PATH", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "XDG_CURRENT_DESKTOP", "XDG_DATA_DIRS", "XDG_DATA_HOME",
    "XDG_STATE_HOME",
  ]

  package static var processEnvironment: [String: String] {
    var environment: [String: String] = [:]
    for name in variables {
      if let value = unsafe getenv(name) { environment[name] = unsafe String(cString: value) }
    }
    return environment
  }

  package init(environment: [String: String], manager: (String) -> String?) {
    var environment = environment
    for name in Self.variablesOfManager { environment[name] = manager(name) ?? environment[name] }
    self.init(environment: environment)
  }

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

  /// Absolute paths, each once, without slashes at their ends.
  private static func paths(_ paths: [String]) -> [String] {
    var found: [String] = []
    for path in paths where path.hasPrefix("/") {
      var path = path
      while path.hasSuffix("/") { path.removeLast() }
      if !found.contains(path) { found.append(path) }
    }
    return found
  }

  /// The default applications that the router has replaced, in the format of `mimeapps.list`.
  package var replacedDefaults: String? { state.map { "\($0)/\(Self.replacedDefaultsName)" } }

  static let replacedDefaultsName = "replaced-defaults.list"

  package var senderChoices: String? { userConfiguration.map { $0 + "/scened/choices" } }

  /// Desktop-specific names such as `gnome-mimeapps.list` come first.
  package func names(ofLists name: String) -> [(name: String, isDesktopSpecific: Bool)] {
    desktops.map { ("\($0.lowercased())-\(name)", true) } + [(name, false)]
  }
}
