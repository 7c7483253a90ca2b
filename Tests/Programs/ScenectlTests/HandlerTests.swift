import Foundation
import TestSupport
import Testing

/// `scenectl handler`: its files, checked with other programs that read them.
@Suite(.blocking) struct HandlerTests {
  private let home: Home

  init() throws { home = try Home() }

  /// The default application of a type or scheme, as other programs report it.
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
    #expect(run.output == "https: opened by scened-open.desktop\n")
    #expect(try defaults(for: type) == ["scened-open.desktop", "scened-open.desktop"])
    #expect(
      home.text(".config/mimeapps.list")
        == "[Default Applications]\n\(type)=scened-open.desktop;b.desktop;a.desktop;\n"
    )
    #expect(home.text(Home.state) == "[Default Applications]\n\(type)=b.desktop\n")
    #expect(try home.scenectl("unset", "https").output == "https: opened by b.desktop\n")
    #expect(try defaults(for: type) == ["b.desktop", "b.desktop"])
    #expect(home.text(".config/mimeapps.list") == "[Default Applications]\n\(type)=b.desktop;a.desktop;\n")
    #expect(home.text(Home.state) == "[Default Applications]\n")
  }

  @Test func defaultThatNoListNamesIsRememberedAndComesBack() throws {
    #expect(try home.scenectl("set", "https", "http").status == 0)
    #expect(
      home.text(Home.state)
        == "[Default Applications]\nx-scheme-handler/https=a.desktop\nx-scheme-handler/http=a.desktop\n"
    )
    #expect(
      try home.scenectl("unset").lines == [
        "https: no application is chosen", "http: no application is chosen",
      ]
    )
    #expect(home.text(".config/mimeapps.list") == "[Default Applications]\n")
    #expect(try home.scenectl("unset").output == "")
  }

  @Test func defaultIsGivenBackThoughAnotherProgramRemovedIt() throws {
    let type = "x-scheme-handler/https"
    try home.write(".config/mimeapps.list", "[Default Applications]\n\(type)=b.desktop\n")
    #expect(try home.scenectl("set", "https").status == 0)
    try home.write(".config/mimeapps.list", "[Default Applications]\n\(type)=scened-open.desktop\n")
    #expect(try home.scenectl("unset").output == "https: opened by b.desktop\n")
    #expect(try defaults(for: type) == ["b.desktop", "b.desktop"])
  }

  @Test func setAgainForgetsNothing() throws {
    try home.write(".config/mimeapps.list", "[Default Applications]\nx-scheme-handler/https=b.desktop\n")
    for _ in 1...2 { #expect(try home.scenectl("set", "https").status == 0) }
    #expect(try home.scenectl("set", "https", "a.desktop").status == 0)
    #expect(try home.scenectl("set", "https").status == 0)
    #expect(home.text(Home.state).contains("https=a.desktop;b.desktop\n"))
    #expect(try home.scenectl("unset").output == "https: opened by a.desktop\n")
  }

  @Test func laterChoiceStaysWhenScenedIsRemoved() throws {
    #expect(try home.scenectl("set", "https").status == 0)
    #expect(try home.scenectl("set", "https", "b.desktop").status == 0)
    #expect(try home.scenectl("unset").output == "https: opened by b.desktop\n")
    #expect(
      home.text(".config/mimeapps.list") == "[Default Applications]\nx-scheme-handler/https=b.desktop\n"
    )
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
    #expect(try home.scenectl("set", argument, "b.desktop").status == 0)
    #expect(home.text(".config/\(file)").split(separator: "\n").last == "\(key)=b.desktop")
    let listed = try #require(try home.scenectl("list", "--json").objects().first)
    let shown = try #require(listed["handled"])
    #expect(listed["applications.0"] == "b.desktop")
    #expect(try home.scenectl("unset", shown).status == 0)
    #expect(try home.scenectl("list").output == "No application is chosen.\n")
  }

  @Test(arguments: [
    "", "a b", "1a", "a/b/c", "image/", "image/*", "a..b", "https://example.org", "ex?.org", "/",
  ])
  func whatIsNeitherSchemeNorTypeNorHostIsAUsageError(_ argument: String) throws {
    let run = try home.scenectl("set", argument, "b.desktop")
    #expect(run.status == 64)
    #expect(run.error.hasPrefix("scenectl: '\(argument)' is not a scheme, MIME type or host.\n"))
  }

  @Test func everyOtherByteStays() throws {
    let text =
      "# mine\r\n\r\nnonsense\n[Added Associations]\na/b=x;\n\n[Default Applications]\n c/d = y \n# \u{E4}\n\n[Other]\nz=1"
    try home.write(".config/mimeapps.list", text)
    #expect(try home.scenectl("set", "https", "b.desktop").status == 0)
    #expect(
      home.text(".config/mimeapps.list")
        == text.replacingOccurrences(of: " c/d = y \n", with: " c/d = y \nx-scheme-handler/https=b.desktop\n")
    )
    #expect(try home.scenectl("unset", "https").status == 0)
    #expect(home.text(".config/mimeapps.list") == text)
  }

  @Test func linkStaysAndItsTargetKeepsItsMode() throws {
    try home.write("dotfiles/list", "[Default Applications]\n", mode: 0o640)
    try home.write(".config/other", "")
    let link = home.path(".config/mimeapps.list")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../dotfiles/list")
    #expect(try home.scenectl("set", "https", "b.desktop").status == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../dotfiles/list")
    #expect(home.text("dotfiles/list").contains("https=b.desktop\n"))
    let mode = try FileManager.default.attributesOfItem(atPath: home.path("dotfiles/list"))[.posixPermissions]
    #expect(mode as? Int == 0o640)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path("dotfiles")) == ["list"])
  }

  @Test func fileThatIsReplacedIsNeverSeenInPart() throws {
    let text =
      "[Default Applications]\n" + String(repeating: "# \(String(repeating: "x", count: 98))\n", count: 5_000)
    try home.write(".config/mimeapps.list", text)
    let old = try FileHandle(forReadingFrom: URL(filePath: home.path(".config/mimeapps.list")))
    #expect(try home.scenectl("set", "https", "b.desktop").status == 0)
    #expect(try old.readToEnd() == Data(text.utf8), "Who has the old file open still reads it.")
    #expect(home.text(".config/mimeapps.list").utf8.count > text.utf8.count)
  }

  @Test(arguments: ["mimeapps.list", "intentapps.list", "../.local/state/scened/replaced-defaults.list"])
  func fileThatCannotBeReadIsNamedAndNothingChanges(_ name: String) throws {
    let files: [(String, () throws -> Void)] = [
      ("The file cannot be read: it is not a regular file.", { try home.makeDirectory(".config/\(name)") }),
      (
        "The file is the null device; remove it first.", { try home.link(".config/\(name)", to: "/dev/null") }
      ),
      (
        "The file is a link to a missing file; remove it first.",
        { try home.link(".config/\(name)", to: "missing") }
      ),
      (
        "error: The file is larger than 1048576 bytes; make it smaller.",
        { try home.write(".config/\(name)", String(repeating: "#\n", count: 600_000)) }
      ),
    ]
    try home.makeDirectory(".config")
    for (sentence, make) in files {
      try make()
      let run = try home.scenectl("set", "https", "meet.example.org")
      #expect(run.status == 1)
      let path = name.hasPrefix("..") ? home.path(Home.state) : home.path(".config/\(name)")
      #expect(run.error == "scenectl: \(path):1: \(sentence)\n")
      try FileManager.default.removeItem(atPath: home.path(".config/\(name)"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.path(".config")) == [])
      #expect(home.text(Home.state) == "")
    }
  }

  @Test(arguments: [
    (["https", "missing.desktop"], "The application 'missing.desktop' is not installed."),
    (["https", "viewer.desktop"], "'viewer.desktop' opens neither links nor files."),
  ])
  func applicationThatCannotOpenItIsNotChosen(_ arguments: [String], _ sentence: String) throws {
    try home.install("viewer", exec: "/bin/true")
    let run = try home.scenectl(["set"] + arguments)
    #expect(run.status == 1)
    #expect(run.error == "scenectl: \(sentence)\n")
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
    #expect(run.error == "scenectl: \(path) has a default for 'https', which comes first; remove it there.\n")
  }

  @Test func choicesAreListed() throws {
    #expect(try home.scenectl("set", "https").status == 0)
    #expect(try home.scenectl("set", "https", "meet.example.org", "b.desktop").status == 0)
    #expect(
      try home.scenectl("list").output == """
        FOR               APPLICATION  THEN                 DEFAULT BEFORE
        https             b.desktop    scened-open.desktop  a.desktop
        meet.example.org  b.desktop

        """
    )
    let objects = try home.scenectl("list", "--json").objects()
    #expect(objects.map { $0["handled"] } == ["https", "meet.example.org"])
    #expect(objects.map { $0["replaced"] } == ["a.desktop", nil])
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
}

// MARK: - Asking

extension HandlerTests {
  private func menu(_ line: String) throws -> String {
    try home.write("menu", "tee '\(home.path("shown"))' | \(line)\n")
    // The shell reads the script, because executing it can fail: a child that another test has just forked may still
    // have it open for writing (ETXTBSY).
    return "/bin/sh " + home.path("menu")
  }

  @Test func answerOfTheMenuIsRemembered() throws {
    try home.install(
      "meet",
      "Implements=org.freedesktop.UriHandler;",
      "[org.freedesktop.UriHandler]",
      "Supports=*.example.org;"
    )
    try home.install("photos", "MimeType=image/png;")
    let run = try home.scenectl("ask", "meet.example.org", "--menu", try menu("grep meet"))
    #expect(run.status == 0)
    #expect(run.output == "meet.example.org: opened by meet.desktop\n")
    #expect(home.text("shown") == "meet (meet.desktop)\na (a.desktop)\nb (b.desktop)\n")
    #expect(
      home.text(".config/intentapps.list") == "[org.freedesktop.UriHandler]\nmeet.example.org=meet.desktop\n"
    )
  }

  @Test(arguments: [
    "false", "true", "echo something else", "echo 'c (c.desktop)'", "echo 'a (a.desktop)'; exit 1",
  ])
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
    let run = try home.scenectl("ask", "meet.example.org", "--menu", "grep -F (b.desktop)")
    #expect(run.output == "meet.example.org: opened by b.desktop\n")
  }

  @Test func menuThatIsMissingIsNamed() throws {
    let run = try home.scenectl("ask", "meet.example.org", "--menu", "/nonexistent/menu")
    #expect(run.status == 1)
    #expect(run.error.hasPrefix("scenectl: The menu '/nonexistent/menu' could not be run: "))
  }
}

/// A home with two applications that open web links, and the router's own entry.
private final class Home {
  static let state = ".local/state/scened/replaced-defaults.list"

  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    for name in ["a", "b", "scened-open"] {
      try install(name, "MimeType=x-scheme-handler/http;x-scheme-handler/https;")
    }
  }

  func path(_ name: String) -> String { directory.appending(name) }

  /// Returns the contents of a file; empty for a missing file.
  func text(_ name: String) -> String {
    FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  func makeDirectory(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
  }

  func write(_ name: String, _ text: String, mode: Int = 0o644) throws {
    try makeDirectory((name as NSString).deletingLastPathComponent)
    try Data(text.utf8).write(to: URL(filePath: path(name)))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }

  func install(_ name: String, exec: String = "/bin/true %u", _ lines: String...) throws {
    let lines = ["[Desktop Entry]", "Type=Application", "Name=\(name)", "Exec=\(exec)"] + lines
    try write(".local/share/applications/\(name).desktop", lines.joined(separator: "\n") + "\n")
  }

  private var environment: [String: String] {
    ["HOME": directory.path, "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "XDG_STATE_HOME": ""]
  }

  func scenectl(_ arguments: String...) throws -> Router.Run { try scenectl(arguments) }

  func scenectl(_ arguments: [String], environment: [String: String] = [:]) throws -> Router.Run {
    try Router.scenectl(
      ["handler"] + arguments,
      environment: self.environment.merging(environment) { _, own in own }
    )
  }

  /// Returns the output of another program that runs in this home.
  func output(of program: String, _ arguments: String...) throws -> String {
    let (ending, output, error) = try SpawnedProgram.run(program, arguments, environment: environment)
    try #require(ending == .exit(0), "\(error)")
    return output
  }
}
