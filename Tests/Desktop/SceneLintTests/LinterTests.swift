import SceneRouting
import Testing

@testable import SceneLint

/// Each finding, and its absence after the advice was followed.
struct LinterTests {
  private static let photos = "MimeType=x-scheme-handler/photos;\n"

  private static let identifiers = [
    LintCase(
      .neverMatches,
      "identifier without a letter",
      at: 8,
      "\(photos)Actions=b;\nX-Scened-Singleton=false\n" + LintCase.action("b", "X-Scened-Matching=\u{301};"),
      "\(photos)Actions=b;\nX-Scened-Singleton=false\n" + LintCase.action("b", "X-Scened-Matching=albums/;")
    ),
    LintCase(
      .neverMatches,
      "identifier with a space",
      at: 7,
      "\(photos)Actions=b;\n" + LintCase.action("b", "X-Scened-Matching=new album;"),
      "\(photos)Actions=b;\n" + LintCase.action("b", "X-Scened-Matching=new%20album;")
    ),
    LintCase(
      .shortIdentifier,
      "short identifier without claims",
      "X-Scened-Matching=album/;",
      "\(photos)Actions=b;\n" + LintCase.action("b", "X-Scened-Matching=album/;")
    ),
    LintCase(
      .shortIdentifier,
      "long identifier without claims",
      "X-Scened-Matching=album/;",
      "X-Scened-Matching=photos:album/;"
    ),
    LintCase(
      .placeholder,
      "identifier in braces",
      at: 7,
      "\(photos)Actions=b;\n" + LintCase.action("b", "X-Scened-Matching={path of URL?};"),
      "\(photos)Actions=b;\n" + LintCase.action("b", "X-Scened-Matching=albums/;")
    ),
    LintCase(.placeholder, "claimed scheme", "MimeType=x-scheme-handler/foo;", photos),
    LintCase(
      .placeholder,
      "identifier with a domain for examples",
      at: 7,
      "\(photos)Actions=b;\n" + LintCase.action("b", "X-Scened-Matching=https://wiki.example.org/;"),
      // This domain only looks like a domain for examples. Somebody may own it.
      "\(photos)Actions=b;\n" + LintCase.action("b", "X-Scened-Matching=https://counterexample.org/;")
    ),
    LintCase(
      .placeholder,
      "name with a domain for examples",
      at: 7,
      "\(photos)Actions=b;\n" + LintCase.action("b", "X-Scened-Matching=com.example.notes;"),
      "\(photos)Actions=b;\n" + LintCase.action("b", "X-Scened-Matching=com.examples.notes;")
    ),
  ]

  private static let declarations = [
    LintCase(
      .neverMatches,
      "program without arguments",
      at: 4,
      "Exec=app\nMimeType=image/png;",
      "Exec=app %f\nMimeType=image/png;"
    ),
    LintCase(
      .neverMatches,
      "program without arguments, aware",
      at: 4,
      "Exec=app\nMimeType=image/png;",
      "Exec=app\nMimeType=image/png;\nX-Scened-Aware=true"
    ),
    LintCase(
      .neverMatches,
      "document group without types",
      "X-Scened-Kind=DocumentGroup",
      "X-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=png;"
    ),
    LintCase(
      .neverMatches,
      "document group with identifiers",
      "X-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=png;\nX-Scened-Matching=a-long-one;",
      "X-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=png;"
    ),
    LintCase(
      .neverMatches,
      "window group with types",
      "X-Scened-SupportedTypes=png;",
      "X-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=png;"
    ),
    LintCase(
      .neverMatches,
      "extension with a dot",
      "X-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=tar.gz;",
      "X-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=gz;"
    ),
    LintCase(
      .neverMatches,
      "type that is not claimed",
      at: 7,
      "MimeType=image/png;\nActions=b;\n"
        + LintCase.action("b", "X-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=text/x-python;"),
      "MimeType=image/png;text/x-script;\nActions=b;\n"
        + LintCase.action("b", "X-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=text/x-python;")
    ),
    LintCase(
      .shadowed,
      "identifier that contains an earlier one",
      at: 11,
      "\(photos)Actions=b;c;\n" + LintCase.action("b", "X-Scened-Matching=Álbum;")
        + LintCase.action("c", "X-Scened-Matching=album/new;"),
      "\(photos)Actions=c;b;\n" + LintCase.action("b", "X-Scened-Matching=Álbum;")
        + LintCase.action("c", "X-Scened-Matching=album/new;")
    ),
    LintCase(
      .shadowed,
      "behind one that matches everything",
      at: 8,
      "\(photos)Actions=b;\nX-Scened-Matching=*;\n" + LintCase.action("b", "X-Scened-Matching=album/new;"),
      "\(photos)Actions=b;c;\nX-Scened-Matching=;\n" + LintCase.action("b", "X-Scened-Matching=album/new;")
        + LintCase.action("c", "X-Scened-Matching=*;")
    ),
    LintCase(
      .shadowed,
      "default where another matches everything",
      "\(photos)Actions=b;\n" + LintCase.action("b", "X-Scened-Matching=*;"),
      "\(photos)Actions=b;\n" + LintCase.action("b", "X-Scened-Matching=album/;")
    ),
    LintCase(
      .shadowed,
      "second default",
      at: 7,
      "\(photos)Actions=b;\n" + LintCase.action("b", "X-Scened-Singleton=true"),
      "\(photos)Actions=b;\n" + LintCase.action("b", "X-Scened-Singleton=true\nX-Scened-Matching=album/;")
    ),
    LintCase(
      .shadowed,
      "type covered by an earlier one",
      at: 9,
      "MimeType=text/x-script;\nActions=b;\nX-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=text/x-script;\n"
        + LintCase.action("b", "X-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=text/x-python;"),
      "MimeType=text/x-script;\nX-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=text/x-script;\n"
    ),
    LintCase(
      .shadowed,
      "type of an earlier family",
      at: 8,
      "Actions=b;\nX-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=image/*;\n"
        + LintCase.action("b", "X-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=image/png;"),
      "Actions=b;\nX-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=image/png;\n"
        + LintCase.action("b", "X-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=image/*;")
    ),
  ]

  private static let claims = [
    LintCase(
      .unserved,
      "claimed scheme with conditions only",
      "\(photos)X-Scened-Matching=album/;",
      "\(photos)Actions=b;\n" + LintCase.action("b", "X-Scened-Matching=album/;")
    ),
    LintCase(
      .unserved,
      "claimed type that no document group opens",
      "MimeType=image/png;text/x-python;\nX-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=image/*;",
      "MimeType=image/png;text/x-python;\nX-Scened-Kind=DocumentGroup\n"
        + "X-Scened-SupportedTypes=image/*;text/x-script;"
    ),
    LintCase(
      .noFallback,
      "host without a browser",
      at: "/a.desktop:1",
      LintCase.Situation(entries: ["a.desktop": LintCase.hosts("meet.weber.de;")]),
      LintCase.Situation(
        entries: ["a.desktop": LintCase.hosts("meet.weber.de;")],
        others: ["browser.desktop": "MimeType=x-scheme-handler/https;"]
      )
    ),
    LintCase(
      .noFallback,
      "host of an application that takes other links too",
      LintCase.hosts("meet.weber.de;"),
      "MimeType=x-scheme-handler/https;\n" + LintCase.hosts("meet.weber.de;")
    ),
    LintCase(
      .subdomainsOnly,
      "subdomains without the domain",
      "MimeType=x-scheme-handler/https;\n" + LintCase.hosts("*.weber.de;"),
      "MimeType=x-scheme-handler/https;\n" + LintCase.hosts("*.weber.de;weber.de;")
    ),
    LintCase(.missingProgram, "program of 'Exec'", at: 5, "Icon=a\nExec=none %u", "Icon=a\nExec=app %u"),
    LintCase(.missingProgram, "program of 'TryExec'", at: 5, "TryExec=/none", "TryExec=app"),
    LintCase(
      .missingProgram,
      "program of an action",
      at: 9,
      "\(photos)Actions=b;\n[Desktop Action b]\nName=b\nExec=none %u\nX-Scened-Matching=album/;",
      "\(photos)Actions=b;\n" + LintCase.action("b", "X-Scened-Matching=album/;")
    ),
    LintCase(
      .noService,
      "file whose name is no name on the bus",
      at: "/my-editor.desktop:5",
      LintCase.Situation(entries: ["my-editor.desktop": "DBusActivatable=true\n\(photos)"]),
      LintCase.Situation(entries: ["de.weber.Photos.desktop": "DBusActivatable=true\n\(photos)"])
    ),
    LintCase(
      .noService,
      "service that is not there",
      at: "/de.weber.Notes.desktop:5",
      LintCase.Situation(entries: ["de.weber.Notes.desktop": "DBusActivatable=true\n\(photos)"]),
      LintCase.Situation(entries: ["de.weber.Notes.desktop": photos])
    ),
    LintCase(
      .shellScript,
      "link in a script",
      at: 4,
      #"Exec=sh -c "app '%u'""#,
      #"Exec=sh -c "app \\"\\$1\\"" sh %u"#
    ),
    LintCase(
      .shellScript,
      "link in a script of an action",
      at: 9,
      "\(photos)Actions=b;\n[Desktop Action b]\nName=b\n" + #"Exec=sh -ec "app %u"\#n"#
        + "X-Scened-Matching=album/;",
      "\(photos)Actions=b;\n[Desktop Action b]\nName=b\n" + #"Exec=sh -ec "app \\"\\$1\\"" sh %u\#n"#
        + "X-Scened-Matching=album/;"
    ),
  ]

  private static let choices = [
    LintCase(
      .notInstalled,
      "choice of an application that is not installed",
      at: "/list:4",
      LintCase.Situation(choices: [
        LintedChoice(["a.desktop", "none.desktop"], for: "text/html", at: 4, of: "/list")
      ]),
      LintCase.Situation(choices: [LintedChoice(["a.desktop"], for: "text/html", at: 4, of: "/list")])
    ),
    LintCase(
      .notInstalled,
      "choice without the ending of a desktop id",
      at: "/list:4",
      LintCase.Situation(choices: [LintedChoice(["a"], for: "text/html", at: 4, of: "/list")]),
      LintCase.Situation(choices: [LintedChoice(["a.desktop"], for: "text/html", at: 4, of: "/list")])
    ),
    LintCase(
      .otherDefault,
      "default in place of the router",
      at: "/list:4",
      LintCase.Situation(otherDefaults: [
        LintedChoice(["none.desktop", "a.desktop"], for: "https", at: 4, of: "/list")
      ]),
      LintCase.Situation()
    ),
  ]

  private static func connected(
    _ id: String = "de.weber.Photos",
    _ matching: [String]?...,
    claims: Claims = Claims(schemes: ["photos"]),
    isSingleScene: Bool = false
  ) -> ApplicationDeclaration {
    ApplicationDeclaration(
      applicationID: id,
      scenes: matching.enumerated().map { SceneDeclaration(id: "d\($0)", matching: $1) },
      claims: claims,
      isSingleScene: isSingleScene
    )
  }

  private static func scene(
    _ declaration: String?,
    _ preferring: [String],
    _ allowing: [String],
    showing: [String] = []
  ) -> LintedScene {
    LintedScene(
      id: "s",
      applicationID: "de.weber.Photos",
      declarationID: declaration,
      showing: showing,
      preferring: preferring,
      allowing: allowing
    )
  }

  private static let browser: KeyValuePairs = [
    "browser.desktop": "MimeType=x-scheme-handler/https;text/x-script;"
  ]

  /// Makes the case of a scene that prefers an identifier but never gets the links that contain it.
  private static func unreached(
    _ name: String,
    _ identifier: String,
    claims: Claims = Claims(),
    showing: String
  ) -> LintCase {
    LintCase(
      .claimedByOthers,
      name,
      at: "scene 's' of application 'de.weber.Photos'",
      LintCase.Situation(
        connected: [connected("de.weber.Photos", nil, claims: claims)],
        others: browser,
        scenes: [scene(nil, [identifier], [])]
      ),
      LintCase.Situation(
        connected: [connected("de.weber.Photos", nil, claims: claims)],
        others: browser,
        scenes: [scene(nil, [], [], showing: [showing])]
      )
    )
  }

  private static let reach = [
    unreached(
      "page that a browser claims",
      "https://wiki.weber.de/page",
      showing: "https://wiki.weber.de/page"
    ),
    unreached("host that a browser claims", "wiki.weber.de", showing: "https://wiki.weber.de/"),
    unreached("host like a file", "wiki.weber.org", showing: "https://wiki.weber.org/"),
    unreached(
      "host after slashes",
      "//wiki.weber.de/",
      claims: Claims(schemes: ["photos"]),
      showing: "https://wiki.weber.de/"
    ),
    unreached("file of a claimed type", "file:///home/weber/a.py", showing: "file:///home/weber/a.py"),
    unreached("path of a claimed type", "/home/weber/a.py", showing: "file:///home/weber/a.py"),
    unreached(
      "scheme that nobody claims",
      "notes:a-long-one",
      claims: Claims(schemes: ["photos"]),
      showing: "notes:a-long-one"
    ),
    LintCase(
      .claimedByOthers,
      "page that a browser claims, host claimed",
      at: "scene 's' of application 'de.weber.Photos'",
      LintCase.Situation(
        connected: [connected("de.weber.Photos", nil, claims: Claims(hosts: ["forum.weber.de"]))],
        others: browser,
        scenes: [scene(nil, ["https://wiki.weber.de/page"], [])]
      ),
      LintCase.Situation(
        connected: [connected("de.weber.Photos", nil, claims: Claims(hosts: ["wiki.weber.de"]))],
        others: browser,
        scenes: [scene(nil, ["https://wiki.weber.de/page"], [])]
      )
    ),
  ]

  private static let scenes: [LintCase] = [
    LintCase(
      .openWildcard,
      "open scene that allows everything",
      at: "scene 's' of application 'de.weber.Photos'",
      LintCase.Situation(
        connected: [connected("de.weber.Photos", nil, ["detail"])],
        scenes: [scene("d0", [], ["*"])]
      ),
      LintCase.Situation(
        connected: [connected("de.weber.Photos", nil, ["detail"])],
        scenes: [scene("d0", [], ["album"])]
      )
    ),
    LintCase(
      .openWildcard,
      "open scene of a single-scene application",
      at: "scene 's' of application 'de.weber.Photos'",
      LintCase.Situation(
        connected: [connected("de.weber.Photos", nil, ["detail"])],
        scenes: [scene("d0", ["*"], [])]
      ),
      LintCase.Situation(
        connected: [connected("de.weber.Photos", nil, ["detail"], isSingleScene: true)],
        scenes: [scene("d0", ["*"], [])]
      )
    ),
    LintCase(
      .openWildcard,
      "open scene before what another application declares",
      at: "scene 's' of application 'de.weber.Photos'",
      LintCase.Situation(
        connected: [connected("de.weber.Mail", ["a-long-identifier"], claims: Claims())],
        scenes: [scene(nil, [], ["*"])]
      ),
      LintCase.Situation(
        connected: [connected("de.weber.Mail", nil, ["a-long-identifier"])],
        scenes: [scene(nil, [], ["*"])]
      )
    ),
    LintCase(
      .shortIdentifier,
      "short identifier of a scene",
      at: "scene 's' of application 'de.weber.Photos'",
      LintCase.Situation(scenes: [scene(nil, ["4711"], [])]),
      LintCase.Situation(connected: [connected("de.weber.Photos", nil)], scenes: [scene(nil, ["4711"], [])])
    ),
    LintCase(
      .unserved,
      "application that only claims",
      at: "application 'de.weber.Photos'",
      LintCase.Situation(connected: [connected()]),
      LintCase.Situation(connected: [connected()], scenes: [scene(nil, [], ["*"])])
    ),
    LintCase(
      .duplicate,
      "identifier of two applications",
      at: "application 'de.weber.B', declaration 'd0'",
      LintCase.Situation(connected: [
        connected("de.weber.A", ["a-long-identifier"], claims: Claims()),
        connected("de.weber.B", ["A-long-identifier"], claims: Claims()),
      ]),
      LintCase.Situation(connected: [
        connected("de.weber.A", ["a-long-identifier"], claims: Claims()),
        connected("de.weber.B", ["A-long-identifier"], nil),
      ])
    ),
    LintCase(
      .duplicate,
      "identifier of two applications with the same claim",
      at: "application 'de.weber.B', declaration 'd0'",
      LintCase.Situation(connected: [
        connected("de.weber.A", ["album"], nil), connected("de.weber.B", ["album"], nil),
      ]),
      LintCase.Situation(connected: [
        connected("de.weber.A", ["album"], nil), connected("de.weber.B", ["mail"], nil),
      ])
    ),
    LintCase(
      .duplicate,
      "identifier twice",
      at: "application 'de.weber.A', declaration 'd0'",
      LintCase.Situation(connected: [connected("de.weber.A", ["album", "ALBUM"], nil)]),
      LintCase.Situation(connected: [connected("de.weber.A", ["album"], nil)])
    ),
  ]

  @Test(arguments: identifiers + declarations + claims + choices + scenes + reach)
  func findingDisappearsWithItsAdvice(_ lint: LintCase) throws {
    let findings = try lint.faulty.findings
    #expect(findings.map(\.rule) == [lint.rule], "\(findings)")
    #expect(findings.first?.place == lint.place)
    #expect(findings.allSatisfy { $0.sentence.hasSuffix(".") && $0.advice.hasSuffix(".") })
    #expect(try lint.followed.findings == [])
  }

  /// The linter finds nothing in correct entries, with or without the keys of scened.
  ///
  /// The entries with these keys include the examples of the contract.
  @Test(arguments: [
    "", "MimeType=text/plain;image/*;x-scheme-handler/https;", "NoDisplay=true\nMimeType=text/html;",
    "MimeType=x-scheme-handler/photos;\nActions=detail;\n"
      + LintCase.action("detail", "X-Scened-Matching=photoIdentifier=;"),
    "X-Scened-SingleScene=true\nMimeType=x-scheme-handler/photos;",
    "Exec=app", "X-Scened-Matching=;",
    // The application does not claim `text/x-python`, but a link of its scheme `photos` can end with `.py`.
    "MimeType=image/png;x-scheme-handler/photos;\nActions=b;\n"
      + LintCase.action("b", "X-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=text/x-python;"),
  ])
  func nothingIsFoundInWhatIsRight(_ lines: String) throws {
    #expect(try LintCase.Situation(entries: ["a.desktop": lines]).findings == [])
  }

  /// The linter finds nothing if links with the preferred identifier reach the application, as far as the linter knows.
  @Test(arguments: [
    ("photos:album", Claims(schemes: ["photos"])), ("album/4711/a", Claims()), ("notes:a-long-one", Claims()),
    // A link of the claimed scheme `photos` may contain this host.
    ("wiki.weber.de", Claims(schemes: ["photos"])),
    ("https://wiki.weber.de/a", Claims(hosts: ["*.weber.de", "weber.de"])),
    ("https://wiki.weber.de/a/b", Claims(hosts: ["wiki.weber.de/a"])),
    ("HTTPS://wiki.weber.de", Claims(schemes: ["https"])),
    ("/home/weber/a.py", Claims(mimeTypes: ["text/x-python"])),
    ("/home/weber/a.py", Claims(mimeTypes: ["text/*"])),
    // The linter does not check these identifiers: a directory has no file type, and `a-name.com` can be a file.
    ("/home/weber/project/", Claims()), ("file:///home/weber/project", Claims()), ("a-name.com", Claims()),
    ("https:", Claims(schemes: ["https"])), ("https://", Claims()), ("album..of-weber", Claims()),
  ])
  func preferredIdentifierIsReached(_ identifier: String, _ claims: Claims) throws {
    let situation = LintCase.Situation(
      connected: [Self.connected("de.weber.Photos", nil, claims: claims)],
      others: Self.browser,
      scenes: [Self.scene(nil, [identifier], [])]
    )
    #expect(try situation.findings == [])
  }

  /// One finding covers all preferred identifiers whose links never come to the scene.
  ///
  /// The host claims in `de.weber.Photos.desktop` do not count, because this entry is untrusted.
  @Test func identifiersThatAreNotReachedAreFoundOnce() throws {
    let hosts =
      Self.browser.map { ($0, $1) } + [("de.weber.Photos.desktop", LintCase.hosts("wiki.weber.de;"))]
    let situation = LintCase.Situation(
      others: KeyValuePairs(dictionaryLiteral: hosts[0], hosts[1]),
      scenes: [Self.scene(nil, ["wiki.weber.de", "forum.weber.de", "photos.weber.de"], [])]
    )
    let findings = try situation.findings
    #expect(findings.map(\.rule) == [.claimedByOthers])
    #expect(findings[0].sentence.contains("'wiki.weber.de' and 2 more"))
  }

  @Test(arguments: [
    (nil, false), ([:], true), (["DISPLAY": ""], true), (["DISPLAY": ":0"], false),
    (["WAYLAND_DISPLAY": "w"], false),
  ])
  func managerWithoutADisplayIsFound(_ environment: [String: String]?, _ isFound: Bool) {
    let linter = Linter(
      [],
      environment: environment.map { environment in { environment[$0] } },
      hasProgram: { _ in true }
    )
    #expect(linter.findings.map(\.rule) == (isFound ? [.noDisplay] : []))
  }

  @Test func programThatIsMissingTwiceIsFoundOnce() throws {
    let findings = try LintCase.Situation(entries: ["a.desktop": "TryExec=none\nExec=none %u"]).findings
    #expect(findings.map(\.rule) == [.missingProgram])
  }

  @Test func othersAreNotChecked() throws {
    #expect(try LintCase.Situation(others: ["a.desktop": "Exec=none"]).findings == [])
    let same = "X-Scened-Matching=a-long-identifier;"
    #expect(try LintCase.Situation(others: ["a.desktop": same, "b.desktop": same]).findings == [])
    let identifier = "X-Scened-Matching=a-long-identifier;"
    let both = LintCase.Situation(entries: ["a.desktop": identifier], others: ["b.desktop": identifier])
    #expect(try both.findings.map(\.place) == ["/a.desktop:1"])
  }

  @Test func identifierOfTwoDeclarationsIsFoundOnce() throws {
    let situation = LintCase.Situation(connected: [
      Self.connected("de.weber.Photos", ["album"], ["album"], nil)
    ])
    #expect(try situation.findings.map(\.rule) == [.shadowed])
  }

  @Test(arguments: ["d0", nil], [([], ["*"]), (["contact-4711"], [])])
  func openSceneAloneMayTakeEverything(
    _ declaration: String?,
    _ identifiers: (preferring: [String], allowing: [String])
  ) throws {
    let scenes = [Self.scene(declaration, identifiers.preferring, identifiers.allowing)]
    let connected = [Self.connected("de.weber.Photos", nil)]
    #expect(try LintCase.Situation(connected: connected, scenes: scenes).findings == [])
  }

  /// The linter finds nothing wrong with these open scenes.
  ///
  /// The first scene allows `*`. Only its own declaration has `matching` identifiers, so `*` takes no event that
  /// matches another declaration. The second scene is the scene of a single-scene application, and may take all events.
  @Test(arguments: [("d1", ["*"], false), (nil, ["album"], true)])
  func openSceneIsNoFinding(_ declaration: String?, _ allowing: [String], _ isSingleScene: Bool) throws {
    let matching: [[String]?] = isSingleScene ? [["album"]] : [nil, ["detail"]]
    let scenes = matching.enumerated().map { SceneDeclaration(id: "d\($0)", matching: $1) }
    let application = ApplicationDeclaration(
      applicationID: "de.weber.Photos",
      scenes: scenes,
      claims: Claims(schemes: ["photos"]),
      isSingleScene: isSingleScene
    )
    let situation = LintCase.Situation(
      connected: [application],
      scenes: [Self.scene(declaration, [], allowing)]
    )
    #expect(try situation.findings == [])
  }
}
