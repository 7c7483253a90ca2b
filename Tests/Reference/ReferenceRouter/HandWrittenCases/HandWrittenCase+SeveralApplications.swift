extension HandWrittenCase {
  private static let alpha = Application("alpha", [.window("main")])
  private static let beta = Application("beta", [.window("main")])
  private static let singleAlpha = Application("alpha", [.window("main")], isSingleScene: true)
  private static let lute = Scenario.Claims(schemes: ["lute"])

  private static func file(_ id: String) -> Application {
    Application(id, [.window("main")], claims: lute, source: .file())
  }

  /// The choice among several applications, none of which is the user's default.
  static let severalApplications = [
    HandWrittenCase(
      "specificPreferenceWinsEverywhere",
      applications: [alpha, beta],
      scenes: [
        Scene("s1", of: "alpha", preferring: ["*"], allowing: ["album"]),
        Scene("s2", of: "beta", preferring: ["album"]),
      ],
      reports: [.active("s1")],
      event: .activity("album"),
      attempts: ["preferring s2 acknowledged"],
      end: .acknowledged,
      patterns: ["album"]
    ),
    HandWrittenCase(
      "asteriskIsNoSpecificPreference",
      applications: [alpha, beta],
      scenes: [
        Scene("s1", of: "alpha", preferring: ["*", "zither"]),
        Scene("s2", of: "beta", preferring: ["*", "album"]),
      ],
      event: .activity("album"),
      attempts: ["preferring s2 acknowledged"],
      end: .acknowledged,
      patterns: ["album"]
    ),
    HandWrittenCase(
      "preferredAsteriskComesBeforeAllowing",
      applications: [alpha, beta],
      scenes: [Scene("s1", of: "alpha", allowing: ["album"]), Scene("s2", of: "beta", preferring: ["*"])],
      event: .activity("album"),
      attempts: ["preferring s2 acknowledged"],
      end: .acknowledged,
      patterns: ["*"]
    ),
    HandWrittenCase(
      "allowingOverAllComesBeforeDeclarations",
      applications: [Application("alpha", [.window("main", ["album"])]), beta],
      scenes: [Scene("s1", of: "beta", allowing: ["*"])],
      event: .activity("album"),
      attempts: ["allowing s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "declarationsOverAllComeBeforeDefaults",
      applications: [alpha, Application("beta", [.window("main"), .window("detail", ["album"])])],
      event: .activity("album"),
      attempts: ["matching new beta/detail acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "documentsOverAllComeBeforeDefaults",
      applications: [alpha, Application("beta", [.document("doc", ["alb"])])],
      event: .url("file:///srv/1.alb"),
      attempts: ["document new beta/doc acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "chainGoesOverAllApplications",
      applications: [
        Application(
          "alpha",
          [.window("main", answers: .decline), .window("detail", ["album"], answers: .decline)]
        ),
        Application(
          "beta",
          [.window("main", answers: .open(.acknowledge)), .window("detail", ["alb"], answers: .decline)]
        ),
      ],
      scenes: [
        Scene("s1", of: "alpha", allowing: ["album"], answers: .decline),
        Scene("s2", of: "beta", preferring: ["*"], answers: .decline),
        Scene("s3", of: "alpha", preferring: ["album"], answers: .decline),
      ],
      event: .activity("album"),
      attempts: [
        "preferring s3 declined", "preferring s2 declined", "allowing s1 declined",
        "matching new alpha/detail launchFailed", "matching new beta/detail launchFailed",
        "default new alpha/main launchFailed", "default new beta/main acknowledged",
      ],
      end: .acknowledged
    ),
    HandWrittenCase(
      "singleSceneAmongSeveralAllowsEverything",
      applications: [singleAlpha, Application("beta", [.window("main", ["album"])])],
      scenes: [Scene("s1", of: "alpha", "main", preferring: ["zither"], allowing: ["album"])],
      event: .activity("album"),
      attempts: ["allowing s1 acknowledged"],
      end: .acknowledged,
      patterns: ["*"],
      registrations: []
    ),
    HandWrittenCase(
      "singleSceneAmongSeveralWaitsItsTurn",
      applications: [singleAlpha, beta],
      scenes: [Scene("s1", of: "beta", allowing: ["album"]), Scene("s2", of: "alpha", "main")],
      event: .activity("album"),
      attempts: ["allowing s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "singleSceneAmongSeveralMayPrefer",
      applications: [singleAlpha, beta],
      scenes: [
        Scene("s1", of: "beta", preferring: ["*"]), Scene("s2", of: "alpha", "main", preferring: ["album"]),
      ],
      event: .activity("album"),
      attempts: ["preferring s2 acknowledged"],
      end: .acknowledged,
      patterns: ["album"],
      registrations: ["s2.view"]
    ),
    HandWrittenCase(
      "singleSceneAmongSeveralThatDeclinesDoesNotEndTheEvent",
      applications: [singleAlpha, beta],
      scenes: [Scene("s1", of: "alpha", "main", answers: .decline)],
      event: .activity("album"),
      attempts: ["allowing s1 declined", "default new beta/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "singleSceneAmongSeveralOpensNothingWhileItsSceneIsOpen",
      applications: [
        Application("alpha", [.window("detail", ["album"]), .window("main")], isSingleScene: true), beta,
      ],
      scenes: [Scene("s1", of: "alpha", "main")],
      event: .activity("album"),
      constraints: Scenario.Constraints(originSceneId: "s1"),
      attempts: ["default new beta/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "singleSceneAmongSeveralWithoutASceneOpensOne",
      applications: [singleAlpha, Application("beta", [.window("main", [])])],
      event: .activity("album"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "noApplicationAtAll",
      event: .activity("album"),
      attempts: [],
      end: .notRouted
    ),
    HandWrittenCase(
      "applicationThatGoesAwayLeavesTheOtherAlone",
      applications: [singleAlpha],
      scenes: [
        Scene("s1", of: "gamma", preferring: ["album"], answers: .close), Scene("s2", of: "alpha", "main"),
      ],
      event: .activity("album"),
      attempts: ["preferring s1 sceneClosed", "singleScene s2 acknowledged"],
      end: .acknowledged
    ),
  ]

  /// Cases in which one of several applications is the user's default for the event.
  static let userDefaults = [
    HandWrittenCase(
      "userDefaultComesBeforeAllOthers",
      applications: [alpha, beta],
      scenes: [Scene("s1", of: "alpha", preferring: ["*"], allowing: ["album"])],
      userDefault: "beta",
      event: .activity("album"),
      attempts: ["default new beta/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "specificPreferenceComesBeforeTheUserDefault",
      applications: [alpha, beta],
      scenes: [
        Scene("s1", of: "beta", allowing: ["album"]), Scene("s2", of: "alpha", preferring: ["album"]),
      ],
      userDefault: "beta",
      event: .activity("album"),
      attempts: ["preferring s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "userDefaultMayPreferByAsterisk",
      applications: [alpha, beta],
      scenes: [
        Scene("s1", of: "alpha", preferring: ["*"]), Scene("s2", of: "beta", allowing: ["album"]),
        Scene("s3", of: "beta", preferring: ["*"]),
      ],
      userDefault: "beta",
      event: .activity("album"),
      attempts: ["preferring s3 acknowledged"],
      end: .acknowledged,
      patterns: ["*"]
    ),
    HandWrittenCase(
      "userDefaultThatTakesNothingLeavesItToTheOthers",
      applications: [alpha, Application("beta", [.window("main", ["zither"])])],
      scenes: [Scene("s1", of: "alpha", allowing: ["*"])],
      userDefault: "beta",
      event: .activity("album"),
      attempts: ["allowing s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "userDefaultThatDoesNotTakePartIsSkipped",
      applications: [
        Application("beta", [.window("main")], claims: lute), alpha, Application("gamma", [.window("main")]),
      ],
      userDefault: "beta",
      event: .activity("album"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "userDefaultThatIsSingleSceneUsesTheRuleOfOne",
      applications: [beta, singleAlpha],
      scenes: [Scene("s1", of: "beta", allowing: ["album"]), Scene("s2", of: "alpha", "main")],
      userDefault: "alpha",
      event: .activity("album"),
      attempts: ["singleScene s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "userDefaultThatIsSingleSceneEndsTheEvent",
      applications: [beta, singleAlpha],
      scenes: [
        Scene("s1", of: "beta", allowing: ["album"]), Scene("s2", of: "alpha", "main", answers: .decline),
      ],
      userDefault: "alpha",
      event: .activity("album"),
      attempts: ["singleScene s2 declined"],
      end: .declined
    ),
    HandWrittenCase(
      "othersComeAfterAllOfTheUserDefault",
      applications: [alpha, Application("beta", [.window("main", answers: .decline)])],
      scenes: [
        Scene("s1", of: "alpha", allowing: ["album"]),
        Scene("s2", of: "beta", allowing: ["*"], answers: .decline),
      ],
      userDefault: "beta",
      event: .activity("album"),
      attempts: ["allowing s2 declined", "default new beta/main launchFailed", "allowing s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "oneOtherStillGoesByTheRulesOfSeveral",
      applications: [singleAlpha, Application("beta", [.window("main", [])])],
      scenes: [Scene("s1", of: "alpha", "main")],
      userDefault: "beta",
      event: .activity("album"),
      attempts: ["allowing s1 acknowledged"],
      end: .acknowledged,
      patterns: ["*"]
    ),
  ]

  /// The order in which the router tries the scenes and the declarations of several applications.
  static let orderAcrossApplications = [
    HandWrittenCase(
      "connectionsInTheOrderTheyDeclared",
      applications: [beta, alpha],
      event: .activity("album"),
      attempts: ["default new beta/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "orderIsWithinEachRule",
      applications: [
        Application(
          "beta",
          [.window("main", answers: .decline), .window("b", ["album"], answers: .decline)]
        ),
        Application("alpha", [.window("a", ["album"], answers: .decline), .window("main")]),
      ],
      event: .activity("album"),
      attempts: [
        "matching new beta/b launchFailed", "matching new alpha/a launchFailed",
        "default new beta/main launchFailed", "default new alpha/main acknowledged",
      ],
      end: .acknowledged
    ),
    HandWrittenCase(
      "connectionsComeBeforeFiles",
      applications: [file("alpha"), Application("beta", [.window("main")], claims: lute)],
      event: .url("lute:album"),
      attempts: ["default new beta/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "filesInTheOrderOfAssociations",
      applications: [file("alpha"), file("beta")],
      order: ["nowhere", "beta"],
      event: .url("lute:album"),
      attempts: ["default new beta/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "filesWithoutAssociationsById",
      applications: [file("beta"), file("alpha")],
      event: .url("lute:album"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "openingOrderOfScenesIsNotTheOrderOfApplications",
      applications: [file("beta"), file("alpha")],
      scenes: [Scene("s1", of: "beta", allowing: ["*"]), Scene("s2", of: "alpha", allowing: ["*"])],
      event: .url("lute:album"),
      attempts: ["allowing s1 acknowledged"],
      end: .acknowledged
    ),
  ]
}
