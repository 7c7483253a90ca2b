import Foundation
import TestSupport

/// Debian's browsers that have an adapter.
enum BrowserKind: String, CaseIterable, Sendable {
  case chromium, firefox

  /// The application id of a profile without a name: the id of the browser's own desktop entry.
  var application: String { self == .chromium ? "chromium" : "firefox-esr" }

  /// The suffix of the titles of the browser's windows.
  var titleEnd: String { self == .chromium ? " - Chromium" : " — Mozilla Firefox" }
}

/// One scene, as `scenectl scenes --json` lists it.
struct BrowserScene: Decodable, Hashable {
  struct Registration: Decodable, Hashable {
    let showing: [String]?
    let allowing: [String]
  }

  struct Context: Decodable, Hashable {
    let applicationId: String
    let declarationId: String?
    let title: String?
    let registrations: [Registration]
  }

  struct Runtime: Decodable, Hashable {
    let sceneId: String
    let activeUSec: Int?
  }

  let context: Context
  let runtime: Runtime

  var showing: Set<String> { Set(context.registrations.flatMap { $0.showing ?? [] }) }
}

/// A browser with the adapter, on the X server of a session.
///
/// The test acts as the user of the browser. The browser ends with this object.
final class BrowserUnderTest {
  let kind: BrowserKind
  private let session: DesktopSession
  private let proxy: String
  private var program: SpawnedProgram?

  /// The directory of Firefox's profile, or of all profiles of Chromium.
  private let profile: String

  /// The directory of the extension.
  private let `extension`: String

  /// Makes the browser's profile, with the extension and the manifest of its host.
  ///
  /// - Parameters:
  ///   - kind: The browser.
  ///   - session: The session in whose home the profile is.
  ///   - proxy: The port of the server that stands for all sites.
  ///   - name: The name of the directory of Firefox's profile.
  ///   - host: The program that the browser starts as the host; nil for the adapter's own host.
  ///   - extension: The directory of a changed extension; nil for the adapter's own extension.
  /// - Throws: An error if a file cannot be written.
  init(
    _ kind: BrowserKind,
    in session: DesktopSession,
    proxy: String,
    profile name: String = "profile",
    host: String? = nil,
    extension: String? = nil
  ) throws {
    (self.kind, self.session, self.proxy) = (kind, session, proxy)
    self.extension = `extension` ?? Self.ownExtension
    profile = session.path(kind == .chromium ? ".config/chromium" : name)
    let manifest = try String(contentsOfFile: "\(Self.adapter)/\(kind.rawValue).json", encoding: .utf8)
    let hosts =
      kind == .chromium ? ".config/chromium/NativeMessagingHosts" : ".mozilla/native-messaging-hosts"
    try session.write(
      "\(hosts)/io.scened.browser.json",
      manifest.replacing("/usr/lib/scened/scened-browser-host", with: host ?? Self.host)
    )
    if kind == .chromium { return }
    // Firefox installs the extension from the directory whose path this file contains.
    try session.write("\(name)/extensions/windows@scened.io", "\(self.extension)/")
    let preferences = [
      // Marionette's recommended preferences would keep Firefox from loading extensions of the system.
      "remote.prefs.recommended": "false", "marionette.port": "0",
      "xpinstall.signatures.required": "false", "extensions.autoDisableScopes": "0",
      "network.proxy.type": "1", "network.proxy.http": "'127.0.0.1'", "network.proxy.http_port": proxy,
      "network.proxy.ssl": "'127.0.0.1'", "network.proxy.ssl_port": proxy,
      "dom.security.https_first": "false", "network.proxy.allow_hijacking_localhost": "true",
      // Firefox restores its windows when it starts.
      "browser.startup.page": "3", "browser.sessionstore.interval": "500",
      "browser.shell.checkDefaultBrowser": "false", "browser.aboutwelcome.enabled": "false",
      "datareporting.policy.dataSubmissionEnabled": "false", "termsofuse.bypassNotification": "true",
      "app.normandy.enabled": "false", "browser.tabs.warnOnClose": "false",
      "dom.disable_open_during_load": "false",
      // Pages may change their address as often as they like.
      "dom.navigation.navigationRateLimit.count": "0",
    ]
    let lines = preferences.sorted { $0.key < $1.key }.map { "user_pref('\($0)', \($1));\n" }
    try session.write("\(name)/user.js", lines.joined())
  }

  private static let adapter = PackageDirectory.appending("Sources/Adapters/browser")

  /// The adapter's own extension.
  static let ownExtension = "\(adapter)/extension"

  /// The adapter's own host.
  static let host = "\(adapter)/scened-browser-host"

  /// The command line that starts the browser, or opens links in the running browser.
  var command: [String] {
    switch kind {
    case .chromium:
      // Chromium runs as root only without its sandbox.
      [
        "/usr/bin/chromium", "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage",
        "--password-store=basic", "--disable-background-networking", "--disable-features=HttpsUpgrades",
        "--disable-popup-blocking", "--disable-ipc-flooding-protection", "--user-data-dir=\(profile)",
        "--load-extension=\(`extension`)", "--remote-debugging-port=0",
        "--proxy-server=127.0.0.1:\(proxy)",
      ]
    case .firefox:
      ["/usr/bin/firefox-esr", "--profile", profile, "--marionette", "--remote-allow-system-access"]
    }
  }

  /// Starts the browser with the given pages; without pages, the browser restores its last session.
  func start(_ pages: String...) throws {
    let restore = kind == .chromium && pages.isEmpty ? ["--restore-last-session"] : []
    program = try SpawnedProgram(
      "/usr/bin/unshare",
      ["--pid", "--fork", "--kill-child", "--mount-proc"] + command + restore + pages,
      environment: session.environment
    )
  }

  /// Ends the browser in an orderly way.
  func quit() throws {
    try drive("quit")
    try program?.waitForEnd()
    for file in ["DevToolsActivePort", "MarionetteActivePort"] {
      try? FileManager.default.removeItem(atPath: "\(profile)/\(file)")
    }
  }

  func openPrivateWindow(_ page: String) throws {
    guard kind == .chromium else {
      try drive("private", page)
      return
    }
    // The browser's command opens the window, because the debugging protocol cannot open a real private window.
    try session.run(command + ["--incognito", page])
  }

  /// Waits until the title of the window with the focus begins with a text, such as a page's address.
  func waitForFocus(_ title: String, by deadline: Deadline = Deadline()) throws {
    try deadline.wait("'\(title)' does not have the focus, but \(session.focusedWindow ?? "no window")") {
      try session.focusedWindow?.hasPrefix(title) == true
    }
  }

  /// Whether `scenectl check` finds that this browser has no adapter.
  func isFoundWithoutAdapter() throws -> Bool {
    // The pattern matches the process of the browser, but not `unshare`, which started the browser.
    let process = try session.run("pgrep", "--oldest", "--full", "^[^ ]*/\(kind.application) .*\(profile)")
    let place = "process \(process.trimmingCharacters(in: .newlines)) "
    let found = try SpawnedProgram.run(session.scenectl, ["check"], environment: session.environment)
    return found.output.split(separator: "\n").contains {
      $0.hasPrefix(place) && $0.contains("without its adapter")
    }
  }

  /// Runs a command of `browser.py`.
  @discardableResult
  func drive(_ command: String, _ arguments: String...) throws -> String {
    let script = PackageDirectory.appending("Tests/EndToEnd/DesktopTests/Python/browser.py")
    let output = try session.run(
      ["timeout", "120", "/usr/bin/python3", script, kind.rawValue, profile, command] + arguments
    )
    return output.trimmingCharacters(in: .newlines)
  }
}

extension DesktopSession {
  func scenes(of application: String) throws -> [BrowserScene] {
    try run(scenectl, "scenes", "--json").split(separator: "\n").map {
      try JSONDecoder().decode(BrowserScene.self, from: Data($0.utf8))
    }.filter { $0.context.applicationId == application }
  }

  /// Waits until the scenes of an application show exactly these pages, a set for each scene.
  @discardableResult
  func waitForScenes(
    of application: String,
    showing pages: [Set<String>],
    by deadline: Deadline = Deadline()
  ) throws -> [BrowserScene] {
    var scenes: [BrowserScene] = []
    try deadline.wait("The scenes show \(scenes.map(\.showing)), not \(pages). \(run(scenectl, "history"))") {
      scenes = try self.scenes(of: application)
      return Set(scenes.map(\.showing)) == Set(pages) && scenes.count == pages.count
    }
    return scenes
  }

  /// Waits until the scene that shows a page is the one in which the user works.
  func waitForActiveScene(
    of application: String,
    showing page: String,
    by deadline: Deadline = Deadline()
  ) throws {
    var active: BrowserScene?
    try deadline.wait(
      "The user works in \(active?.showing ?? []), not in \(page). '\(focusedWindow ?? "")' has the focus."
    ) {
      active = try scenes(of: application).filter { $0.runtime.activeUSec != nil }.max {
        ($0.runtime.activeUSec ?? 0) < ($1.runtime.activeUSec ?? 0)
      }
      return active?.showing.contains(page) == true
    }
  }

  /// The number of events that the router has in its history.
  func events() throws -> Int {
    try run(scenectl, "history", "--json").split(separator: "\n").count
  }

  func killHost(of application: String) throws {
    let kill = """
      for process in $(pgrep --full "adapter --native-messaging --application $0"); do
        if grep --quiet --null-data "^HOME=$HOME$" "/proc/$process/environ"; then kill -KILL "$process"; fi
      done
      """
    try run("sh", "-c", kill, application)
  }
}
