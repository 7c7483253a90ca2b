extension HandWrittenCase {
  private static let alpha = Application("alpha", [.window("main")])
  private static let beta = Application("beta", [.window("main")])
  private static let singleAlpha = Application("alpha", [.window("main")], isSingleScene: true)

  /// A case in which two scenes of one application match, and one of the two scenes takes the event.
  private static func two(
    _ name: String,
    _ first: Scene,
    _ second: Scene,
    reports: [Scenario.ActivityReport] = [],
    _ event: Scenario.Event = .url("photos://album/4711"),
    by attempt: String,
    patterns: Set<String>? = nil,
    registrations: Set<String>? = nil
  ) -> HandWrittenCase {
    HandWrittenCase(
      name,
      applications: [alpha],
      scenes: [first, second],
      reports: reports,
      event: event,
      attempts: ["\(attempt) acknowledged"],
      end: .acknowledged,
      patterns: patterns,
      registrations: registrations
    )
  }

  /// Among scenes that prefer an event, the scene with the longest matching identifier comes first.
  ///
  /// The same holds among scenes that allow an event, unless one of them is of the user's default application.
  static let closestFirst = [
    two(
      "longestIdentifierIsClosest",
      Scene("s1", of: "alpha", preferring: ["album/4"]),
      Scene("s2", of: "alpha", preferring: ["album/4711"]),
      reports: [.active("s2"), .active("s1")],
      by: "preferring s2",
      patterns: ["album/4711"]
    ),
    two(
      "nestedProjectIsClosest",
      Scene("s1", of: "alpha", allowing: ["file:///p/"]),
      Scene("s2", of: "alpha", allowing: ["file:///p/sub/"]),
      .url("file:///p/sub/x.c"),
      by: "allowing s2"
    ),
    two(
      "activityDecidesBetweenEquallyClose",
      Scene("s1", of: "alpha", preferring: ["photos"]),
      Scene("s2", of: "alpha", preferring: ["4711/a"]),
      reports: [.active("s2")],
      .url("photos://album/4711/a"),
      by: "preferring s2"
    ),
    two(
      "openingOrderDecidesBetweenEquallyClose",
      Scene("s2", of: "alpha", allowing: ["4711"]),
      Scene("s1", of: "alpha", allowing: ["ALBU"]),
      by: "allowing s2"
    ),
    two(
      "asteriskIsShorterThanOneLetter",
      Scene("s1", of: "alpha", preferring: ["*"]),
      Scene("s2", of: "alpha", preferring: ["a"]),
      reports: [.active("s1")],
      by: "preferring s2",
      patterns: ["a"]
    ),
    two(
      "asteriskOfAllowingIsShorterThanAny",
      Scene("s1", of: "alpha", allowing: ["*"]),
      Scene("s2", of: "alpha", allowing: ["album/4711"]),
      by: "allowing s2"
    ),
    two(
      "asteriskIsShortThoughTheEventHasOne",
      Scene("s1", of: "alpha", preferring: ["*"]),
      Scene("s2", of: "alpha", preferring: ["x"]),
      .url("x:a*b"),
      by: "preferring s2"
    ),
    two(
      "asteriskBesideALongerIdentifierDoesNotCount",
      Scene("s1", of: "alpha", preferring: ["album"]),
      Scene("s2", of: "alpha", preferring: ["*", "album/"]),
      by: "preferring s2",
      patterns: ["album/"]
    ),
    two(
      "longestOfTheUnionCounts",
      Scene("s1", of: "alpha", preferring: ["album/4"]),
      Scene(
        "s2",
        of: "alpha",
        registrations: [
          Scenario.Registration("r1", preferring: ["a"]),
          Scenario.Registration("r2", preferring: ["album/47"]),
          Scenario.Registration("r3", preferring: ["zither"]),
        ]
      ),
      by: "preferring s2",
      patterns: ["album/47"],
      registrations: ["r1", "r2"]
    ),
    two(
      "identifierThatDoesNotMatchHasNoLength",
      Scene("s1", of: "alpha", preferring: ["a", "album/4711/comments"]),
      Scene("s2", of: "alpha", preferring: ["al"]),
      by: "preferring s2"
    ),
    two(
      "lengthIsThatOfTheFoldedText",
      Scene("s1", of: "alpha", preferring: ["e\u{301}\u{301}\u{301}"]),
      Scene("s2", of: "alpha", preferring: ["te"]),
      .url("x:t\u{E9}"),
      by: "preferring s2"
    ),
    two(
      "foldingMakesLonger",
      Scene("s1", of: "alpha", preferring: ["s"]),
      Scene("s2", of: "alpha", preferring: ["\u{1E9E}"]),
      .url("x:strasse"),
      by: "preferring s2"
    ),
    two(
      "lengthIsInBytes",
      Scene("s1", of: "alpha", preferring: ["ab"]),
      Scene("s2", of: "alpha", preferring: ["\u{65E5}"]),
      .url("x:ab\u{65E5}"),
      by: "preferring s2"
    ),
    two(
      "tierComesBeforeLength",
      Scene("s1", of: "alpha", allowing: ["album/4711"]),
      Scene("s2", of: "alpha", preferring: ["a"]),
      by: "preferring s2"
    ),
    two(
      "lengthIsThatOfTheTier",
      Scene("s1", of: "alpha", preferring: ["alb"], allowing: ["photos://album/4711"]),
      Scene("s2", of: "alpha", preferring: ["album"]),
      by: "preferring s2"
    ),
    HandWrittenCase(
      "declarationsKeepTheirOrderWhateverIsLonger",
      applications: [Application("alpha", [.window("any", ["a"]), .window("album", ["album/4711"])])],
      event: .url("photos://album/4711"),
      attempts: ["matching new alpha/any acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "nextClosestFollows",
      applications: [alpha],
      scenes: [
        Scene("s1", of: "alpha", allowing: ["*"], answers: .decline),
        Scene("s2", of: "alpha", allowing: ["album"], answers: .decline),
        Scene("s3", of: "alpha", allowing: ["album/4711"], answers: .close),
        Scene("s4", of: "alpha", allowing: ["4711a"], answers: .decline),
        Scene("s5", of: "alpha", allowing: ["album/4"], answers: .decline),
      ],
      event: .activity("album/4711"),
      attempts: [
        "allowing s3 sceneClosed", "allowing s5 declined", "allowing s2 declined", "allowing s1 declined",
        "default new alpha/main acknowledged",
      ],
      end: .acknowledged
    ),
    HandWrittenCase(
      "closestPreferenceOfAllApplicationsWins",
      applications: [alpha, beta],
      scenes: [
        Scene("s1", of: "alpha", preferring: ["forge"]),
        Scene("s2", of: "beta", preferring: ["forge.test/team"]),
      ],
      reports: [.active("s1")],
      userDefault: "alpha",
      event: .url("https://forge.test/team/1"),
      attempts: ["preferring s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "closestAllowanceOfAllApplicationsWins",
      applications: [alpha, beta],
      scenes: [Scene("s1", of: "alpha", allowing: ["alb"]), Scene("s2", of: "beta", allowing: ["album"])],
      reports: [.active("s1")],
      event: .activity("album"),
      attempts: ["allowing s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "asteriskOfThePreferredIsTheShortestAmongSeveral",
      applications: [alpha, beta],
      scenes: [
        Scene("s1", of: "alpha", preferring: ["*"]), Scene("s2", of: "beta", preferring: ["*", "zither"]),
      ],
      reports: [.active("s2")],
      event: .activity("album"),
      attempts: ["preferring s2 acknowledged"],
      end: .acknowledged,
      patterns: ["*"]
    ),
    HandWrittenCase(
      "singleSceneAmongSeveralIsAsCloseAsAnAsterisk",
      applications: [singleAlpha, beta],
      scenes: [
        Scene("s1", of: "alpha", "main", allowing: ["album/4711"]), Scene("s2", of: "beta", allowing: ["a"]),
      ],
      reports: [.active("s1")],
      event: .activity("album/4711"),
      attempts: ["allowing s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "singleSceneAmongSeveralIsAnEqualOfAsterisks",
      applications: [singleAlpha, beta],
      scenes: [Scene("s1", of: "beta", allowing: ["*"]), Scene("s2", of: "alpha", "main")],
      reports: [.active("s2")],
      event: .activity("album"),
      attempts: ["allowing s2 acknowledged"],
      end: .acknowledged,
      patterns: ["*"],
      registrations: []
    ),
    HandWrittenCase(
      "singleSceneAmongSeveralPrefersByItsOwnSets",
      applications: [singleAlpha, beta],
      scenes: [
        Scene("s1", of: "beta", preferring: ["alb"]), Scene("s2", of: "alpha", "main", preferring: ["album"]),
      ],
      event: .activity("album"),
      attempts: ["preferring s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "userDefaultComesBeforeACloserAllowance",
      applications: [alpha, beta],
      scenes: [
        Scene("s1", of: "alpha", allowing: ["album/4711"]), Scene("s2", of: "beta", allowing: ["*"]),
      ],
      userDefault: "beta",
      event: .activity("album/4711"),
      attempts: ["allowing s2 acknowledged"],
      end: .acknowledged
    ),
  ]
}
