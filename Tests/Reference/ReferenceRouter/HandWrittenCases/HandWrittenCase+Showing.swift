extension HandWrittenCase {
  private static let page = "https://wiki.example.org/Home"
  private static let url = Scenario.Event.url(page)
  private static let web = Scenario.Claims(schemes: ["https"])
  private static let alpha = Application("alpha", [.window("main")])
  private static let beta = Application("beta", [.window("main")])
  private static let browser = Application("browser", [.window("main")], claims: web)
  private static let other = Application("other", [.window("main")], claims: web)
  private static let singleBrowser = Application(
    "browser",
    [.window("main")],
    claims: web,
    isSingleScene: true
  )

  /// A case in which a scene takes an event because of a URL in `showing`.
  private static func shown(
    _ name: String,
    by scene: String = "s1",
    _ applications: [Application],
    _ scenes: [Scene],
    reports: [Scenario.ActivityReport] = [],
    userDefault: String? = nil,
    hostChoices: [String: String] = [:],
    senderChoices: [Scenario.SenderChoice] = [],
    _ event: Scenario.Event = url,
    constraints: Scenario.Constraints = Scenario.Constraints(),
    patterns: Set<String>? = nil,
    field: ReferenceRouter.MatchedField? = nil,
    registrations: Set<String>? = nil
  ) -> HandWrittenCase {
    HandWrittenCase(
      name,
      applications: applications,
      scenes: scenes,
      reports: reports,
      userDefault: userDefault,
      hostChoices: hostChoices,
      senderChoices: senderChoices,
      event: event,
      constraints: constraints,
      attempts: ["showing \(scene) acknowledged"],
      end: .acknowledged,
      patterns: patterns,
      field: field,
      registrations: registrations
    )
  }

  /// A window that shows a document gets the link to this document.
  static let showing = [
    shown("sceneTakesWhatItShows", [alpha], [Scene("s1", of: "alpha", showing: [page])]),
    shown(
      "showingComesBeforePreferring",
      by: "s2",
      [alpha],
      [Scene("s1", of: "alpha", preferring: [page]), Scene("s2", of: "alpha", showing: [page])],
      reports: [.active("s1")]
    ),
    shown(
      "showingComesBeforeThePreferenceOfAnother",
      by: "s2",
      [alpha, beta],
      [Scene("s1", of: "alpha", preferring: [page]), Scene("s2", of: "beta", showing: [page])]
    ),
    shown(
      "showingCountsWhateverAnyoneClaims",
      [browser],
      [Scene("s1", of: "wiki", showing: [page]), Scene("s2", of: "browser", preferring: [page])]
    ),
    shown(
      "applicationThatClaimsSomethingElseTakesWhatItShows",
      [browser, Application("wiki", [], claims: Scenario.Claims(schemes: ["wiki"]))],
      [Scene("s1", of: "wiki", showing: [page])]
    ),
    shown(
      "showingCountsThoughNobodyTakesPart",
      [Application("wiki", [], claims: Scenario.Claims(schemes: ["wiki"]))],
      [Scene("s1", of: "wiki", showing: [page])]
    ),
    shown(
      "applicationForNamedEventsOnlyTakesWhatItShows",
      [browser, Application("viewer", source: .file(), isForNamedEventsOnly: true)],
      [Scene("s1", of: "viewer", showing: [page])]
    ),
    shown(
      "showingComesBeforeTheUserDefaultAndHosts",
      [
        browser, Application("wiki", [.window("main")], claims: Scenario.Claims(hosts: ["wiki.example.org"])),
      ],
      [Scene("s1", of: "alpha", showing: [page]), Scene("s2", of: "wiki", allowing: ["*"])],
      userDefault: "browser",
      hostChoices: ["wiki.example.org": "wiki"]
    ),
    shown(
      "showingComesBeforeTheChoiceForTheSender",
      [browser, other],
      [Scene("s1", of: "other", showing: [page])],
      senderChoices: [.scheme("https", from: "chat", "browser")],
      .url(page, from: "chat")
    ),
    shown(
      "firstOpenedOfThoseThatShow",
      by: "s2",
      [alpha, beta],
      [Scene("s2", of: "beta", showing: [page]), Scene("s1", of: "alpha", showing: [page])]
    ),
    shown(
      "activeOneOfThoseThatShow",
      by: "s2",
      [alpha, beta],
      [
        Scene("s1", of: "alpha", showing: [page], preferring: [page]),
        Scene("s2", of: "beta", showing: ["HTTPS://wiki.example.org:443/Home"]),
      ],
      reports: [.active("s2")]
    ),
    shown(
      "longerSpellingIsNoCloser",
      [alpha],
      [
        Scene("s1", of: "alpha", showing: ["https://h/"]),
        Scene("s2", of: "alpha", showing: ["https://h:443/a/../#somewhere"]),
      ],
      .url("https://h/")
    ),
    shown(
      "entryAndItsRegistrationsAreTold",
      [alpha],
      [
        Scene(
          "s1",
          of: "alpha",
          registrations: [
            Scenario.Registration("r1", showing: ["HTTPS://wiki.example.org/Home"]),
            Scenario.Registration("r2", showing: [page + "2"], preferring: [page]),
            Scenario.Registration("r3", showing: ["https://else.test/", page]),
          ]
        )
      ],
      patterns: ["HTTPS://wiki.example.org/Home", page],
      field: .url,
      registrations: ["r1", "r3"]
    ),
    shown(
      "pageOfAnActivityIsShown",
      [alpha],
      [Scene("s1", of: "alpha", showing: [page])],
      .activity(webpageURL: page),
      field: .webpageURL
    ),
    shown(
      "pageOfAnActivityIsShownBesideItsTarget",
      [alpha],
      [Scene("s1", of: "alpha", showing: [page]), Scene("s2", of: "alpha", preferring: ["album"])],
      .activity("album", webpageURL: page),
      field: .webpageURL
    ),
    shown(
      "namedApplicationTakesWhatItShows",
      by: "s2",
      [alpha],
      [Scene("s1", of: "alpha", preferring: [page]), Scene("s2", of: "alpha", showing: [page])],
      constraints: Scenario.Constraints(applicationId: "alpha")
    ),
    shown(
      "showingNeedsNoNewScene",
      [browser],
      [Scene("s1", of: "wiki", showing: [page])],
      constraints: Scenario.Constraints(allowNewScene: false)
    ),
    shown(
      "showingOfAnotherComesBeforeTheSingleScene",
      by: "s2",
      [singleBrowser],
      [Scene("s1", of: "browser"), Scene("s2", of: "wiki", showing: [page])],
      reports: [.active("s1")]
    ),
    shown(
      "singleSceneThatShowsIsAmongTheOthersThatDo",
      by: "s2",
      [singleBrowser],
      [Scene("s1", of: "wiki", showing: [page]), Scene("s2", of: "browser", showing: [page])],
      reports: [.active("s2")],
      patterns: [page]
    ),
    HandWrittenCase(
      "singleSceneComesBeforeShowing",
      applications: [singleBrowser],
      scenes: [Scene("s1", of: "browser", showing: [page])],
      event: url,
      attempts: ["singleScene s1 acknowledged"],
      end: .acknowledged,
      patterns: []
    ),
    HandWrittenCase(
      "namedApplicationIsAloneWhoeverShows",
      applications: [browser],
      scenes: [Scene("s1", of: "wiki", showing: [page])],
      event: url,
      constraints: Scenario.Constraints(applicationId: "browser"),
      attempts: ["default new browser/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "namedSceneIsAloneWhoeverShows",
      applications: [browser],
      scenes: [Scene("s1", of: "wiki", showing: [page]), Scene("s2", of: "browser")],
      event: url,
      constraints: Scenario.Constraints(sceneId: "s2"),
      attempts: ["explicit s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "originThatShowsDoesNotReceiveItsOwnEvent",
      applications: [singleBrowser],
      scenes: [Scene("s1", of: "wiki", showing: [page]), Scene("s2", of: "browser", "main")],
      event: url,
      constraints: Scenario.Constraints(originSceneId: "s1"),
      attempts: ["singleScene s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "whatIsShownAndDeclinedGoesByTheClaims",
      applications: [browser],
      scenes: [
        Scene("s1", of: "wiki", showing: [page], preferring: [page], allowing: ["*"], answers: .decline)
      ],
      event: url,
      attempts: ["showing s1 declined", "default new browser/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "declinedByThoseThatShowItGoesToTheSingleScene",
      applications: [singleBrowser],
      scenes: [
        Scene("s1", of: "wiki", showing: [page], answers: .decline),
        Scene("s2", of: "viewer", showing: [page], answers: .close),
        Scene("s3", of: "browser", "main", answers: .decline),
      ],
      event: url,
      attempts: ["showing s1 declined", "showing s2 sceneClosed", "singleScene s3 declined"],
      end: .declined
    ),
    HandWrittenCase(
      "declinedByThoseThatShowItGoesByAllRules",
      applications: [alpha, beta],
      scenes: [
        Scene("s1", of: "alpha", allowing: ["wiki"]),
        Scene("s2", of: "beta", preferring: ["wiki"], answers: .decline),
        Scene("s3", of: "alpha", showing: [page], answers: .decline),
      ],
      event: url,
      attempts: ["showing s3 declined", "preferring s2 declined", "allowing s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "partOfWhatIsShownIsNotShown",
      applications: [beta],
      scenes: [
        Scene("s1", of: "alpha", showing: ["https://wiki.example.org/"]),
        Scene("s2", of: "alpha", showing: ["https://wiki.example.org/Home/1"]),
      ],
      event: url,
      attempts: ["default new beta/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "targetOfAnActivityIsNotShown",
      applications: [beta],
      scenes: [Scene("s1", of: "alpha", showing: [page])],
      event: .activity(page),
      attempts: ["default new beta/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "whatIsShownIsNeitherPreferredNorAllowed",
      applications: [browser],
      scenes: [Scene("s1", of: "browser", showing: ["https://wiki.example.org/"], allowing: ["zither"])],
      event: .url("https://wiki.example.org/#/https://wiki.example.org/"),
      constraints: Scenario.Constraints(originSceneId: "s1"),
      attempts: ["default new browser/main acknowledged"],
      end: .acknowledged
    ),
  ]
}
