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
  ]

  private static let declarations = [
    LintCase(
      .neverMatches,
      "program without arguments",
      "Exec=app\nMimeType=image/png;",
      "Exec=app %f\nMimeType=image/png;"
    ),
    LintCase(
      .neverMatches,
      "program without arguments, aware",
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
    LintCase(.missingProgram, "program of 'Exec'", "Exec=none %u", "Exec=app %u"),
    LintCase(.missingProgram, "program of 'TryExec'", "TryExec=/none", "TryExec=app"),
    LintCase(
      .missingProgram,
      "program of an action",
      at: 7,
      "\(photos)Actions=b;\n[Desktop Action b]\nName=b\nExec=none %u\nX-Scened-Matching=album/;",
      "\(photos)Actions=b;\n" + LintCase.action("b", "X-Scened-Matching=album/;")
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

  private static func scene(_ declaration: String?, _ preferring: [String], _ allowing: [String])
    -> LintedScene
  {
    LintedScene(
      id: "s",
      applicationID: "de.weber.Photos",
      declarationID: declaration,
      preferring: preferring,
      allowing: allowing
    )
  }

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

  @Test(arguments: identifiers + declarations + claims + scenes)
  func findingDisappearsWithItsAdvice(_ lint: LintCase) throws {
    let findings = try lint.faulty.findings
    #expect(findings.map(\.rule) == [lint.rule], "\(findings)")
    #expect(findings.first?.place == lint.place)
    #expect(findings.allSatisfy { $0.sentence.hasSuffix(".") && $0.advice.hasSuffix(".") })
    #expect(try lint.followed.findings == [])
  }

  /// The examples of the contract, and entries of unaware applications.
  @Test(arguments: [
    "", "MimeType=text/plain;image/*;x-scheme-handler/https;", "NoDisplay=true\nMimeType=text/html;",
    "MimeType=x-scheme-handler/photos;\nActions=detail;\n"
      + LintCase.action("detail", "X-Scened-Matching=photoIdentifier=;"),
    "X-Scened-SingleScene=true\nMimeType=x-scheme-handler/photos;",
    "Exec=app", "X-Scened-Matching=;",
    // The file name in a link gives a type too.
    "MimeType=image/png;x-scheme-handler/photos;\nActions=b;\n"
      + LintCase.action("b", "X-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=text/x-python;"),
  ])
  func nothingIsFoundInWhatIsRight(_ lines: String) throws {
    #expect(try LintCase.Situation(entries: ["a.desktop": lines]).findings == [])
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

  /// Other applications have no findings of their own.
  @Test func othersAreNotChecked() throws {
    #expect(try LintCase.Situation(others: ["a.desktop": "Exec=none"]).findings == [])
    let same = "X-Scened-Matching=a-long-identifier;"
    #expect(try LintCase.Situation(others: ["a.desktop": same, "b.desktop": same]).findings == [])
    let identifier = "X-Scened-Matching=a-long-identifier;"
    let both = LintCase.Situation(entries: ["a.desktop": identifier], others: ["b.desktop": identifier])
    #expect(try both.findings.map(\.place) == ["/a.desktop:1"])
  }

  /// An identifier in two declarations of one application has one finding: the second declaration is shadowed.
  @Test func identifierOfTwoDeclarationsIsFoundOnce() throws {
    let situation = LintCase.Situation(connected: [
      Self.connected("de.weber.Photos", ["album"], ["album"], nil)
    ])
    #expect(try situation.findings.map(\.rule) == [.shadowed])
  }

  /// The only scene of a contact list may take everything, or what it shows.
  @Test(arguments: ["d0", nil], [([], ["*"]), (["contact-4711"], [])])
  func openSceneAloneMayTakeEverything(
    _ declaration: String?,
    _ identifiers: (preferring: [String], allowing: [String])
  ) throws {
    let scenes = [Self.scene(declaration, identifiers.preferring, identifiers.allowing)]
    let connected = [Self.connected("de.weber.Photos", nil)]
    #expect(try LintCase.Situation(connected: connected, scenes: scenes).findings == [])
  }

  /// A scene may take the events of its own declaration.
  ///
  /// The scene of a single-scene application may take all events.
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
