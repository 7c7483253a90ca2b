extension HandWrittenCase {
  private static func decliningScenes(_ count: Int) -> [Scene] {
    (1...count).map { Scene("s\($0)", of: "alpha", allowing: ["*"], answers: .decline) }
  }

  /// Cases that show what the router does next if the first target does not take an event.
  static let chains = [
    HandWrittenCase(
      "chainGoesThroughAllRules",
      applications: [
        Application(
          "alpha",
          [
            .window("main", answers: .decline), .document("doc", ["alb"], answers: .open(.decline)),
            .window("detail", ["album"], answers: .open(.close)), .window("second"),
          ]
        )
      ],
      scenes: [
        Scene("s1", of: "alpha", allowing: ["album"], answers: .decline),
        Scene("s2", of: "alpha", preferring: ["album"], answers: .decline),
        Scene("s3", of: "alpha", preferring: ["*"], allowing: ["*"], answers: .close),
      ],
      event: .url("file:///album/1.alb"),
      attempts: [
        "preferring s2 declined", "preferring s3 sceneClosed", "allowing s1 declined",
        "document new alpha/doc declined", "matching new alpha/detail sceneClosed",
        "default new alpha/main launchFailed", "default new alpha/second acknowledged",
      ],
      end: .acknowledged
    ),
    HandWrittenCase(
      "sceneIsTriedOnce",
      scenes: [
        Scene("s1", of: "alpha", preferring: ["album"], allowing: ["album", "*"], answers: .decline)
      ],
      event: .activity("album"),
      attempts: ["preferring s1 declined"],
      end: .declined
    ),
    HandWrittenCase(
      "newSceneIsTriedOnce",
      applications: [Application("alpha", [.window("main", answers: .open(.decline))])],
      event: .activity("album"),
      attempts: ["default new alpha/main declined"],
      end: .declined
    ),
    HandWrittenCase(
      "requestIsMadeOnce",
      applications: [Application("alpha", [.window("main", answers: .decline)])],
      event: .activity("album"),
      attempts: ["default new alpha/main launchFailed"],
      end: .launchFailed
    ),
    HandWrittenCase(
      "newSceneThatClosesIsNotOpenedAgain",
      applications: [Application("alpha", [.window("main", ["album"], answers: .open(.close))])],
      event: .activity("album"),
      attempts: ["matching new alpha/main sceneClosed"],
      end: .sceneClosed
    ),
    HandWrittenCase(
      "endIsThatOfTheLastAttempt",
      applications: [Application("alpha", [.window("main", answers: .decline)])],
      scenes: [Scene("s1", of: "alpha", allowing: ["*"], answers: .decline)],
      event: .activity("album"),
      attempts: ["allowing s1 declined", "default new alpha/main launchFailed"],
      end: .launchFailed
    ),
    HandWrittenCase(
      "applicationThatGoesAwayLeavesTheLastFailure",
      scenes: [Scene("s1", of: "alpha", allowing: ["*"], answers: .close)],
      event: .activity("album"),
      constraints: Scenario.Constraints(applicationId: "alpha"),
      attempts: ["allowing s1 sceneClosed"],
      end: .sceneClosed
    ),
    HandWrittenCase(
      "chainOpensNothingIfNoNewSceneIsAllowed",
      applications: [Application("alpha", [.window("main"), .window("detail", ["album"])])],
      scenes: [Scene("s1", of: "alpha", "main", allowing: ["*"], answers: .decline)],
      event: .activity("album"),
      constraints: Scenario.Constraints(allowNewScene: false),
      attempts: ["allowing s1 declined"],
      end: .declined
    ),
    HandWrittenCase(
      "chainSkipsTheOrigin",
      scenes: decliningScenes(3),
      event: .activity("album"),
      constraints: Scenario.Constraints(originSceneId: "s2"),
      attempts: ["allowing s1 declined", "allowing s3 declined"],
      end: .declined
    ),
    HandWrittenCase(
      "eighthAttemptMayTakeTheEvent",
      applications: [Application("alpha", [.window("main")])],
      scenes: decliningScenes(7),
      event: .activity("album"),
      attempts: (1...7).map { "allowing s\($0) declined" } + ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "thereIsNoNinthAttempt",
      applications: [Application("alpha", [.window("main")])],
      scenes: decliningScenes(8),
      event: .activity("album"),
      attempts: (1...8).map { "allowing s\($0) declined" },
      end: .declined
    ),
    HandWrittenCase(
      "declarationsAreTriedInOrder",
      applications: [
        Application(
          "alpha",
          [
            .window("a", ["album"], answers: .decline), .window("b"), .window("c", ["zither"]),
            .window("d", ["*"], answers: .open(.decline)), .window("e", ["ALBUM"], answers: .open(.close)),
          ]
        )
      ],
      event: .activity("album"),
      attempts: [
        "matching new alpha/a launchFailed", "matching new alpha/d declined",
        "matching new alpha/e sceneClosed", "default new alpha/b acknowledged",
      ],
      end: .acknowledged
    ),
  ]
}
