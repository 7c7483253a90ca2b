import Foundation
import TestSupport
import Testing

/// `scenectl handler set`, `unset` and `list`, checked with other programs that read the same files.
@Suite(.blocking) struct HandlerTests {
  private let home: HandlerHome

  init() throws { home = try HandlerHome() }

  /// Returns the default application of a type: first as `gio` reports it, and then as `xdg-mime` reports it.
  private func defaults(for type: String) throws -> [String] {
    let gio = try TestEnvironment.run("get-command", ["gio", "libglib2.0-bin"])
    let query = try TestEnvironment.run("get-command", ["xdg-mime", "xdg-utils"])
    let line = try home.output(of: gio, "mime", type).split(separator: "\n").first ?? ""
    return [
      String(line.split(separator: " ").last ?? ""),
      try home.output(of: query, "query", "default", type).trimmingCharacters(in: .newlines),
    ]
  }

  @Test func scenedBecomesTheDefaultAndGivesBackWhatWas() throws {
    let type = "x-scheme-handler/https"
    try home.write(".config/mimeapps.list", "[Default Applications]\n\(type)=b.desktop;a.desktop;\n")
    let run = try home.scenectl("set", "https")
    #expect(run.status == 0)
    #expect(run.output == "https: opened by scened, and by b what no window wants\n")
    #expect(try defaults(for: type) == ["scened-open.desktop", "scened-open.desktop"])
    #expect(
      home.text(".config/mimeapps.list") == """
        [Default Applications]
        \(type)=scened-open.desktop;b.desktop;a.desktop;

        # Added by scenectl:
        [Added Associations]
        \(type)=scened-open.desktop

        """
    )
    #expect(home.text(HandlerHome.state).hasSuffix("[Default Applications]\n\(type)=b.desktop\n"))
    #expect(
      try home.scenectl("unset", "https").output == "https: opened by b, ~/.config/mimeapps.list:2\n"
    )
    #expect(try defaults(for: type) == ["b.desktop", "b.desktop"])
    #expect(home.text(".config/mimeapps.list") == "[Default Applications]\n\(type)=b.desktop;a.desktop;\n")
    #expect(home.files == [".config/mimeapps.list"])
  }

  @Test func entryOfScenedAloneMakesItNoDefault() throws {
    for name in ["a", "b"] {
      try FileManager.default.removeItem(atPath: home.path(".local/share/applications/\(name).desktop"))
    }
    let update = try TestEnvironment.run("get-command", ["update-desktop-database", "desktop-file-utils"])
    _ = try home.output(of: update, home.path(".local/share/applications"))
    #expect(try defaults(for: "x-scheme-handler/https") == ["“x-scheme-handler/https”", ""])
    let run = try home.scenectl("set", "https")
    #expect(run.status == 0)
    #expect(
      run.error
        == "scenectl: No installed application opens 'https'; only windows that ask for a link get it.\n"
    )
    #expect(try defaults(for: "x-scheme-handler/https") == ["scened-open.desktop", "scened-open.desktop"])
  }

  @Test func defaultThatNoListNamesIsRememberedAndComesBack() throws {
    #expect(try home.scenectl("set", "https", "http").status == 0)
    #expect(
      home.text(HandlerHome.state).hasSuffix(
        "[Default Applications]\nx-scheme-handler/https=a.desktop\nx-scheme-handler/http=a.desktop\n"
      )
    )
    #expect(
      try home.scenectl("unset").lines == [
        "https: opened by a, the first of 2 that open it", "http: opened by a, the first of 2 that open it",
      ]
    )
    #expect(home.files == [])
    #expect(try home.scenectl("unset").output == "")
  }

  @Test func setAgainForgetsNothing() throws {
    let before = "[Default Applications]\nx-scheme-handler/https=b.desktop\n"
    try home.write(".config/mimeapps.list", before)
    for _ in 1...2 { #expect(try home.scenectl("set", "https").status == 0) }
    #expect(try home.scenectl("set", "https", "a.desktop").status == 0)
    #expect(try home.scenectl("set", "https").status == 0)
    #expect(home.text(HandlerHome.state).contains("https=a.desktop;b.desktop\n"))
    #expect(try home.scenectl("unset").output == "https: opened by a, ~/.config/mimeapps.list:2\n")
    #expect(
      try home.scenectl("unset", "https").output == "https: opened by b, ~/.config/mimeapps.list:2\n"
    )
    #expect(home.text(".config/mimeapps.list") == before)
  }

  @Test func laterChoiceStaysWhenScenedIsRemoved() throws {
    #expect(try home.scenectl("set", "https").status == 0)
    #expect(try home.scenectl("set", "https", "b").status == 0)
    #expect(try home.scenectl("unset").output == "https: opened by b, ~/.config/mimeapps.list:5\n")
    #expect(home.text(".config/mimeapps.list").hasSuffix("\nx-scheme-handler/https=b.desktop\n"))
  }

  @Test(arguments: [
    ("HTTPS", "mimeapps.list", "x-scheme-handler/https"),
    ("org.example.app:", "mimeapps.list", "x-scheme-handler/org.example.app"),
    ("image/PNG", "mimeapps.list", "image/png"), ("inode/directory", "mimeapps.list", "inode/directory"),
    ("Meet.example.org", "intentapps.list", "meet.example.org"),
    ("*.example.org", "intentapps.list", "*.example.org"),
    ("forge.example.org/Team", "intentapps.list", "forge.example.org/Team"),
    ("//localhost", "intentapps.list", "localhost"), ("//localhost/x", "intentapps.list", "localhost/x"),
  ])
  func argumentSaysWhatIsChosenFor(_ argument: String, _ file: String, _ key: String) throws {
    #expect(try home.scenectl("set", argument, "b", "--any").status == 0)
    #expect(home.text(".config/\(file)").split(separator: "\n").last == "\(key)=b.desktop")
    let listed = try #require(try home.scenectl("list", "--json").objects().first)
    let shown = try #require(listed["handled"])
    #expect(listed["application"] == "b")
    #expect(listed["path"] == home.path(".config/\(file)"))
    #expect(listed["line"] == "5")
    #expect(try home.scenectl("unset", shown).status == 0)
    #expect(home.files == [])
  }

  @Test(arguments: [
    ("meet.example.org", " (not its subdomains, which are '*.meet.example.org')"),
    ("forge.example.org/team", " (not its subdomains, which are '*.forge.example.org/team')"),
    ("*.example.org", " (not 'example.org' itself)"), ("//localhost", ""), ("10.0.0.1", ""), ("https", ""),
  ])
  func hostsThatAreNotMeantAreNamed(_ argument: String, _ words: String) throws {
    #expect(try home.scenectl("set", argument, "b").output == "\(argument): opened by b\(words)\n")
  }

  /// Each step undoes a choice, and says what opens the links from then on.
  @Test func undoneChoiceSaysWhatIsInForceAgain() throws {
    try home.install(
      "meet",
      "Implements=org.freedesktop.UriHandler;",
      "[org.freedesktop.UriHandler]",
      "Supports=meet.example.org;"
    )
    #expect(try home.scenectl("set", "https", "*.example.org", "meet.example.org", "b").status == 0)
    #expect(try home.scenectl("set", "a.example.net", "a").status == 0)
    let steps = [
      (
        "meet.example.org",
        "opened like *.example.org, by b, ~/.config/intentapps.list:5"
      ),
      ("a.example.net", "opened like other web links, by b, ~/.config/mimeapps.list:5"),
      ("https", "opened by a, the first of 2 that open it"),
      ("*.example.org", "opened like other web links, by a, the first of 2 that open it"),
    ]
    for (name, words) in steps {
      #expect(try home.scenectl("unset", name).output == "\(name): \(words)\n")
    }
    #expect(try home.scenectl("set", "meet.example.org", "b").status == 0)
    #expect(
      try home.scenectl("unset", "meet.example.org").output
        == "meet.example.org: opened by meet, which claims it\n"
    )
  }

  @Test(arguments: [
    "", "a b", "1a", "a/b/c", "image/", "image/*", "a..b", "https://example.org", "ex?.org", "/", "//a:b",
    "//:80",
  ])
  func whatIsNeitherSchemeNorTypeNorHostIsAUsageError(_ argument: String) throws {
    let run = try home.scenectl("set", argument, "b.desktop")
    #expect(run.status == 64)
    let hint =
      argument == "https://example.org" ? " Write 'example.org' for the links of this host and path." : ""
    #expect(run.error.hasPrefix("scenectl: '\(argument)' is not a scheme, MIME type or host.\(hint)\n"))
  }

  @Test(arguments: [
    ("//localhost:3000", "//localhost"), ("localhost:3000", "//localhost"),
    ("e.example:8080/a", "e.example/a"),
    ("http://localhost:3000/a?b", "//localhost/a"),
  ])
  func portIsNoPartOfAHost(_ argument: String, _ host: String) throws {
    let run = try home.scenectl("set", argument, "b.desktop")
    #expect(run.status == 64)
    #expect(
      run.error.contains("A port is not part of a host: write '\(host)' for the links of all its ports."),
      "\(run.error)"
    )
  }

  /// If an argument is wrong or missing, `scenectl handler set` prints an error and stores no choice.
  @Test(arguments: [
    (
      ["https", "firefox"],
      "'firefox' is neither an installed application nor a scheme that one opens. "
        + "Did you mean 'firefox-esr'? With --any it is taken."
    ),
    (
      ["https", "fierfox"],
      "'fierfox' is neither an installed application nor a scheme that one opens. "
        + "Did you mean 'firefox-esr'? With --any it is taken."
    ),
    (
      ["htps"],
      "'htps' is neither an installed application nor a scheme that one opens. Did you mean 'https'? "
        + "With --any it is taken."
    ),
    (["https", "missing.desktop"], "The application 'missing.desktop' is not installed."),
    (
      ["https", "firefox.desktop"],
      "The application 'firefox.desktop' is not installed. Did you mean 'firefox-esr'?"
    ),
    (["https", "viewer"], "'viewer' opens neither links nor files."),
    (
      ["meet.example.org", "org.example.Meet"],
      "Name the installed application that opens 'meet.example.org', last: "
        + "'scenectl handler set meet.example.org org.example.Meet APPLICATION'."
    ),
    (
      ["meet.example.org"],
      "Name the installed application that opens 'meet.example.org', last: "
        + "'scenectl handler set meet.example.org APPLICATION'."
    ),
    (["photos", "photos"], "'photos' is an application and a scheme; write 'photos.desktop' or 'photos:'."),
    (["https", "firefox-esr", "b"], "'firefox-esr' is an application; name only one, as the last word."),
    (["https", "mail.desktop", "b"], "'mail.desktop' is an application; name only one, as the last word."),
    (["https", "gone.desktop", "b"], "'gone.desktop' is an application; name only one, as the last word."),
    (
      ["https", "org.example.Viewer", "b"],
      "'org.example.Viewer' is an application; name only one, as the last word. "
        + "The host of this name is '//org.example.Viewer'."
    ),
    (
      ["https", "b", "--from", "mial"],
      "The application 'mial' is not installed. Did you mean 'mail'? With --any it is taken."
    ),
    (
      ["meet.example.org", "b", "--from", "mail"],
      "--from is for schemes and MIME types: 'meet.example.org' is a host, and its choice counts for all programs."
    ),
    (
      ["https", "--from", "mail"],
      "Name the installed application that opens 'https from mail', last: "
        + "'scenectl handler set https APPLICATION'."
    ),
  ])
  func mistakeIsToldAndNothingIsWritten(_ arguments: [String], _ sentence: String) throws {
    try home.install("viewer", exec: "/bin/true")
    try home.install("firefox-esr", "MimeType=x-scheme-handler/https;")
    try home.install("photos", "MimeType=x-scheme-handler/photos;")
    try home.install("mail")
    try home.install("org.example.Viewer")
    let run = try home.scenectl(["set"] + arguments)
    #expect(run.status == 1)
    #expect(run.error == "scenectl: \(sentence)\n")
    #expect(home.files == [])
  }

  @Test func applicationMayBeNamedInEachForm() throws {
    try home.install("org.telegram.desktop", "MimeType=x-scheme-handler/tg;")
    for name in ["org.telegram", "org.telegram.desktop", "org.telegram.desktop.desktop"] {
      #expect(try home.scenectl("set", "tg", name).output == "tg: opened by org.telegram\n")
      #expect(home.text(".config/mimeapps.list").hasSuffix("tg=org.telegram.desktop.desktop\n"))
      #expect(try home.scenectl("unset", "tg").status == 0)
    }
  }

  @Test func scenedIsNotChosenWithoutItsEntry() throws {
    try FileManager.default.removeItem(atPath: home.path(".local/share/applications/scened-open.desktop"))
    let run = try home.scenectl("set", "https")
    #expect(run.status == 1)
    #expect(run.error == "scenectl: 'scened-open.desktop' is not installed; 'systemd/install' installs it.\n")
  }

  @Test func listOfTheDesktopThatCountsMoreIsNamed() throws {
    try home.write(".config/sway-mimeapps.list", "[Default Applications]\nx-scheme-handler/https=a.desktop\n")
    let run = try home.scenectl(["set", "https"], environment: ["XDG_CURRENT_DESKTOP": "sway"])
    #expect(run.status == 1)
    let path = home.path(".config/sway-mimeapps.list")
    #expect(
      run.error == "scenectl: \(path):2: The default for 'https' here comes first; remove it there.\n"
    )
    #expect(home.files == [".config/sway-mimeapps.list"])
  }

  @Test func listSaysWhatIsInEffectAndWhy() throws {
    try home.install("mail", "MimeType=x-scheme-handler/mailto;text/x-mail;")
    try home.write(
      "share/applications/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/mailto=gone.desktop;mail.desktop\n"
    )
    #expect(try home.scenectl("set", "https").status == 0)
    #expect(try home.scenectl("set", "https", "meet.example.org", "b").status == 0)
    #expect(try home.scenectl("set", "https", "a", "--from", "mail.desktop").status == 0)
    #expect(
      try home.scenectl("list").output == """
        FOR               OPENED BY  THEN    BECAUSE
        https             b          scened  ~/.config/mimeapps.list:5
        meet.example.org  b                  ~/.config/intentapps.list:5
        https from mail   a                  ~/.config/scened/choices:5
        http              a                  the first of 2 that open it
        mailto            mail               ~/share/applications/mimeapps.list:2

        """
    )
    #expect(
      try home.scenectl("list", "text/x-mail").lines.last
        == "text/x-mail  mail             the only one that opens it"
    )
    #expect(try home.scenectl("list", "--all").output.contains("text/x-mail"))
    let objects = try home.scenectl("list", "https", "--json").objects()
    #expect(objects.map { $0["handled"] } == ["https", "https"])
    #expect(objects.map { $0["from"] } == [nil, "mail"])
    #expect(objects[0]["then.0"] == "scened-open")
    #expect(
      try home.scenectl("list", "tel").output == "No application is installed or chosen for it.\n"
    )
  }

  @Test func choiceBySenderIsKeptApart() throws {
    try home.install("org.telegram.desktop", "MimeType=x-scheme-handler/tg;")
    let run = try home.scenectl("set", "https", "text/html", "b", "--from", "org.telegram.desktop")
    #expect(
      run.lines == [
        "https from org.telegram: opened by b", "text/html from org.telegram: opened by b",
      ]
    )
    #expect(
      home.text(".config/scened/choices").hasSuffix(
        "[From org.telegram]\nx-scheme-handler/https=b.desktop\ntext/html=b.desktop\n"
      )
    )
    #expect(Set(home.files) == [".config/scened/choices", HandlerHome.added])
    // The name of a group may have the sender's id with or without `.desktop`.
    try home.write(
      ".config/scened/choices",
      "[From org.telegram.desktop]\nx-scheme-handler/https=b.desktop\n"
    )
    #expect(try home.scenectl("set", "https", "a", "--from", "org.telegram").status == 0)
    #expect(
      home.text(".config/scened/choices")
        == "[From org.telegram.desktop]\nx-scheme-handler/https=a.desktop;b.desktop\n"
    )
    #expect(
      try home.scenectl("unset", "https", "--from", "org.telegram").output
        == "https from org.telegram: opened by b, ~/.config/scened/choices:2\n"
    )
    #expect(
      try home.scenectl("unset", "--from", "org.telegram.desktop").output
        == "https from org.telegram: opened as from all programs, by a, the first of 2 that open it\n"
    )
    #expect(home.text(HandlerHome.added).contains("[From org.telegram]\ntext/html=b.desktop\n"))
  }

  @Test func fileOfTheOtherNameIsUsedIfItIsThere() throws {
    try home.write(".config/intentapp.list", "[org.freedesktop.UriHandler]\nx.example.org=a.desktop\n")
    #expect(try home.scenectl("set", "x.example.org", "b.desktop").status == 0)
    #expect(
      home.text(".config/intentapp.list")
        == "[org.freedesktop.UriHandler]\nx.example.org=b.desktop;a.desktop\n"
    )
    #expect(home.text(".config/intentapps.list") == "")
  }

  @Test(arguments: [
    (["unset"], ["https", "meet.example.org"]), (["set", "--from"], ["a", "b"]),
    (["set", "https", "firefox-esr", "--profile"], ["Work"]),
  ])
  func completionOffers(_ words: [String], _ values: [String]) throws {
    #expect(try home.scenectl("set", "https", "meet.example.org", "b").status == 0)
    try home.install("firefox-esr")
    try home.write(".mozilla/firefox/profiles.ini", "[Profile0]\nName=Work\n")
    let line = ["scenectl", "handler"] + words + [""]
    let name = words.last?.hasPrefix("--") == true ? words[words.count - 1] : "handled"
    let custom = ["---completion", "handler", words[0], "--", name]
    let run = try Router.scenectl(custom + ["\(line.count - 1)", "0"] + line, environment: home.environment)
    #expect(run.lines.filter { $0 != "firefox-esr" } == values, "\(run)")
  }
}

// MARK: - JSON

extension HandlerTests {
  @Test func changesArePrintedAsObjects() throws {
    func printed(_ arguments: String...) throws -> [[String?]] {
      let run = try home.scenectl(arguments + ["--json"])
      #expect(run.status == 0 && run.error == "")
      return try run.objects().map { [$0["handled"], $0["from"], $0["sentence"]] }
    }
    #expect(
      try printed("set", "http", "https", "a", "--from", "b.desktop") == [
        ["http", "b", "http from b: opened by a"], ["https", "b", "https from b: opened by a"],
      ]
    )
    let sentence = "e.org: opened by b (not its subdomains, which are '*.e.org')"
    #expect(try printed("set", "e.org", "b") == [["e.org", nil, sentence]])
    #expect(
      try printed("unset", "e.org") == [
        ["e.org", nil, "e.org: opened like other web links, by a, the first of 2 that open it"]
      ]
    )
    #expect(try printed("ask", "e.org", "--menu", "grep (b)") == [["e.org", nil, sentence]])
    #expect(try printed("unset", "--all").count == 3)
    #expect(try printed("unset", "--all") == [])
  }

  @Test func listHasTheNamesForPeopleAndTheReasons() throws {
    try home.install("c", "Name=The C", "MimeType=x-scheme-handler/https;")
    let chosen = try home.scenectl("set", "https", "c", "--json").objects()
    #expect(chosen[0]["sentence"] == "https: opened by The C")
    _ = try home.scenectl("set", "https")
    let undone = try home.scenectl("unset", "https", "--json").objects()
    #expect(undone[0]["sentence"] == "https: opened by The C, your choice")
    _ = try home.scenectl("set", "https")
    let objects = try home.scenectl("list", "https", "http", "--json").objects()
    try #require(objects.map { $0["handled"] } == ["https", "http"])
    #expect(objects[0]["name"] == "scened" && objects[0]["thenNames.0"] == "The C")
    #expect(objects[0]["because"]?.hasPrefix("~/.config/mimeapps.list:") == true)
    #expect(objects[1]["name"] == "a" && objects[1]["because"] == "the first of 2 that open it")
  }

  @Test(arguments: [
    (["set", "https", "nothing", "--json"], 1, "'nothing' is neither an installed application nor a scheme"),
    (["--json", "set", "e.org:80", "a"], 64, "'e.org:80' is not a scheme, MIME type or host. "),
    (["unset", "e.org", "--json"], 1, "No application is chosen for 'e.org' in your lists."),
    (["sett", "--json"], 64, "'sett' is no command of scenectl handler. Did you mean 'set'?"),
  ])
  func errorIsAnObject(_ arguments: [String], _ status: CInt, _ sentence: String) throws {
    let run = try home.scenectl(arguments)
    #expect(run.status == status)
    #expect(run.error == "")
    let objects = try run.objects()
    #expect(objects.count == 1 && objects[0]["error"]?.hasPrefix(sentence) == true, "\(run.output)")
  }
}
