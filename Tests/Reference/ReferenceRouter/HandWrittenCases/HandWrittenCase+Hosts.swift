extension HandWrittenCase {
  private static let url = Scenario.Event.url("https://meet.example.org/team/x")

  private static func application(
    _ id: String,
    hosts: [String] = [],
    schemes: [String] = [],
    _ declarations: [Scenario.Declaration] = [.window("main")],
    isSingleScene: Bool = false,
    source: Scenario.Source = .connection
  ) -> Application {
    let claims = Scenario.Claims(schemes: schemes, hosts: hosts)
    return Application(id, declarations, claims: claims, isSingleScene: isSingleScene, source: source)
  }

  private static let browser = application("browser", schemes: ["https", "http"])
  private static let other = application("other", schemes: ["https"])
  private static let meet = application("meet", hosts: ["meet.example.org"])

  /// A case in which `application` opens a new scene, which takes the event.
  private static func new(
    _ application: String,
    _ name: String,
    _ applications: [Application],
    userDefault: String? = nil,
    hostChoices: [String: String] = [:],
    _ event: Scenario.Event = url
  ) -> HandWrittenCase {
    HandWrittenCase(
      name,
      applications: applications,
      userDefault: userDefault,
      hostChoices: hostChoices,
      event: event,
      attempts: ["default new \(application)/main acknowledged"],
      end: .acknowledged
    )
  }

  /// Cases that show how the host of a URL decides which applications the router tries, and in which order.
  static let hosts = [
    new("meet", "hostClaimComesBeforeTheScheme", [browser, meet]),
    new("browser", "hostClaimIsForItsHostsOnly", [meet, browser], .url("https://example.org/")),
    new("meet", "hostClaimIsOfHTTPToo", [browser, meet], .url("HTTP://MEET.example.org:80")),
    new("meet", "hostIsClaimedBesideThoseWithoutClaims", [Application("alpha", [.window("main")]), meet]),
    new(
      "alpha",
      "hostOfAnActivityIsNotClaimed",
      [meet, Application("alpha", [.window("main")])],
      .activity(webpageURL: "https://meet.example.org/")
    ),
    new(
      "b",
      "exactHostIsCloserThanAnyPathOfItsDomain",
      [
        application("a", hosts: ["*.example.org/team/x"]), application("b", hosts: ["meet.example.org"]),
      ]
    ),
    new(
      "b",
      "longerDomainIsCloser",
      [
        application("a", hosts: ["*.org/team/x"]), application("b", hosts: ["*.example.org"]),
      ]
    ),
    new(
      "b",
      "longerPathIsCloser",
      [
        application("a", hosts: ["meet.example.org/team"]), application("c", hosts: ["meet.example.org"]),
        application("b", hosts: ["meet.example.org/team/x/"]),
      ],
      .url("https://meet.example.org/team/x/y?z")
    ),
    new(
      "b",
      "closestClaimOfAnApplicationCounts",
      [
        application("a", hosts: ["*.example.org"]),
        application("b", hosts: ["*.org", "meet.example.org", "example.org"]),
      ]
    ),
    new(
      "b",
      "equallyCloseClaimsAreInTheOrderOfDeclarations",
      [
        browser, application("b", hosts: ["MEET.example.org/"]), meet,
      ]
    ),
    new(
      "b",
      "equallyCloseClaimsOfFilesComeAfterThoseOfConnections",
      [
        application("a", hosts: ["meet.example.org"], source: .file()),
        application("b", hosts: ["meet.example.org"]),
      ]
    ),
    new(
      "browser",
      "claimantThatTakesNothingLeavesItToTheOthers",
      [
        application("meet", hosts: ["meet.example.org"], [.window("main", ["zither"])]), browser,
      ]
    ),
    HandWrittenCase(
      "specificPreferenceComesBeforeAHostClaim",
      applications: [meet, browser],
      scenes: [Scene("s1", of: "browser", preferring: ["team"])],
      event: url,
      attempts: ["preferring s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "asteriskOfAnotherComesAfterAHostClaim",
      applications: [browser, meet],
      scenes: [Scene("s1", of: "browser", preferring: ["*"], allowing: ["team"])],
      event: url,
      attempts: ["default new meet/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "claimantOfTheHostUsesAllRulesOfOne",
      applications: [browser, meet],
      scenes: [Scene("s1", of: "meet", allowing: ["*"]), Scene("s2", of: "meet", preferring: ["*"])],
      event: url,
      attempts: ["preferring s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "singleSceneApplicationThatClaimsTheHostUsesTheRuleOfOne",
      applications: [browser, application("meet", hosts: ["meet.example.org"], isSingleScene: true)],
      scenes: [Scene("s1", of: "browser", allowing: ["*"]), Scene("s2", of: "meet")],
      event: url,
      attempts: ["singleScene s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "claimantsOfTheHostAreAskedOneByOne",
      applications: [
        application("a", hosts: ["*.example.org"]),
        application("b", hosts: ["meet.example.org"], [.window("main", answers: .decline)]), browser,
      ],
      scenes: [
        Scene("s1", of: "a", allowing: ["*"], answers: .decline), Scene("s2", of: "browser", allowing: ["*"]),
      ],
      event: url,
      attempts: [
        "default new b/main launchFailed", "allowing s1 declined", "default new a/main acknowledged",
      ],
      end: .acknowledged
    ),
    new("meet", "hostClaimComesBeforeTheUserDefault", [browser, meet], userDefault: "browser"),
    HandWrittenCase(
      "userDefaultThatHadItsTurnIsNotAskedAgain",
      applications: [
        browser, application("meet", hosts: ["meet.example.org"], schemes: ["https"], [.window("main", [])]),
      ],
      scenes: [
        Scene("s1", of: "browser", allowing: ["*"]),
        Scene("s2", of: "meet", "main", allowing: ["team"], answers: .decline),
      ],
      userDefault: "meet",
      event: url,
      attempts: ["allowing s2 declined", "allowing s1 acknowledged"],
      end: .acknowledged
    ),
    new(
      "browser",
      "userDefaultComesAfterClaimantsThatTakeNothing",
      [other, application("meet", hosts: ["meet.example.org"], []), browser],
      userDefault: "browser"
    ),
    new(
      "meet",
      "claimantOfTheHostAloneTakesWhatNobodyElseClaims",
      [
        Application("alpha", [.window("main")]), meet,
      ]
    ),
    new(
      "meet",
      "hostClaimOfATrustedFileCounts",
      [
        browser, application("meet", hosts: ["meet.example.org"], source: .file()),
      ]
    ),
    new(
      "browser",
      "hostClaimOfAnotherFileDoesNotCount",
      [
        browser, application("meet", hosts: ["meet.example.org"], source: .file(isTrusted: false)),
      ]
    ),
    HandWrittenCase(
      "fileThatIsNotTrustedGetsNoHostThatNobodyClaims",
      applications: [
        application("meet", hosts: ["meet.example.org"], source: .file(isTrusted: false))
      ],
      event: url,
      attempts: [],
      end: .notRouted
    ),
  ]

  /// Cases in which the user chose an application for a host: which application the router tries first.
  static let hostChoices = [
    new(
      "browser",
      "choiceComesBeforeHostClaims",
      [other, meet, browser],
      userDefault: "other",
      hostChoices: ["meet.example.org": "browser"]
    ),
    new(
      "other",
      "closestChoiceCounts",
      [browser, meet, other],
      hostChoices: ["*.example.org": "browser", "meet.example.org/team": "other", "meet.example.org": "meet"]
    ),
    new(
      "browser",
      "choiceForAnotherHostDoesNotCount",
      [browser, other],
      hostChoices: ["example.org": "other"]
    ),
    new(
      "other",
      "choiceOfAnUnknownApplicationDoesNotCount",
      [browser, other],
      hostChoices: ["meet.example.org": "nowhere", "*.org": "other"]
    ),
    new(
      "meet",
      "hostClaimOfAnyFileCountsWhereTheUserChoseIt",
      [browser, application("meet", hosts: ["meet.example.org"], source: .file(isTrusted: false))],
      hostChoices: ["meet.example.org": "meet"]
    ),
    new(
      "alpha",
      "chosenApplicationNeedNotClaimTheHost",
      [browser, Application("alpha", [.window("main")])],
      hostChoices: ["*.example.org": "alpha"]
    ),
    new(
      "meet",
      "choiceThatTakesNothingLeavesItToHostClaims",
      [browser, application("other", schemes: ["https"], []), meet],
      userDefault: "browser",
      hostChoices: ["meet.example.org": "other"]
    ),
    new(
      "alpha",
      "choiceOfAnApplicationForNamedEventsOnlyCounts",
      [
        browser,
        Application("alpha", [.window("main")], source: .file(), isForNamedEventsOnly: true),
      ],
      hostChoices: ["meet.example.org": "alpha"]
    ),
    HandWrittenCase(
      "specificPreferenceComesBeforeTheChoice",
      applications: [meet, browser],
      scenes: [Scene("s1", of: "meet", preferring: ["team"])],
      hostChoices: ["meet.example.org": "browser"],
      event: url,
      attempts: ["preferring s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "chosenApplicationHasOneTurn",
      applications: [browser, meet],
      scenes: [
        Scene("s1", of: "meet", allowing: ["*"], answers: .decline),
        Scene("s2", of: "browser", allowing: ["*"]),
      ],
      hostChoices: ["meet.example.org": "meet"],
      event: url,
      constraints: Scenario.Constraints(allowNewScene: false),
      attempts: ["allowing s1 declined", "allowing s2 acknowledged"],
      end: .acknowledged
    ),
  ]
}
