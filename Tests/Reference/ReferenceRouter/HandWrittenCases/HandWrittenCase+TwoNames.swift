extension HandWrittenCase {
  private static let file = "file:///home/ada/link/a.c"
  private static let resolved = "file:///srv/p/a.c"
  private static let event = Scenario.Event.url(file, resolved: resolved)
  private static let page = "https://app.example/"
  private static let alpha = Application("alpha", [.window("main")])

  private static func one(
    _ name: String,
    _ scenes: [Scene],
    _ event: Scenario.Event = event,
    applications: [Application] = [alpha],
    constraints: Scenario.Constraints = Scenario.Constraints(),
    by attempt: String?,
    patterns: Set<String>? = nil,
    field: ReferenceRouter.MatchedField? = nil,
    because: ReferenceRouter.Because? = nil
  ) -> HandWrittenCase {
    HandWrittenCase(
      name,
      applications: applications,
      scenes: scenes,
      event: event,
      constraints: constraints,
      attempts: attempt.map { ["\($0) acknowledged"] } ?? [],
      end: attempt == nil ? .notRouted : .acknowledged,
      patterns: patterns,
      field: field,
      because: because
    )
  }

  /// A file that has another name without symbolic links.
  static let twoNames = [
    one(
      "resolvedURLIsAllowed",
      [Scene("s1", of: "alpha", allowing: ["file:///srv/p/"])],
      by: "allowing s1",
      patterns: ["file:///srv/p/"],
      field: .resolvedURL
    ),
    one(
      "identifierOfBothNamesMatchesTheURL",
      [Scene("s1", of: "alpha", allowing: ["/a.c"])],
      by: "allowing s1",
      field: .url
    ),
    one(
      "betterNameCounts",
      [
        Scene("s1", of: "alpha", allowing: ["/home/a"]), Scene("s2", of: "alpha", allowing: ["/srv/p/a"]),
      ],
      by: "allowing s2",
      field: .resolvedURL
    ),
    one(
      "resolvedURLIsShown",
      [Scene("s1", of: "alpha", preferring: [file]), Scene("s2", of: "alpha", showing: [resolved + "#1"])],
      by: "showing s2",
      patterns: [resolved + "#1"],
      field: .resolvedURL
    ),
    one(
      "sceneThatShowsBothShowsTheURL",
      [Scene("s1", of: "alpha", showing: [resolved, file])],
      by: "showing s1",
      field: .url
    ),
    one(
      "declarationMatchesTheResolvedURL",
      [],
      applications: [Application("alpha", [.window("main"), .window("p", ["/srv/p/"])])],
      by: "matching new alpha/p",
      field: .resolvedURL
    ),
    one(
      "typeIsThatOfTheURL",
      [],
      .url(file, resolved: "file:///srv/a.txt"),
      applications: [Application("alpha", [.document("d", ["txt"]), .document("c", ["c"])])],
      by: "document new alpha/c",
      field: .url
    ),
    one(
      "exactSpellingOfEitherNameCounts",
      [
        Scene("s1", of: "alpha", allowing: ["/HOME/"]), Scene("s2", of: "alpha", allowing: ["/srv/P"]),
        Scene("s3", of: "alpha", allowing: ["/Srv/P"]),
      ],
      .url(file, resolved: "file:///Srv/P/a.c"),
      by: "allowing s3"
    ),
  ]

  /// Several scenes that show the same page, at different places in the page.
  static let fragments = [
    one(
      "sceneWithTheFragmentComesFirst",
      [
        Scene("s1", of: "alpha", showing: [page + "#/m/1"]),
        Scene("s2", of: "alpha", showing: [page + "#/m/2"]),
      ],
      .url(page + "#/m/2"),
      by: "showing s2",
      patterns: [page + "#/m/2"]
    ),
    one(
      "fragmentsAreNormalized",
      [Scene("s1", of: "alpha", showing: [page]), Scene("s2", of: "alpha", showing: [page + "#%2fm|/%6D"])],
      .url(page + "#%2Fm%7C/m"),
      by: "showing s2"
    ),
    one(
      "noFragmentIsNotAnEmptyOne",
      [Scene("s1", of: "alpha", showing: [page + "#"]), Scene("s2", of: "alpha", showing: [page])],
      .url(page),
      by: "showing s2"
    ),
    one(
      "emptyFragmentIsNotNone",
      [Scene("s1", of: "alpha", showing: [page]), Scene("s2", of: "alpha", showing: [page + "#"])],
      .url(page + "#"),
      by: "showing s2"
    ),
    one(
      "caseOfFragmentsCounts",
      [
        Scene("s1", of: "alpha", showing: [page + "#/M/1"]),
        Scene("s2", of: "alpha", showing: [page + "#/m/1"]),
      ],
      .url(page + "#/m/1"),
      by: "showing s2"
    ),
    one(
      "otherFragmentsKeepTheOrder",
      [Scene("s1", of: "alpha", showing: [page + "#/m/1"]), Scene("s2", of: "alpha", showing: [page])],
      .url(page + "#/m/3"),
      by: "showing s1"
    ),
    one(
      "oneOfSeveralEntriesHasTheFragment",
      [
        Scene("s1", of: "alpha", showing: [page + "#/m/1"]),
        Scene("s2", of: "alpha", showing: [page + "#/m/3", page, page + "#/m/2"]),
      ],
      .url(page + "#/m/2"),
      by: "showing s2",
      patterns: [page + "#/m/2"]
    ),
  ]

  private static let viewer = Application("viewer", claims: Scenario.Claims(schemes: ["file"]))
  private static let notes = Application("notes", [.window("n")], claims: Scenario.Claims(schemes: ["notes"]))

  /// What none of those takes that take part goes to the windows of others that ask for it.
  static let lastStep = [
    one(
      "whatTheClaimantDoesNotTakeGoesToTheSceneThatAsksForIt",
      [Scene("s1", of: "alpha", allowing: ["*"]), Scene("s2", of: "alpha", allowing: ["/home/ada/"])],
      applications: [viewer, alpha],
      by: "allowing s2",
      because: .order
    ),
    one(
      "sceneOfAClaimantOfOtherEventsIsAsked",
      [Scene("s1", of: "notes", allowing: ["x:"]), Scene("s2", of: "notes", preferring: ["x:"])],
      .url("x:1"),
      applications: [notes],
      by: "preferring s2",
      because: .order
    ),
    one(
      "asteriskAsksForNothing",
      [Scene("s1", of: "notes", preferring: ["*"], allowing: ["*"])],
      .url("x:1"),
      applications: [notes],
      by: nil
    ),
    one(
      "singleSceneCountsForNothingInTheEnd",
      [Scene("s1", of: "notes", allowing: ["y:"])],
      .url("x:1"),
      applications: [Application("notes", claims: Scenario.Claims(schemes: ["notes"]), isSingleScene: true)],
      by: nil
    ),
    one(
      "declarationsOfOthersAreNotAsked",
      [],
      .url("notes:1"),
      applications: [Application("notes", claims: Scenario.Claims(schemes: ["notes"])), alpha],
      by: nil
    ),
    one(
      "namedApplicationIsTheLast",
      [Scene("s1", of: "alpha", allowing: ["/home/ada/"])],
      applications: [viewer, alpha],
      constraints: Scenario.Constraints(applicationId: "viewer"),
      by: nil
    ),
    one(
      "onlyStaysOnly",
      [Scene("s1", of: "viewer", allowing: ["*"]), Scene("s2", of: "alpha", preferring: ["/home/ada/"])],
      applications: [viewer, alpha],
      by: "allowing s1",
      because: .only
    ),
  ]
}
