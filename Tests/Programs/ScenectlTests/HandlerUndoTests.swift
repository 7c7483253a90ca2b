import Foundation
import TestSupport
import Testing

/// `scenectl handler` changes only the lines of its own choices in the user's files.
@Suite(.blocking) struct HandlerUndoTests {
  private let home: HandlerHome

  init() throws { home = try HandlerHome() }

  private static let group = "[Default Applications]\n"

  /// The test chooses scened for two schemes and an application for a host, and undoes these choices.
  ///
  /// The first argument is the text of `mimeapps.list` before the choices; nil stands for a missing file. At the end,
  /// the file must be as before. The second argument is the command that undoes the choices. Without arguments,
  /// `unset` keeps the choice for the host. A second command then undoes this choice.
  @Test(
    arguments: [
      nil, "", "\n", "# mine", group, "[Default Applications]", "[Added Associations]\nc/d=e.desktop;\n",
      "\(group)x-scheme-handler/https=b.desktop;\n", "\(group)x-scheme-handler/https=b.desktop",
      "\(group)x-scheme-handler/https=b.desktop;a.desktop;\n\n[Added Associations]\nx-scheme-handler/https=b.desktop;\n",
      "\(group)x-scheme-handler/https=\n", "\(group)x-scheme-handler/https = ;\r\n",
      "\(group)x-scheme-handler/https=gone.desktop\nx-scheme-handler/https=b.desktop\n",
      "\(group)# c\n\n\n[Other]\n\n", "nonsense\n\(group) c/d = y \n# \u{E4}\n\n[Other]\nz=1",
      "\u{FEFF}\(group)c/d=e\r\n",
    ],
    [["unset"], ["unset", "http", "https", "a.example.org"]]
  )
  func undoneChoiceLeavesTheFilesAsTheyWere(_ list: String?, undoing: [String]) throws {
    if let list { try home.write(".config/mimeapps.list", list) }
    try home.write(".config/intentapps.list", "[org.freedesktop.UriHandler]\na.example.org=b.desktop")
    #expect(try home.scenectl("set", "https", "http").status == 0)
    #expect(try home.scenectl("set", "a.example.org", "a").status == 0)
    #expect(try home.scenectl(undoing).status == 0)
    if undoing.count == 1 { #expect(try home.scenectl("unset", "a.example.org").status == 0) }
    #expect(
      home.files.sorted() == [".config/intentapps.list"] + (list == nil ? [] : [".config/mimeapps.list"])
    )
    #expect(home.text(".config/mimeapps.list") == list ?? "")
    #expect(
      home.text(".config/intentapps.list") == "[org.freedesktop.UriHandler]\na.example.org=b.desktop"
    )
  }

  /// The user has lists of the same applications, which are not of the tool and stay.
  @Test func everythingIsUndoneAtOnceAndTheUsersOwnLinesStay() throws {
    let lists = [
      ".config/mimeapps.list":
        "\(Self.group)x-scheme-handler/https=b.desktop;a.desktop\ntext/html=b.desktop\n",
      ".config/intentapps.list":
        "[org.freedesktop.UriHandler]\na.example.org=b.desktop\nown.example.org=a.desktop",
      ".config/scened/choices": "[From c]\nx-scheme-handler/https=b.desktop\n",
    ]
    for (name, text) in lists { try home.write(name, text) }
    try home.install("firefox-esr")
    try home.write(".mozilla/firefox/profiles.ini", "[Profile0]\nName=Work\n")
    let choices = [
      ["https", "a"], ["https", "http"], ["https", "b"], ["https", "a"], ["text/html", "b"],
      ["text/html", "a"],
      ["a.example.org", "b.example.org", "a"], ["a.example.org", "b"],
      ["https", "a", "--from", "c", "--any"],
      ["http", "a", "--from", "c.desktop", "--any"], ["c.example.org", "--ask", "--menu", "rofi -dmenu"],
      ["d.example.org", "firefox-esr", "--profile", "Work"],
    ]
    for choice in choices { #expect(try home.scenectl(["set"] + choice).status == 0, "\(choice)") }
    #expect(home.madeEntries.count == 2)
    let run = try home.scenectl("unset", "--all")
    #expect(run.status == 0 && run.error == "")
    #expect(
      Set(run.lines) == [
        "https: opened by b, ~/.config/mimeapps.list:2", "http: opened by a, the first of 2 that open it",
        "text/html: opened by b, ~/.config/mimeapps.list:3",
        "a.example.org: opened by b, ~/.config/intentapps.list:2",
        "b.example.org: opened like other web links, by b, ~/.config/mimeapps.list:2",
        "c.example.org: opened like other web links, by b, ~/.config/mimeapps.list:2",
        "d.example.org: opened like other web links, by b, ~/.config/mimeapps.list:2",
        "https from c: opened by b, ~/.config/scened/choices:2",
        "http from c: opened as from all programs, by a, the first of 2 that open it",
      ]
    )
    #expect(Set(home.files) == Set(lists.keys).union([".mozilla/firefox/profiles.ini"]))
    for (name, text) in lists { #expect(home.text(name) == text) }
    #expect(home.madeEntries == [])
    #expect(try home.scenectl("unset", "--all").output == "No choice was left.\n")
  }

  @Test func changesOfAnotherProgramStay() throws {
    let gio = try TestEnvironment.run("get-command", ["gio", "libglib2.0-bin"])
    let xdgMime = try TestEnvironment.run("get-command", ["xdg-mime", "xdg-utils"])
    try home.install("c", "MimeType=image/png;text/html;")
    #expect(try home.scenectl("set", "https", "http").status == 0)
    _ = try home.output(of: gio, "mime", "image/png", "c.desktop")
    _ = try home.output(of: xdgMime, "default", "c.desktop", "text/html")
    #expect(try home.scenectl("unset").status == 0)
    #expect(try home.output(of: gio, "mime", "image/png").contains("c.desktop"))
    #expect(try home.output(of: xdgMime, "query", "default", "text/html") == "c.desktop\n")
    #expect(!home.text(".config/mimeapps.list").contains("scened"))
    #expect(home.files == [".config/mimeapps.list"])
  }

  @Test func changesAtTheSameTimeAreAllMade() throws {
    let types = (1...2).map { "text/x-\($0)" }
    for round in 1...20 {
      let programs = try types.map { type in
        try SpawnedProgram("scenectl", ["handler", "set", type, "b"], environment: home.environment)
      }
      for program in programs { #expect(try program.waitForEnd() == .exit(0)) }
      let lines = home.text(".config/mimeapps.list").split(separator: "\n")
      #expect(lines.filter { $0.hasSuffix("=b.desktop") }.count == types.count, "round \(round)")
      #expect(try home.scenectl(["unset"] + types).status == 0)
      #expect(home.files == [])
    }
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
    #expect(try home.scenectl("unset", "https").status == 0)
    #expect(home.text("dotfiles/list") == "[Default Applications]\n")
  }

  /// If root changes the lists of a user, all files and directories must still belong to the user.
  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func ownerStaysWhenRootChoosesForAUser() throws {
    let (user, group): (uid_t, gid_t) = (4711, 4712)
    try home.write(".config/mimeapps.list", "[Default Applications]\n", mode: 0o640)
    for name in [
      "", ".config", ".config/mimeapps.list", ".local", ".local/share", ".local/share/applications",
    ] {
      #expect(chown(home.path(name), user, group) == 0)
    }
    #expect(try home.scenectl("set", "https").status == 0)
    #expect(try home.scenectl("set", "a.example.org", "b").status == 0)
    #expect(try home.scenectl("set", "https", "b", "--from", "a").status == 0)
    let written = home.files + [".local/state", ".local/state/scened", ".config/scened"]
    for name in written {
      let attributes = try FileManager.default.attributesOfItem(atPath: home.path(name))
      #expect(attributes[.ownerAccountID] as? uid_t == user, "\(name)")
      #expect(attributes[.groupOwnerAccountID] as? gid_t == group, "\(name)")
    }
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

  @Test(arguments: [
    ".config/mimeapps.list", ".config/intentapps.list", ".config/scened/choices", HandlerHome.state,
    HandlerHome.added,
  ])
  func fileThatCannotBeChangedIsNamedAndNothingChanges(_ name: String) throws {
    let files: [(String, () throws -> Void)] = [
      (":1: The file cannot be read: it is not a regular file.", { try home.makeDirectory(name) }),
      (":1: The file is the null device; remove it first.", { try home.link(name, to: "/dev/null") }),
      (":1: The file is a link to a missing file; remove it first.", { try home.link(name, to: "missing") }),
      (
        ":1: The file is larger than 1048576 bytes; make it smaller.",
        { try home.write(name, String(repeating: "#\n", count: 600_000)) }
      ),
      (":2: The file is not a text file; remove it first.", { try home.write(name, "\n\0\n") }),
    ]
    try home.makeDirectory((name as NSString).deletingLastPathComponent)
    for (sentence, make) in files {
      try make()
      let run = try home.scenectl("set", "https")
      #expect(run.status == 1)
      #expect(run.error == "scenectl: \(home.path(name))\(sentence)\n")
      try FileManager.default.removeItem(atPath: home.path(name))
      #expect(home.files == [])
    }
  }

  @Test func readOnlyFileIsNamedAndNoOtherFileChanges() throws {
    let list = "[org.freedesktop.UriHandler]\n"
    try home.write(".config/intentapps.list", list, mode: 0o444)
    let run = try home.scenectl("set", "https", "a.example.org", "b")
    #expect(run.status == 1)
    let path = home.path(".config/intentapps.list")
    #expect(run.error == "scenectl: \(path): The file is read-only; make it writable first.\n")
    #expect(home.files == [".config/intentapps.list"])
    #expect(home.text(".config/intentapps.list") == list)
  }
}
