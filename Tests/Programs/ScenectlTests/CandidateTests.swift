import Foundation
import TestSupport
import Testing

/// `scenectl handler candidates`, and `scenectl open` with what it lists.
@Suite(.blocking) struct CandidateTests {
  private let home: HandlerHome
  private let router: Router

  private static let page = "https://wiki.example.org/team"

  init() throws {
    home = try HandlerHome()
    // The programs write into a pipe, which a shell holds open.
    try home.directory.writeScript("firefox-esr", #"echo "$@" >>"\#(home.path("opened"))""#)
    try home.install(
      "firefox-esr",
      exec: "\(home.path("firefox-esr")) %u",
      "Icon=firefox",
      "MimeType=x-scheme-handler/http;x-scheme-handler/https;",
      "Actions=new-private-window;window;profiles;missing;file;",
      "[Desktop Action new-private-window]",
      "Name=Private",
      "Exec=\(home.path("firefox-esr")) --private",
      "[Desktop Action window]",
      "Name=Window",
      "Exec=\(home.path("firefox-esr")) --window %u",
      "[Desktop Action profiles]",
      "Name=Profiles",
      "Exec=\(home.path("firefox-esr")) --profiles",
      "[Desktop Action file]",
      "Name=File",
      "Exec=\(home.path("firefox-esr")) --file %f"
    )
    try home.write(
      ".mozilla/firefox/profiles.ini",
      ["Work", "Home", "Home"].enumerated().map { "[Profile\($0)]\nName=\($1)\nPath=p\($0)\n" }.joined()
    )
    router = try Router(environment: home.environment)
  }

  private var environment: [String: String] { home.environment.merging(router.environment) { $1 } }

  private func scenectl(_ arguments: String...) throws -> Router.Run {
    try Router.scenectl(arguments, environment: environment)
  }

  /// Each candidate in short: its kind, and what `scenectl open` calls it.
  private func candidates(_ arguments: String...) throws -> [String] {
    let run = try Router.scenectl(["handler", "candidates", "--json"] + arguments, environment: environment)
    let objects = try run.objects().dropFirst()
    #expect(objects.indices.filter { objects[$0]["isFirst"] != nil } == [objects.startIndex])
    return objects.map { object in
      let words: [String?] = [
        object["kind"], object["title"] ?? object["application"], object["profile"] ?? object["action"],
        object["because"],
      ]
      return words.compactMap(\.self).joined(separator: " ")
    }
  }

  private static let applications = [
    "application a", "application b", "application firefox-esr", "profile firefox-esr Work",
    "profile firefox-esr p1", "profile firefox-esr p2", "action firefox-esr new-private-window",
    "action firefox-esr window",
  ]

  @Test func windowsComeBeforeApplicationsAndThoseBeforeActions() throws {
    for (title, words) in [
      ("Any", ["--allow", "*"]), ("Short", ["--prefer", "WIKI"]), ("Other", ["--prefer", "wikis"]),
      ("Long", ["--prefer", "wiki.example"]), ("Shows", ["--showing", Self.page + "#part"]),
    ] {
      _ = try router.scene(["--application", "a", "--title", title] + words)
    }
    #expect(
      try candidates(Self.page) == [
        "window Shows shows it", "window Long prefers it", "window Short prefers it", "window Any allows it",
      ] + Self.applications
    )
  }

  @Test func candidateHasTheNamesAndTheIconForPeople() throws {
    let objects = try scenectl("handler", "candidates", Self.page, "--json").objects()
    #expect(objects[0]["url"] == Self.page)
    #expect(
      objects.map { $0["name"] }.suffix(6) == [
        "firefox-esr", "firefox-esr (Work)", "firefox-esr (Home)", "firefox-esr (Home)",
        "Private — firefox-esr",
        "Window — firefox-esr",
      ]
    )
    #expect(objects.suffix(6).allSatisfy { $0["icon"] == "firefox" })
    #expect(objects[1]["icon"] == nil)
  }

  @Test(arguments: [
    (["b"], "application b"), (["firefox-esr", "--profile", "Work"], "profile firefox-esr Work"),
  ])
  func firstIsWhatScenedWouldChoose(_ words: [String], _ first: String) throws {
    _ = try home.scenectl(["set", "wiki.example.org"] + words, environment: router.environment)
    _ = try router.scene("--application", "a", "--title", "A", "--allow", "*")
    #expect(
      try candidates(Self.page) == [first, "window A allows it"] + Self.applications.filter { $0 != first }
    )
  }

  @Test func questionIsNoCandidate() throws {
    _ = try home.scenectl(
      ["set", "wiki.example.org", "https", "--ask", "--menu", "false"],
      environment: router.environment
    )
    #expect(try candidates(Self.page) == Self.applications)
    _ = try scenectl("open", Self.page)
    let event = try scenectl("history", "--json").objects()[0]["decisionId"]
    #expect(try candidates(Self.page, "--event", #require(event)) == Self.applications)
  }

  @Test func mostWindowsAreLeftOut() throws {
    for _ in 1...52 { _ = try router.scene("--application", "a", "--title", "A", "--allow", "*") }
    #expect(try candidates(Self.page).count { $0.hasPrefix("window") } == 50)
    let objects = try scenectl("handler", "candidates", Self.page, "--json").objects()
    #expect(objects[0]["windows"] == "52")
  }

  @Test func applicationsAreListedWithoutARouter() throws {
    let run = try home.scenectl("candidates", Self.page, "--json")
    #expect(run.status == 0)
    #expect(try run.objects().dropFirst().map { $0["application"] }.prefix(3) == ["a", "b", "firefox-esr"])
  }

  @Test(arguments: [
    ("https://wiki.example.org/a", ["wiki.example.org", "*.example.org"]),
    ("http://example.org:80", ["example.org", "*.example.org"]),
    ("https://shop.co.uk", ["shop.co.uk", "*.shop.co.uk"]), ("https://localhost/", ["//localhost"]),
    ("https://127.0.0.1/", ["127.0.0.1"]), ("mailto:a@example.org", ["mailto"]),
    ("file:///dev/null/a", ["file"]),
  ])
  func linkCanBeChosenForItsHostItsDomainOrItsScheme(_ link: String, _ handled: [String]) throws {
    let objects = try scenectl("handler", "candidates", link, "--json").objects()
    #expect((0...2).compactMap { objects[0]["always.\($0).handled"] } == handled)
    #expect((0...2).allSatisfy { objects[0]["always.\($0).from"] == nil })
  }

  /// The test itself is the sender: a program without an application.
  @Test func senderIsThatOfTheEvent() throws {
    _ = try scenectl("open", "x:1")
    let record = try #require(try scenectl("history", "--json").objects().first)
    let run = try scenectl(
      "handler",
      "candidates",
      "x:1",
      "--json",
      "--event",
      #require(record["decisionId"])
    )
    let name = try #require(record["senderName"])
    #expect(try run.objects()[0]["sender.name"] == name)
    #expect(try run.objects()[0]["sender.application"] == nil)
    #expect(try scenectl("handler", "candidates", "x:1", "--json").objects()[0]["sender"] == nil)
  }

  @Test(arguments: ["no link", "https://"]) func addressThatIsNoLinkIsAnError(_ text: String) throws {
    let run = try scenectl("handler", "candidates", text, "--json")
    #expect(run.status == 1)
    #expect(try run.objects()[0]["error"]?.hasPrefix(text + ": This ") == true)
  }
}

// MARK: - Opening once

extension CandidateTests {
  private func openedPipe() throws -> SpawnedProgram {
    try #require(mkfifo(home.path("opened"), 0o600) == 0)
    return try SpawnedProgram("/bin/sh", ["-c", "exec cat <>\(home.path("opened"))"])
  }

  @Test(arguments: [
    (["--profile", "Work"], "-P Work", "firefox-esr (Work)"),
    (["--action", "new-private-window"], "--private", "Private — firefox-esr"),
    (["--action", "window"], "--window", "Window — firefox-esr"),
  ])
  func profileOrActionIsUsedForOneLink(_ words: [String], _ arguments: String, _ name: String) throws {
    let pipe = try openedPipe()
    let line = ["open", "--application", "firefox-esr"] + words + [Self.page]
    let run = try Router.scenectl(line, environment: environment)
    #expect(run.status == 0)
    #expect(try pipe.nextLine() == "\(arguments) \(Self.page)")
    #expect(home.madeEntries == [])
    let event = try scenectl("history", "--json").objects()[0]
    #expect(event["sentence"] == "\(name) (the sender named it)")
    #expect(event["application"] == "firefox-esr")
    #expect((event["profile"] ?? event["action"]) == words.last)
  }

  /// Debian's entries of both browsers have no actions.
  @Test(arguments: [("firefox", "--private-window"), ("chromium", "--incognito")])
  func browserWithoutActionsHasAPrivateWindow(_ browser: String, _ option: String) throws {
    let program = home.path(browser)
    try home.directory.writeScript(browser, #"echo "$@" >>"\#(home.path("opened"))""#)
    try home.install(browser, exec: "\(program) --first-run %u", "MimeType=x-scheme-handler/https;")
    let pipe = try openedPipe()
    #expect(try candidates(Self.page).contains("action \(browser) new-private-window"))
    let words = ["open", "--application", browser, "--action", "new-private-window", Self.page]
    #expect(try Router.scenectl(words, environment: environment).status == 0)
    #expect(try pipe.nextLine() == "\(option) --first-run \(Self.page)")
    let sentence = try scenectl("history", "--json").objects()[0]["sentence"]
    #expect(sentence == "New Private Window — \(browser) (the sender named it)")
  }

  @Test func entryThatAChoiceNamesStays() throws {
    let pipe = try openedPipe()
    _ = try scenectl("handler", "set", "a.example.org", "firefox-esr", "--profile", "Work")
    _ = try scenectl("open", "--application", "firefox-esr", "--profile", "Work", Self.page)
    #expect(try pipe.nextLine() == "-P Work \(Self.page)")
    #expect(home.madeEntries == ["scened-profile-firefox-esr-Work.desktop"])
  }

  @Test(arguments: [
    (["firefox-esr", "--action", "profiles"], "'firefox-esr' has no action 'profiles' for links; it has "),
    (["firefox-esr", "--profile", "Wrok"], "'firefox-esr' has no profile 'Wrok'; it has 'Work', "),
    (["firefox-es", "--action", "window"], "The application 'firefox-es' is not installed. Did you mean"),
  ])
  func whatIsNotThereIsNamed(_ words: [String], _ sentence: String) throws {
    let run = try Router.scenectl(["open", Self.page, "--application"] + words, environment: environment)
    #expect(run.status == 1)
    #expect(run.error.hasPrefix("scenectl: \(sentence)"), "\(run.error)")
    #expect(home.madeEntries == [])
  }
}
