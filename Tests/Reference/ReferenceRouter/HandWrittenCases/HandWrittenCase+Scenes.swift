extension HandWrittenCase {
  private static let alpha = Application("alpha", [.window("main")])

  /// Cases that show in which order the router tries several open scenes.
  static let order = [
    HandWrittenCase(
      "openingOrderWithoutReports",
      scenes: [Scene("s2", of: "alpha", allowing: ["*"]), Scene("s1", of: "alpha", allowing: ["*"])],
      event: .activity("album"),
      attempts: ["allowing s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "activeSceneIsFirst",
      scenes: [Scene("s1", of: "alpha", allowing: ["*"]), Scene("s2", of: "alpha", allowing: ["*"])],
      reports: [.active("s2")],
      event: .activity("album"),
      attempts: ["allowing s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "laterReportIsFirst",
      scenes: [
        Scene("s1", of: "alpha", preferring: ["album"]),
        Scene("s2", of: "alpha", preferring: ["album"]),
        Scene("s3", of: "alpha", preferring: ["album"]),
      ],
      reports: [.active("s3"), .active("s1"), .active("s2"), .active("s3")],
      event: .activity("album"),
      attempts: ["preferring s3 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "reportOfInactivityChangesNothing",
      scenes: [Scene("s1", of: "alpha", allowing: ["*"]), Scene("s2", of: "alpha", allowing: ["*"])],
      reports: [.inactive("s1"), .active("s2"), .inactive("s2"), .inactive("s1")],
      event: .activity("album"),
      attempts: ["allowing s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "reportOfInactivityAloneIsNoActivity",
      scenes: [Scene("s1", of: "alpha", allowing: ["*"]), Scene("s2", of: "alpha", allowing: ["*"])],
      reports: [.inactive("s2")],
      event: .activity("album"),
      attempts: ["allowing s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "tierComesBeforeActivity",
      scenes: [
        Scene("s1", of: "alpha", allowing: ["album"]), Scene("s2", of: "alpha", preferring: ["album"]),
      ],
      reports: [.active("s2"), .active("s1")],
      event: .activity("album"),
      attempts: ["preferring s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "activeScenesBeforeAllOthers",
      scenes: [
        Scene("s1", of: "alpha", allowing: ["*"], answers: .decline),
        Scene("s2", of: "alpha", allowing: ["*"], answers: .decline),
        Scene("s3", of: "alpha", allowing: ["*"], answers: .decline),
        Scene("s4", of: "alpha", allowing: ["*"], answers: .acknowledge),
      ],
      reports: [.active("s3"), .active("s2")],
      event: .activity("album"),
      attempts: [
        "allowing s2 declined", "allowing s3 declined", "allowing s1 declined", "allowing s4 acknowledged",
      ],
      end: .acknowledged
    ),
    HandWrittenCase(
      "activityOrdersTheScenesOfAllApplications",
      applications: [alpha, Application("beta")],
      scenes: [
        Scene("s1", of: "alpha", allowing: ["*"]), Scene("s2", of: "beta", allowing: ["*"]),
        Scene("s3", of: "alpha", allowing: ["*"]),
      ],
      reports: [.active("s3"), .active("s2")],
      event: .activity("album"),
      attempts: ["allowing s2 acknowledged"],
      end: .acknowledged
    ),
  ]

  /// Events with an origin scene, and events sent to an explicit scene.
  static let originsAndExplicitTargets = [
    HandWrittenCase(
      "originDoesNotReceiveItsOwnEvent",
      applications: [alpha],
      scenes: [Scene("s1", of: "alpha", preferring: ["album"]), Scene("s2", of: "alpha", allowing: ["*"])],
      event: .activity("album"),
      constraints: Scenario.Constraints(originSceneId: "s1"),
      attempts: ["allowing s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "originLeavesOnlyANewScene",
      applications: [alpha],
      scenes: [Scene("s1", of: "alpha", "main", preferring: ["album"], allowing: ["*"])],
      event: .activity("album"),
      constraints: Scenario.Constraints(originSceneId: "s1"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "originAloneIsNotRouted",
      scenes: [Scene("s1", of: "alpha", preferring: ["album"], allowing: ["*"])],
      event: .activity("album"),
      constraints: Scenario.Constraints(originSceneId: "s1"),
      attempts: [],
      end: .notRouted
    ),
    HandWrittenCase(
      "unknownOriginExcludesNothing",
      scenes: [Scene("s1", of: "alpha", allowing: ["album"])],
      event: .activity("album"),
      constraints: Scenario.Constraints(originSceneId: "nowhere"),
      attempts: ["allowing s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "explicitSceneWhateverItsSets",
      applications: [alpha],
      scenes: [
        Scene("s1", of: "alpha", preferring: ["album"]),
        Scene("s2", of: "alpha", preferring: ["zither"], allowing: []),
      ],
      event: .activity("album"),
      constraints: Scenario.Constraints(sceneId: "s2"),
      attempts: ["explicit s2 acknowledged"],
      end: .acknowledged,
      patterns: [],
      registrations: []
    ),
    HandWrittenCase(
      "explicitSceneEvenIfItIsTheOrigin",
      scenes: [Scene("s1", of: "alpha"), Scene("s2", of: "alpha", allowing: ["*"])],
      event: .activity("album"),
      constraints: Scenario.Constraints(sceneId: "s1", originSceneId: "s1"),
      attempts: ["explicit s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "explicitSceneOfAnApplicationThatDoesNotClaimTheEvent",
      applications: [
        Application("alpha", claims: Scenario.Claims(schemes: ["alpha"])),
        Application("beta", [.window("main")], claims: Scenario.Claims(schemes: ["beta"])),
      ],
      scenes: [Scene("s1", of: "alpha")],
      event: .url("beta:album"),
      constraints: Scenario.Constraints(sceneId: "s1"),
      attempts: ["explicit s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "explicitSceneThatDeclinesEndsTheEvent",
      applications: [alpha],
      scenes: [
        Scene("s1", of: "alpha", preferring: ["album"], answers: .decline),
        Scene("s2", of: "alpha", allowing: ["*"]),
      ],
      event: .activity("album"),
      constraints: Scenario.Constraints(sceneId: "s1"),
      attempts: ["explicit s1 declined"],
      end: .declined
    ),
    HandWrittenCase(
      "explicitSceneThatClosesEndsTheEvent",
      applications: [alpha],
      scenes: [Scene("s1", of: "alpha", answers: .close), Scene("s2", of: "alpha", allowing: ["*"])],
      event: .activity("album"),
      constraints: Scenario.Constraints(sceneId: "s1"),
      attempts: ["explicit s1 sceneClosed"],
      end: .sceneClosed
    ),
    HandWrittenCase(
      "unknownExplicitScene",
      applications: [alpha],
      scenes: [Scene("s1", of: "alpha", allowing: ["*"])],
      event: .activity("album"),
      constraints: Scenario.Constraints(sceneId: "nowhere"),
      attempts: [],
      end: .noSuchScene
    ),
  ]
}
