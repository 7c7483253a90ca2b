import Foundation
import RouterInterface
import TestSupport
import Testing
import Varlink

/// Files that change while the daemon runs.
@Suite(.blocking) struct DesktopWatchTests {
  private let desktop: DesktopDaemon

  init() throws { desktop = try DesktopDaemon() }

  private static let entry = """
    [Desktop Entry]
    Type=Application
    Name=App
    Exec=app %u
    MimeType=x-scheme-handler/x;

    """

  private let applications = "home/.local/share/applications"

  /// Files are created in existing directories and in missing directories.
  @Test(arguments: [
    "home/.local/share/applications/a.desktop", "home/.local/share/applications/sub/a.desktop",
    "home/.config/scened/a.desktop", "share/applications/a.desktop", "share/applications/sub/sub/a.desktop",
  ])
  func entryTakesEffectChangesAndIsRemoved(_ name: String) throws {
    try desktop.start()
    let id =
      name.contains("sub/sub") ? "sub-sub-a" : name.contains("sub/") ? "sub-a" : "a"
    for _ in 0..<2 {
      try desktop.write(name, Self.entry)
      try desktop.wait(for: id, toGet: "x:1")
      try desktop.write(name, Self.entry.replacing("/x;", with: "/y;"))
      try desktop.wait(for: id, toGet: "y:1")
      #expect(try desktop.explain("x:1").target == .nothing)
      try desktop.remove(name)
      try desktop.wait(for: nil, toGet: "y:1")
    }
  }

  @Test func directoryThatDisappearsTakesItsEntriesAndBringsThemBack() throws {
    try desktop.write("\(applications)/sub/a.desktop", Self.entry)
    try desktop.start()
    for (directory, other) in [(".local/share/applications/sub", "sub"), (".local", "local")] {
      try desktop.move("home/\(directory)", to: "home/\(other)")
      try desktop.wait(for: nil, toGet: "x:1")
      try desktop.move("home/\(other)", to: "home/\(directory)")
      try desktop.wait(for: "sub-a", toGet: "x:1")
    }
    // The files in the directory that was moved back are still watched.
    try desktop.write("\(applications)/sub/a.desktop", Self.entry.replacing("/x;", with: "/y;"))
    try desktop.wait(for: "sub-a", toGet: "y:1")
  }

  @Test(arguments: ["home/.config/mimeapps.list", "share/applications/mimeapps.list"])
  func listTakesEffect(_ list: String) throws {
    for name in ["a", "b"] { try desktop.install(name, "MimeType=x-scheme-handler/x;") }
    try desktop.start()
    #expect(try desktop.explain("x:1").applicationID == "a")
    try desktop.write(list, "[Default Applications]\nx-scheme-handler/x=b.desktop\n")
    try desktop.wait(for: "b", toGet: "x:1")
    try desktop.remove(list)
    try desktop.wait(for: "a", toGet: "x:1")
  }

  /// Each argument has symbolic links, each with its target, and the file to which the list leads.
  ///
  /// At first, the file is missing.
  @Test(arguments: [
    ([("home/.config/mimeapps.list", "../../dot/list")], "dot/list"),
    ([("home/.config/mimeapps.list", "next"), ("home/.config/next", "../../dot/sub/list")], "dot/sub/list"),
    ([("home/.config", "../dot/config")], "dot/config/mimeapps.list"),
    ([("dot", "real"), ("home/.config", "../dot/config")], "real/config/mimeapps.list"),
    ([("share/applications/mimeapps.list", "../../dot/list")], "dot/list"),
    ([("home/.local/share/applications/mimeapps.list", "/proc/self/cwd/nowhere/../list")], nil),
  ])
  func listBehindLinksTakesEffect(_ links: [(String, String)], _ file: String?) throws {
    for name in ["a", "b"] { try desktop.install(name, "MimeType=x-scheme-handler/x;") }
    for (link, target) in links { try desktop.link(link, to: target) }
    try desktop.start()
    #expect(try desktop.explain("x:1").applicationID == "a")
    guard let file else { return }
    let list = "[Default Applications]\nx-scheme-handler/x=b.desktop\n"
    try desktop.write(file, list)
    try desktop.wait(for: "b", toGet: "x:1")
    try desktop.write(file, "")
    try desktop.wait(for: "a", toGet: "x:1")
    // A directory above the file is replaced.
    let top = String(file.prefix { $0 != "/" })
    try desktop.write(file, list)
    try desktop.wait(for: "b", toGet: "x:1")
    try desktop.move(top, to: "elsewhere")
    try desktop.wait(for: "a", toGet: "x:1")
    try desktop.move("elsewhere", to: top)
    try desktop.wait(for: "b", toGet: "x:1")
  }

  @Test func entryBehindLinksTakesEffect() throws {
    try desktop.write("opt/v1/a.desktop", Self.entry)
    try desktop.write("opt/v2/a.desktop", Self.entry.replacing("/x;", with: "/y;"))
    try desktop.link("opt/current", to: "v1")
    try desktop.link("\(applications)/a.desktop", to: "\(desktop.path("opt"))/current/a.desktop")
    try desktop.start()
    #expect(try desktop.explain("x:1").applicationID == "a")
    // An upgrade changes a link in the middle.
    try desktop.remove("opt/current")
    try desktop.link("opt/current", to: "v2")
    try desktop.wait(for: "a", toGet: "y:1")
    try desktop.write("opt/v2/a.desktop", Self.entry.replacing("/x;", with: "/z;"))
    try desktop.wait(for: "a", toGet: "z:1")
    try desktop.move("opt", to: "gone")
    try desktop.wait(for: nil, toGet: "z:1")
    try desktop.move("gone", to: "opt")
    try desktop.wait(for: "a", toGet: "z:1")
  }

  @Test func databaseAndChoicesBehindLinksTakeEffect() throws {
    for name in ["a", "b"] { try desktop.install(name, "MimeType=text/x-song;") }
    try desktop.link("home/.local/share/mime/globs2", to: "../../../../dot/globs2")
    try desktop.link("home/.config/intentapps.list", to: "../../dot/hosts")
    try desktop.install("web", "MimeType=x-scheme-handler/https;")
    try desktop.start()
    try desktop.write("dot/globs2", "50:text/x-song:*.song\n")
    try desktop.wait(for: "a", toGet: "file:///a.song")
    try desktop.write("dot/hosts", "[org.freedesktop.UriHandler]\nmeet.example.org=b.desktop\n")
    try desktop.wait(for: "b", toGet: "https://meet.example.org/")
  }

  @Test func linksThatLeadNowhereDisturbNoOther() throws {
    try desktop.link("\(applications)/a.desktop", to: "b.desktop")
    try desktop.link("\(applications)/b.desktop", to: "a.desktop")
    try desktop.link("\(applications)/circle", to: "../applications")
    try desktop.link("home/.config/mimeapps.list", to: "mimeapps.list")
    try desktop.link("home/.config/intentapps.list", to: "/")
    for number in 0...50 {
      try desktop.link("\(applications)/\(number).desktop", to: "\(number + 1).desktop")
    }
    try desktop.start()
    try desktop.write("\(applications)/own.desktop", Self.entry)
    try desktop.wait(for: "own", toGet: "x:1")
    try desktop.write("\(applications)/own.desktop", Self.entry.replacing("/x;", with: "/y;"))
    try desktop.wait(for: "own", toGet: "y:1")
  }

  @Test(arguments: ["intentapps.list", "intentapp.list"])
  func chosenApplicationOfAHostTakesEffect(_ list: String) throws {
    for name in ["a", "b"] { try desktop.install(name, "MimeType=x-scheme-handler/https;") }
    try desktop.start()
    try desktop.write(
      "home/.config/\(list)",
      "[org.freedesktop.UriHandler]\nmeet.example.org=b.desktop\n"
    )
    try desktop.wait(for: "b", toGet: "https://meet.example.org/")
    #expect(try desktop.explain("https://example.org/").applicationID == "a")
  }

  @Test func databaseOfTypesTakesEffect() throws {
    try desktop.install("a", "MimeType=text/x-song;")
    try desktop.start()
    #expect(try desktop.explain("file:///a.song").target == .nothing)
    try desktop.write("home/.local/share/mime/globs2", "50:text/x-song:*.song\n")
    try desktop.wait(for: "a", toGet: "file:///a.song")
    try desktop.write("home/.local/share/mime/subclasses", "text/x-hit text/x-song\n")
    try desktop.wait(for: "a", toGet: "file:///b", contentType: "text/x-hit")
    try desktop.write("home/.local/share/mime/aliases", "text/song text/x-song\n")
    try desktop.wait(for: "a", toGet: "file:///b", contentType: "text/song")
  }

  /// The daemon also watches the file in which `scenectl handler` keeps replaced defaults.
  @Test func choicesOfScenectlTakeEffect() throws {
    for name in ["a", "browser", "scened-open"] {
      try desktop.install(name, "MimeType=x-scheme-handler/https;")
    }
    try desktop.write(
      "home/.config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/https=browser.desktop\n"
    )
    try desktop.start()
    func handler(_ arguments: String...) throws {
      let arguments = ["handler"] + arguments
      let (ending, _, error) = try SpawnedProgram.run(
        "scenectl",
        arguments,
        environment: desktop.environment
      )
      try #require(ending == .exit(0), "\(error)")
    }
    try handler("set", "https", "a.desktop")
    try desktop.wait(for: "a", toGet: "https://example.org/")
    try handler("set", "https")
    try desktop.write(
      "home/.config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/https=scened-open.desktop\n"
    )
    #expect(try desktop.reload().problems == [])
    #expect(try desktop.explain("https://example.org/").applicationID == "a")
    // Once the daemon has read this entry, all earlier changes have been read too.
    try desktop.install("marker", "MimeType=x-scheme-handler/m;")
    try desktop.wait(for: "marker", toGet: "m:1")
    try desktop.write(
      "home/.local/state/scened/replaced-defaults.list",
      "[Default Applications]\nx-scheme-handler/https=browser.desktop\n"
    )
    try desktop.wait(for: "browser", toGet: "https://example.org/")
  }

  /// Write permissions decide whether an entry's claims of hosts count.
  @Test(.enabled(if: geteuid() == 0, "needs root"))
  func modeOfAnEntryTakesEffect() throws {
    try desktop.install("browser", "MimeType=x-scheme-handler/https;")
    try desktop.install(
      "meet",
      mode: 0o666,
      "MimeType=x-scheme-handler/https;",
      "Implements=org.freedesktop.UriHandler;",
      "[org.freedesktop.UriHandler]",
      "Supports=meet.example.org;"
    )
    try desktop.start()
    #expect(try desktop.explain("https://meet.example.org/").applicationID == "browser")
    #expect(chmod(desktop.path("\(applications)/meet.desktop"), 0o644) == 0)
    try desktop.wait(for: "meet", toGet: "https://meet.example.org/")
  }

  @Test func entryThatChangesAllTheTimeDelaysNoOther() throws {
    try desktop.write("\(applications)/busy.desktop", Self.entry)
    try desktop.start()
    let script = #"while :; do echo >>"$0"; sleep 0.01; done"#
    let writer = try SpawnedProgram("/bin/sh", ["-c", script, desktop.path("\(applications)/busy.desktop")])
    try desktop.write("\(applications)/a.desktop", Self.entry.replacing("/x;", with: "/y;"))
    try desktop.wait(for: "a", toGet: "y:1")
    withExtendedLifetime(writer) {}
  }

  /// The daemon runs in its own user namespace, in which the test can lower the limit of watches.
  @Test(.enabled(if: DesktopWatchTests.hasNamespaces, "needs user namespaces"))
  func whatCannotBeWatchedIsReportedAndLeftToReloads() throws {
    try desktop.start(under: [
      "/usr/bin/unshare", "--user", "--map-root-user", "/bin/sh", "-c",
      #"echo 2 >/proc/sys/user/max_inotify_watches; exec "$0" "$@""#,
    ])
    let program = try #require(desktop.program)
    try program.errorLine(
      containing: "are not watched; changes there need a reload: No space left on device."
    )
    try desktop.write("\(applications)/a.desktop", Self.entry)
    #expect(try desktop.reload().loaded == 1)
    #expect(try desktop.explain("x:1").applicationID == "a")
    #expect(program.errorText.components(separatedBy: "not watched").count == 2)
  }

  private static let hasNamespaces =
    (try? SpawnedProgram.run("/usr/bin/unshare", ["--user", "--map-root-user", "/bin/true"]).ending)
    == .exit(0)
}
