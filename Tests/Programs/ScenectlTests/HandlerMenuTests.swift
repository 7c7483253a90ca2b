import Foundation
import TestSupport
import Testing

/// `scenectl handler ask`, and the entries that `scenectl handler set` makes.
@Suite(.blocking) struct HandlerMenuTests {
  private let home: HandlerHome

  init() throws { home = try HandlerHome() }

  private func menu(_ line: String) throws -> String {
    try home.directory.writeScript("menu", "tee '\(home.path("shown"))' | \(line)")
    return home.path("menu")
  }

  @Test func answerForAHostIsRemembered() throws {
    try home.install(
      "meet",
      "Implements=org.freedesktop.UriHandler;",
      "[org.freedesktop.UriHandler]",
      "Supports=*.example.org;"
    )
    try home.install("photos", "MimeType=image/png;")
    let run = try home.scenectl("ask", "meet.example.org", "--menu", try menu("grep meet"))
    #expect(run.status == 0)
    #expect(
      run.output == "meet.example.org: opened by meet (not its subdomains, which are '*.meet.example.org')\n"
    )
    #expect(home.text("shown") == "meet (meet)\na (a)\nb (b)\n")
    #expect(
      home.text(".config/intentapps.list").hasSuffix(
        "[org.freedesktop.UriHandler]\nmeet.example.org=meet.desktop\n"
      )
    )
  }

  @Test(arguments: ["false", "true", "echo something else", "echo 'c (c)'", "echo 'a (a)'; exit 1"])
  func nothingIsRememberedWithoutAnAnswer(_ line: String) throws {
    let run = try home.scenectl(
      "ask",
      "meet.example.org",
      "--menu",
      try menu("{ cat >/dev/null; \(line) </dev/null; }")
    )
    #expect(run.status == 1)
    #expect(run.error == "scenectl: No application was chosen.\n")
    #expect(home.text(".config/intentapps.list") == "")
  }

  @Test func menuMayHaveArguments() throws {
    let run = try home.scenectl("ask", "meet.example.org", "--menu", "grep -F (b)")
    #expect(
      run.output == "meet.example.org: opened by b (not its subdomains, which are '*.meet.example.org')\n"
    )
  }

  @Test func menuThatIsMissingIsNamed() throws {
    let run = try home.scenectl("ask", "meet.example.org", "--menu", "/nonexistent/menu")
    #expect(run.status == 1)
    #expect(run.error.hasPrefix("scenectl: The menu '/nonexistent/menu' could not be run: "))
  }

  private static let link = #"https://example.org/<b>&\n'x'"#

  /// Programs of these names print their arguments and choose nothing.
  @Test(arguments: [
    (
      "rofi -dmenu",
      ["-dmenu", "-mesg", #"https://example.org/&lt;b&gt;&amp;\n'x'"#]
    ),
    ("zenity --list", ["--list", "--text", #"https://example.org/&lt;b&gt;&amp;\\n'x'"#]),
    ("wofi --dmenu", ["--dmenu", "--prompt", #"https://example.org/<b>&\n'x': "#]),
    ("bemenu", ["--prompt", #"https://example.org/<b>&\n'x': "#]),
    ("dmenu -p mine", ["-p", "mine"]), ("zenity --text=mine", ["--text=mine"]), ("other", []),
  ])
  func menuShowsTheLink(_ command: String, _ arguments: [String]) throws {
    let name = command.prefix { $0 != " " }
    try home.directory.writeScript(String(name), #"printf '%s\n' "$@" >"$0.arguments"; exit 1"#)
    let run = try home.scenectl("ask", Self.link, "--menu", "\(home.path(""))\(command)")
    #expect(run.status == 1)
    #expect(home.text("\(name).arguments").split(separator: "\n").map(String.init) == arguments)
  }

  @Test func longLinkIsShortInAPromptAndInvisibleCharactersAreSpelledOut() throws {
    try home.directory.writeScript("dmenu", #"printf '%s\n' "$@" >"$0.arguments"; exit 1"#)
    let link = "https://example.org/\u{202E}/" + String(repeating: "x", count: 300)
    #expect(try home.scenectl("ask", link, "--menu", home.path("dmenu")).status == 1)
    #expect(home.text("dmenu.arguments") == "-p\nhttps://example.org/\\u{202e}/xxxxxxxxxx…: \n")
  }

  @Test(arguments: [["ask", "meet.example.org"], ["set", "meet.example.org", "--ask"]])
  func supportedMenusAreNamedIfThereIsNone(_ arguments: [String]) throws {
    let run = try home.scenectl(arguments, environment: ["PATH": home.path("bin")])
    #expect(run.status == 1)
    #expect(
      run.error == """
        scenectl: No menu program is installed. Install scened-desktop, or 'fuzzel', 'wofi', 'bemenu', 'rofi', 'dmenu' \
        or 'zenity', or name another one with --menu.

        """
    )
    #expect(home.madeEntries == [])
  }

  private static let service = "share/dbus-1/services/io.scened.Desktop.service"

  @Test func windowCanBeSetToAskWithoutAMenu() throws {
    try home.write(Self.service, "[D-BUS Service]\nName=io.scened.Desktop\nExec=/bin/false\n")
    let run = try home.scenectl(["set", "https", "--ask"], environment: ["PATH": home.path("bin")])
    #expect(run.output == "https: you are asked for each link\n")
    #expect(home.madeEntries == ["scened-ask.desktop"])
  }

  /// The bus starts a program that ends at once.
  @Test(arguments: [
    ([:], "there is no display"),
    (["DISPLAY": ":1", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"], "Failed to connect to bus: "),
    (["WAYLAND_DISPLAY": "w"], "Call failed: Process io.scened.Desktop exited with status 1"),
  ])
  func menuAsksIfTheWindowDoesNot(_ display: [String: String], _ reason: String) throws {
    let bus = try MessageBus(services: ["io.scened.Desktop": "/bin/false"])
    try home.write(Self.service, "[D-BUS Service]\nName=io.scened.Desktop\nExec=/bin/false\n")
    let busctl = try TestEnvironment.run("get-command", ["busctl", "systemd"])
    try home.makeDirectory("bin")
    try home.link("bin/busctl", to: busctl)
    try home.directory.writeScript("bin/dmenu", "/usr/bin/tee '\(home.path("shown"))' >/dev/null; exit 1")
    let environment = ["DISPLAY": "", "WAYLAND_DISPLAY": "", "PATH": home.path("bin")]
      .merging(bus.environment) { $1 }.merging(display) { $1 }
    for words in [["handler", "ask"], ["open", "--ask"]] {
      let run = try Router.scenectl(
        words + [Self.link],
        environment: home.environment.merging(environment) { $1 }
      )
      #expect(run.status == 1)
      let lines = run.error.split(separator: "\n")
      #expect(
        lines.first?.hasPrefix("scenectl: The window of scened-desktop does not ask: \(reason)") == true
      )
      #expect(lines.first?.hasSuffix(". A menu asks instead.") == true)
      #expect(lines.dropFirst() == ["scenectl: No application was chosen."])
      #expect(home.text("shown").hasPrefix("a (a)\nb (b)\n"))
    }
  }

  @Test func nothingIsSaidOfAWindowThatIsNotInstalled() throws {
    let bus = try MessageBus()
    try home.makeDirectory("bin")
    try home.directory.writeScript("bin/dmenu", "/usr/bin/tail -n 2 | /usr/bin/head -n 1")
    let environment = ["DISPLAY": ":1", "PATH": "\(home.path("bin")):/usr/bin:/bin"]
      .merging(bus.environment) { $1 }
    let run = try home.scenectl(["ask", Self.link], environment: environment)
    #expect(run.error.hasPrefix("scenectl: \(Self.link.prefix(20))"), "Only the missing router is reported.")
  }

  @Test func entryThatAsksIsThereAsLongAsSomethingIsAsked() throws {
    let run = try home.scenectl("set", "https", "a.example.org", "--ask", "--menu", "rofi -dmenu")
    #expect(
      run.lines == [
        "https: you are asked for each link",
        "a.example.org: you are asked for each link (not its subdomains, which are '*.a.example.org')",
      ]
    )
    #expect(home.madeEntries == ["scened-ask.desktop"])
    #expect(
      home.text(".local/share/applications/scened-ask.desktop").contains(
        "\nExec=\(SpawnedProgram.buildDirectory)/scenectl handler ask --offer --menu \"rofi -dmenu\" %u\n"
      )
    )
    #expect(try home.scenectl("unset", "https").status == 0)
    #expect(home.madeEntries == ["scened-ask.desktop"])
    // Without arguments, `unset` undoes all choices that need scened.
    #expect(
      try home.scenectl("unset").output
        == "a.example.org: opened like other web links, by a, the first of 2 that open it\n"
    )
    #expect(home.madeEntries == [])
    #expect(home.files == [])
  }
}

// MARK: - Profiles

extension HandlerMenuTests {
  /// Each pair is the name of a browser profile, and the quoted arguments for it in the `Exec` line of its entry.
  private static let names = [
    ("Work", "-P Work"), ("My \"best\" profile", #"-P "My \\"best\\" profile""#), ("a;b", #"-P "a;b""#),
    ("100% $HOME `id` \\n", #"-P "100%% \\$HOME \\`id\\` \\\\n""#), ("-P", "-P -P"), ("Ärger", "-P Ärger"),
    (" x", #"-P " x""#),
  ]

  private func installBrowsers() throws {
    try home.install("firefox-esr", exec: "/opt/firefox/firefox-esr %u", "Icon=firefox")
    try home.install("chromium", exec: "/usr/bin/env A=b chromium %U")
    try home.install(
      "org.mozilla.firefox",
      exec: "/usr/bin/flatpak run --command=firefox --file-forwarding org.mozilla.firefox @@u %u @@"
    )
    let profiles = Self.names.enumerated().map { "[Profile\($0)]\nName=\($1.0)\nIsRelative=1\nPath=p\($0)\n" }
    try home.write(
      ".mozilla/firefox/profiles.ini",
      "[Install1]\nDefault=p0\n\n" + profiles.joined(separator: "\n")
    )
    try home.write(".config/mozilla/firefox/profiles.ini", "[Profile0]\nName=Second\nPath=q\n")
    try home.write(
      ".config/chromium/Local State",
      """
      {"profile": {"info_cache": {"Default": {"name": "Person 1"}, "Profile 2": {"name": "Work; \\"B\\"", "x": 1},
      "Profile 3": {"name": "Person 1"}}}, "os": [1.5]}
      """
    )
    try home.write(".var/app/org.mozilla.firefox/.mozilla/firefox/profiles.ini", "[Profile0]\nName=Boxed\n")
  }

  @Test func profilesOfBrowsersAreListed() throws {
    try installBrowsers()
    let rows = try home.scenectl("profiles", "--json").objects()
    #expect(
      rows.map { $0["application"] } == Array(repeating: "chromium", count: 3)
        + Array(repeating: "firefox-esr", count: Self.names.count + 1) + ["org.mozilla.firefox"]
    )
    #expect(rows.prefix(3).map { $0["profile"] } == ["Person 1", "Work; \"B\"", "Person 1"])
    #expect(rows.prefix(3).map { $0["directory"] } == ["Default", "Profile 2", "Profile 3"])
    #expect(rows.dropFirst(3).map { $0["profile"] } == Self.names.map(\.0) + ["Second", "Boxed"])
    #expect(try home.scenectl("profiles", "a").output == "No installed browser has a profile.\n")
  }

  @Test(arguments: names) func profileOfFirefoxGetsAnEntry(_ name: String, _ argument: String) throws {
    try installBrowsers()
    let run = try home.scenectl("set", "forge.example.org", "https", "firefox-esr", "--profile=\(name)")
    #expect(run.status == 0)
    #expect(
      run.lines.first
        == "forge.example.org: opened by firefox-esr (\(name)) (not its subdomains, which are '*.forge.example.org')"
    )
    let entry = try #require(home.madeEntries.first)
    #expect(
      home.text(".local/share/applications/\(entry)").split(separator: "\n").dropFirst(4) == [
        "Exec=/opt/firefox/firefox-esr \(argument) %u", "Icon=firefox", "NoDisplay=true",
        "StartupNotify=true",
      ]
    )
    let validate = try TestEnvironment.run("get-command", ["desktop-file-validate", "desktop-file-utils"])
    #expect(try home.output(of: validate, home.path(".local/share/applications/\(entry)")) == "")
    #expect(home.text(".config/intentapps.list").hasSuffix("\nforge.example.org=\(entry)\n"))
    #expect(try home.scenectl("list", "https").output.contains("firefox-esr (\(name))"))
    let listed = try home.scenectl("list", "https", "--json").objects()[0]
    #expect(listed["application"] == "firefox-esr" && listed["profile"] == name)
    #expect(try home.scenectl("unset", "https").status == 0)
    #expect(home.madeEntries == [entry])
    #expect(try home.scenectl("unset", "forge.example.org").status == 0)
    #expect(home.madeEntries == [])
  }

  @Test(arguments: [
    (
      "chromium", "Work; \"B\"", "Work_3B_20_22B_22",
      #"/usr/bin/env A=b chromium "--profile-directory=Profile 2" %U"#
    ),
    ("chromium", "Default", "Default", "/usr/bin/env A=b chromium --profile-directory=Default %U"),
    (
      "org.mozilla.firefox", "Boxed", "Boxed",
      "/usr/bin/flatpak run --command=firefox --file-forwarding org.mozilla.firefox -P Boxed @@u %u @@"
    ),
  ])
  func optionStandsWhereTheBrowserReadsIt(
    _ browser: String,
    _ profile: String,
    _ spelled: String,
    _ exec: String
  ) throws {
    try installBrowsers()
    #expect(try home.scenectl("set", "a.example.org", browser, "--profile", profile).status == 0)
    let entry = try #require(home.madeEntries.first)
    // The browser extension knows only the name of its profile, and makes the id of the entry from this name.
    #expect(entry == "scened-profile-\(browser)-\(spelled).desktop")
    #expect(home.text(".local/share/applications/\(entry)").contains("\nExec=\(exec)\n"))
  }

  @Test(arguments: [
    (["firefox-esr", "--profile", "Wrok"], "'firefox-esr' has no profile 'Wrok'; it has 'Work', "),
    (
      ["chromium", "--profile", "Person 1"],
      "Several profiles have the name 'Person 1'; name the directory 'Default' or 'Profile 3'."
    ),
    (["a", "--profile", "Work"], "The profiles of 'a' are not known: it is neither Firefox nor Chromium."),
    (["--profile", "Work"], "--profile needs the browser as the last word."),
  ])
  func profileThatIsNotThereIsNotChosen(_ words: [String], _ sentence: String) throws {
    try installBrowsers()
    let run = try home.scenectl(["set", "https"] + words)
    #expect(run.status == 1)
    #expect(run.error.hasPrefix("scenectl: \(sentence)"), "\(run.error)")
    #expect(home.text(".config/mimeapps.list") == "")
    #expect(home.madeEntries == [])
  }
}
