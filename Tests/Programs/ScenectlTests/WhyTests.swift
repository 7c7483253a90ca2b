import Foundation
import TestSupport
import Testing

/// `scenectl why`: why a link went to its target, in one command.
@Suite(.blocking) final class WhyTests {
  private let home: TemporaryDirectory
  private let router: Router

  init() throws {
    home = try TemporaryDirectory()
    let web = "MimeType=x-scheme-handler/https;"
    // A program that ends immediately and without an error counts as started.
    try home.install("firefox-esr", "Exec=/bin/true %u", web)
    try home.install("chromium", "Exec=/bin/true %u", web)
    try home.install("chooser", "Exec=\(SpawnedProgram.buildDirectory)/scenectl open %u", web)
    try home.install("bad", "Exec=/bin/false %u", "MimeType=x-scheme-handler/bad;")
    try home.install("foo", "MimeType=x-scheme-handler/foo;")
    try home.install("named", "Name=The Reader", "Exec=/bin/true %u", "MimeType=x-scheme-handler/named;")
    try home.write(
      ".config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/https=firefox-esr.desktop\n"
    )
    try home.write(
      ".config/intentapps.list",
      """
      [org.freedesktop.UriHandler]
      choice.example.org=chromium.desktop
      chooser.example.org=chooser.desktop

      """
    )
    router = try Router(
      environment: [
        "HOME": home.path, "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "", "XDG_RUNTIME_DIR": home.path,
      ]
    )
  }

  /// Opens a link with `scenectl open`, and returns what `scenectl why` says about the link.
  private func why(_ url: String, isSentOn: Bool = false) throws -> String {
    let environment = router.environment.merging(["HOME": home.path, "XDG_DATA_HOME": ""]) { own, _ in own }
    let monitor = try router.start("monitor", "--no-registry")
    try monitor.outputLine(containing: "watching")
    _ = try Router.scenectl(["open", url], environment: environment)
    // If `isSentOn` is true, the program that gets the link sends the link on to a second program. On a busy machine,
    // `open` can end before the link is sent on. So the test waits until both programs have got the link.
    if isSentOn { for _ in 1...2 { try monitor.outputLine(containing: ": handed to") } }
    let run = try Router.scenectl(["why", url], environment: environment)
    #expect(run.status == 0, "\(run.error)")
    return run.output
  }

  @Test func reasonsAreFoundForLinksThatGoWhereAUserExpects() throws {
    let page = "https://docs.example.org/a"
    let (small, _) = try router.scene("--application", "Photos", "--prefer", "album/4")
    let (album, _) = try router.scene("--application", "Photos", "--prefer", "album/4711")
    let (docs, _) = try router.scene("--application", "Docs", "--showing", page)
    _ = try router.declare("--application", "Meet", "--claim-host", "meet.example.org", "--scene", "call")
    let answers = [
      (
        try why("https://example.org"),
        ["handed to firefox-esr: your default for https (~/.config/mimeapps.list:2)"]
      ),
      (try why("https://meet.example.org/1"), ["of Meet: it claims meet.example.org"]),
      (
        try why("https://choice.example.org/x"),
        ["handed to chromium: your choice for choice.example.org (~/.config/intentapps.list:2)"]
      ),
      (
        try why("photos:album/4711"),
        ["scene \(album) of Photos: it prefers identifier 'album/4711'"]
      ),
      (try why(page), ["scene \(docs) of Docs: it shows this page"]),
      (try why("named:1"), ["handed to The Reader: the only application that takes part"]),
    ]
    for (answer, reasons) in answers {
      for reason in reasons { #expect(answer.contains(reason), "\(answer)") }
      #expect(!answer.contains("Now"), "It would go there again: \(answer)")
    }
    #expect(!answers[3].0.contains(small))
  }

  @Test func reasonsAreFoundForLinksThatSurpriseAUser() throws {
    let (wiki, _) = try router.scene("--application", "Wiki", "--prefer", "wiki.example.org")
    let (greedy, _) = try router.scene("--application", "Greedy", "--allow", "*")
    let (chosen, _) = try router.scene("--application", "Chosen", "--prefer", "choice.example.org")
    let surprises = [
      "https://wiki.example.org/page": [
        "Outcome: handed to firefox-esr: your default for https",
        "Wiki (\(wiki)) prefers it ('wiki.example.org'), but claims nothing, while firefox-esr claims https.",
        "scenectl declare --application Wiki --claim-host wiki.example.org", "let the window show the page",
      ],
      "https://choice.example.org/page": [
        "Chosen (\(chosen)) prefers it ('choice.example.org'), but claims nothing, "
          + "while you chose chromium for choice.example.org."
      ],
      "notes:1": ["scene \(greedy) of Greedy: it allows every event ('*')"],
      "bad:1": [
        "Outcome: bad opened no scene (", "/bin/false",
        "): its declaration has no condition; the only application that takes part.\n",
      ],
      "https://chooser.example.org/x": [
        "1. handed to chooser: your choice for chooser.example.org (~/.config/intentapps.list:3)",
        "2. sent on; handed to firefox-esr: your default for https", ", then ",
      ],
    ]
    for (url, reasons) in surprises {
      let answer = try why(url, isSentOn: url.contains("chooser"))
      for reason in reasons { #expect(answer.contains(reason), "\(url): \(answer)") }
    }
  }

  @Test func brokenEntryIsNamedForALinkThatNobodyTakes() throws {
    let answer = try why("foo:1")
    #expect(answer.contains("Outcome: not routed: "))
    #expect(
      answer.contains(
        """
        Now: no open scene takes it, and no application claims foo:; an entry that claims it is broken: \
        ~/.local/share/applications/foo.desktop:
        """
      ),
      "\(answer)"
    )
  }

  /// The history keeps no types, so that `why` has to determine the type of the directory.
  @Test func directoryWouldGoWhereItWent() throws {
    try home.install("files", "Exec=/bin/true %u", "MimeType=inode/directory;")
    _ = try Router.scenectl(["reload"], environment: router.environment)
    let answer = try why("file://\(home.path)")
    #expect(answer.contains("Outcome: handed to files: the only application that takes part.\n"), "\(answer)")
    #expect(!answer.contains("Now"), "\(answer)")
  }

  @Test func missingFileIsSaidToBeMissing() throws {
    let answer = try why("file://\(home.appending("no-such-file:10:3"))")
    #expect(answer.contains("Now: no open scene takes it, and there is no such file.\n"), "\(answer)")
  }

  @Test func linkThatIsSentOnIsOneStory() throws {
    _ = try why("https://chooser.example.org/x", isSentOn: true)
    let environment = router.environment.merging(["HOME": home.path, "XDG_DATA_HOME": ""]) { own, _ in own }
    let last = try Router.scenectl(["why", "last"], environment: environment).output
    #expect(last.contains("1. handed to chooser") && last.contains("2. sent on; handed to firefox-esr"))
    let times = try Router.scenectl(["history"], environment: environment).lines.map { $0.prefix(23) }
    #expect(times.count == 2 && times == times.sorted(), "The first step ends last.")
  }

  /// Invisible characters and marks of the writing direction are escaped.
  ///
  /// A host with letters that only look Latin is shown twice: unchanged, and with these letters escaped.
  @Test func textsOfOthersAreHarmless() throws {
    _ = try router.scene(
      "--application",
      "A\u{202E}B",
      "--title",
      "x\u{1B}[31m\u{200B}",
      "--prefer",
      "d\u{2066}x"
    )
    let answer = try why("x:d\u{2066}x")
    #expect(answer.contains(#"A\u{202e}B"#) && answer.contains(#"x\u{1b}[31m\u{200b}"#), "\(answer)")
    #expect(
      answer.unicodeScalars.allSatisfy {
        $0 == "\n" || ![.control, .format].contains($0.properties.generalCategory)
      }
    )
    let homograph = try why("https://еxample.org/")
    #expect(homograph.contains(#"\u{435}xample.org"#), "\(homograph)")
    // The mark belongs to the path, although Swift joins it and the `/` into one `Character`.
    let path = try why("https://example.org/\u{301}")
    #expect(!path.contains("another host"), "\(path)")
  }
}

extension TemporaryDirectory {
  /// Writes a file, and creates the directories above it.
  fileprivate func write(_ path: String, _ text: String) throws {
    let directory = URL(filePath: appending(path)).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try text.write(toFile: appending(path), atomically: true, encoding: .utf8)
  }

  fileprivate func install(_ id: String, _ lines: String...) throws {
    let entry = ["[Desktop Entry]", "Type=Application", "Name=\(id)"] + lines
    try write(".local/share/applications/\(id).desktop", entry.joined(separator: "\n") + "\n")
  }
}
