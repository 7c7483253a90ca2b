extension HandWrittenCase {
  /// Cases with an application that has one scene at most.
  static let singleScenes = [
    HandWrittenCase(
      "singleSceneTakesEverything",
      applications: [Application("alpha", [.window("detail", ["album"])], isSingleScene: true)],
      scenes: [Scene("s1", of: "alpha", "main", preferring: ["zither"], allowing: ["zither"])],
      event: .activity("album"),
      attempts: ["singleScene s1 acknowledged"],
      end: .acknowledged,
      patterns: [],
      registrations: []
    ),
    HandWrittenCase(
      "singleSceneComesBeforeItsOwnPreference",
      applications: [Application("alpha", isSingleScene: true)],
      scenes: [Scene("s1", of: "alpha", preferring: ["album"], allowing: ["*"])],
      event: .activity(),
      attempts: ["singleScene s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "singleSceneThatIsNotOpenIsOpenedByMatching",
      applications: [
        Application("alpha", [.window("main"), .window("detail", ["album"])], isSingleScene: true)
      ],
      event: .activity("album"),
      attempts: ["matching new alpha/detail acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "singleSceneThatIsNotOpenIsOpenedByDefault",
      applications: [
        Application("alpha", [.window("detail", ["zither"]), .window("main")], isSingleScene: true)
      ],
      event: .activity("album"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "singleSceneThatIsTheOriginOpensNothing",
      applications: [
        Application("alpha", [.window("main"), .window("detail", ["album"])], isSingleScene: true)
      ],
      scenes: [Scene("s1", of: "alpha", "main")],
      event: .activity("album"),
      constraints: Scenario.Constraints(originSceneId: "s1"),
      attempts: [],
      end: .notRouted
    ),
    HandWrittenCase(
      "singleSceneThatDeclinesEndsTheEvent",
      applications: [Application("alpha", [.window("main")], isSingleScene: true)],
      scenes: [Scene("s1", of: "alpha", "main", answers: .decline)],
      event: .activity("album"),
      attempts: ["singleScene s1 declined"],
      end: .declined
    ),
    HandWrittenCase(
      "singleSceneThatClosesEndsTheEvent",
      applications: [Application("alpha", [.window("main")], isSingleScene: true)],
      scenes: [Scene("s1", of: "alpha", "main", answers: .close)],
      event: .activity("album"),
      attempts: ["singleScene s1 sceneClosed"],
      end: .sceneClosed
    ),
    HandWrittenCase(
      "firstOfSeveralScenesIsTheSingleOne",
      applications: [Application("alpha", isSingleScene: true)],
      scenes: [Scene("s1", of: "alpha", preferring: ["album"]), Scene("s2", of: "alpha")],
      reports: [.active("s2")],
      event: .activity("album"),
      attempts: ["singleScene s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "singleSceneThatOpensAndDeclinesIsTheOnlyOne",
      applications: [
        Application(
          "alpha",
          [.window("detail", ["album"], answers: .open(.decline)), .window("main")],
          isSingleScene: true
        )
      ],
      event: .activity("album"),
      attempts: ["matching new alpha/detail declined"],
      end: .declined
    ),
    HandWrittenCase(
      "singleSceneThatOpensAndClosesMakesRoom",
      applications: [
        Application(
          "alpha",
          [.window("detail", ["album"], answers: .open(.close)), .window("main")],
          isSingleScene: true
        )
      ],
      event: .activity("album"),
      attempts: ["matching new alpha/detail sceneClosed", "default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "singleSceneThatDoesNotOpenMakesRoom",
      applications: [
        Application(
          "alpha",
          [.window("detail", ["album"], answers: .decline), .window("main")],
          isSingleScene: true
        )
      ],
      event: .activity("album"),
      attempts: ["matching new alpha/detail launchFailed", "default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "singleSceneTakesTheEventThoughNoNewSceneIsAllowed",
      applications: [Application("alpha", [.window("main")], isSingleScene: true)],
      scenes: [Scene("s1", of: "alpha", "main")],
      event: .activity("album"),
      constraints: Scenario.Constraints(allowNewScene: false),
      attempts: ["singleScene s1 acknowledged"],
      end: .acknowledged
    ),
  ]

  private static let singleton = Scenario.Declaration.window("info", ["album"], isSingleton: true)
  private static let other = Scenario.Declaration.window("other", ["album"])

  /// Declarations that have one scene at most.
  static let singletons = [
    HandWrittenCase(
      "singletonRoutesToItsOpenScene",
      applications: [Application("alpha", [singleton, other])],
      scenes: [Scene("s1", of: "alpha", "other"), Scene("s2", of: "alpha", "info", allowing: ["zither"])],
      event: .activity("album"),
      attempts: ["matching s2 acknowledged"],
      end: .acknowledged,
      patterns: ["album"],
      field: .targetContentIdentifier
    ),
    HandWrittenCase(
      "singletonWithoutASceneOpensOne",
      applications: [Application("alpha", [singleton, other])],
      scenes: [Scene("s1", of: "alpha", "other")],
      event: .activity("album"),
      attempts: ["matching new alpha/info acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "defaultSingletonRoutesToItsOpenScene",
      applications: [Application("alpha", [.window("main", isSingleton: true)])],
      scenes: [Scene("s1", of: "alpha", "main")],
      event: .activity("album"),
      attempts: ["default s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "documentSingletonRoutesToItsOpenScene",
      applications: [Application("alpha", [.document("doc", ["alb"], isSingleton: true)])],
      scenes: [Scene("s1", of: "alpha", "doc")],
      event: .url("file:///srv/1.alb"),
      attempts: ["document s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "singletonThatIsTheOriginIsSkipped",
      applications: [Application("alpha", [singleton, other])],
      scenes: [Scene("s1", of: "alpha", "info")],
      event: .activity("album"),
      constraints: Scenario.Constraints(originSceneId: "s1"),
      attempts: ["matching new alpha/other acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "defaultSingletonThatIsTheOriginIsSkipped",
      applications: [Application("alpha", [.window("main", isSingleton: true), .window("second")])],
      scenes: [Scene("s1", of: "alpha", "main")],
      event: .activity("album"),
      constraints: Scenario.Constraints(originSceneId: "s1"),
      attempts: ["default new alpha/second acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "singletonThatDeclinedIsSkipped",
      applications: [Application("alpha", [singleton, other])],
      scenes: [Scene("s1", of: "alpha", "info", preferring: ["album"], answers: .decline)],
      event: .activity("album"),
      attempts: ["preferring s1 declined", "matching new alpha/other acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "singletonThatClosesIsOpenedAgain",
      applications: [Application("alpha", [singleton, other])],
      scenes: [Scene("s1", of: "alpha", "info", answers: .close)],
      event: .activity("album"),
      attempts: ["matching s1 sceneClosed", "matching new alpha/info acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "singletonWhoseRequestWasDeclinedIsSkipped",
      applications: [
        Application("alpha", [.window("info", ["album"], isSingleton: true, answers: .decline), other])
      ],
      event: .activity("album"),
      attempts: ["matching new alpha/info launchFailed", "matching new alpha/other acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "singletonThatOpensAndDeclinesIsSkipped",
      applications: [
        Application(
          "alpha",
          [.window("info", ["album"], isSingleton: true, answers: .open(.decline)), other]
        )
      ],
      event: .activity("album"),
      attempts: ["matching new alpha/info declined", "matching new alpha/other acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "sceneOfAnotherApplicationIsNotTheSingleton",
      applications: [Application("alpha", [singleton])],
      scenes: [Scene("s1", of: "beta", "info")],
      event: .activity("album"),
      attempts: ["matching new alpha/info acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "openSingletonTakesTheEventThoughNoNewSceneIsAllowed",
      applications: [Application("alpha", [other, singleton])],
      scenes: [Scene("s1", of: "alpha", "info"), Scene("s2", of: "alpha", "other")],
      event: .activity("album"),
      constraints: Scenario.Constraints(allowNewScene: false),
      attempts: ["matching s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "nothingOpensIfNoNewSceneIsAllowed",
      applications: [Application("alpha", [singleton, other, .window("main")])],
      scenes: [Scene("s1", of: "alpha", "other")],
      event: .activity("album"),
      constraints: Scenario.Constraints(allowNewScene: false),
      attempts: [],
      end: .notRouted
    ),
  ]
}
