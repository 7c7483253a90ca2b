extension HandWrittenCase {
  private static let contacts = Application("contacts", [.window("list")])
  private static let photos = Application(
    "photos",
    [.window("browser"), .window("detail", ["photoIdentifier="])]
  )

  /// Worked examples of two applications, and cases that show which string of an event is compared with identifiers.
  static let comparisonStrings = [
    HandWrittenCase(
      "contactListWithoutSelectionTakesAnyEvent",
      applications: [contacts],
      scenes: [Scene("s1", of: "contacts", "list", allowing: ["*"])],
      event: .activity("contact-7"),
      attempts: ["allowing s1 acknowledged"],
      end: .acknowledged,
      patterns: ["*"],
      registrations: ["s1.view"]
    ),
    HandWrittenCase(
      "contactListWithSelectionTakesTheSelected",
      applications: [contacts],
      scenes: [
        Scene("s1", of: "contacts", "list", allowing: ["*"]),
        Scene("s2", of: "contacts", "list", preferring: ["contact-7"]),
      ],
      event: .activity("contact-7"),
      attempts: ["preferring s2 acknowledged"],
      end: .acknowledged,
      patterns: ["contact-7"],
      field: .targetContentIdentifier,
      registrations: ["s2.view"]
    ),
    HandWrittenCase(
      "contactListWithSelectionTakesNoOther",
      applications: [contacts],
      scenes: [Scene("s1", of: "contacts", "list", preferring: ["contact-7"])],
      event: .activity("contact-8"),
      attempts: ["default new contacts/list acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "contactListWithoutSelectionTakesWhatTheSelectionDoesNot",
      applications: [contacts],
      scenes: [
        Scene("s1", of: "contacts", "list", preferring: ["contact-7"]),
        Scene("s2", of: "contacts", "list", allowing: ["*"]),
      ],
      event: .activity("contact-8"),
      attempts: ["allowing s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "myPhotosOpensDetailForPhotoIdentifier",
      applications: [photos],
      event: .activity("photoIdentifier=42"),
      attempts: ["matching new photos/detail acknowledged"],
      end: .acknowledged,
      patterns: ["photoIdentifier="],
      field: .targetContentIdentifier
    ),
    HandWrittenCase(
      "myPhotosOpensBrowserForEverythingElse",
      applications: [photos],
      event: .activity("album=7"),
      attempts: ["default new photos/browser acknowledged"],
      end: .acknowledged,
      patterns: []
    ),
    HandWrittenCase(
      "myPhotosOpensDetailForURL",
      applications: [photos],
      event: .url("photos:show?PHOTOidentifier=42"),
      attempts: ["matching new photos/detail acknowledged"],
      end: .acknowledged,
      patterns: ["photoIdentifier="],
      field: .url
    ),
    HandWrittenCase(
      "myPhotosOpensDetailForWebpageURL",
      applications: [photos],
      event: .activity(webpageURL: "https://photos.example/?photoIdentifier=42"),
      attempts: ["matching new photos/detail acknowledged"],
      end: .acknowledged,
      patterns: ["photoIdentifier="],
      field: .webpageURL
    ),
    HandWrittenCase(
      "myPhotosOpenSceneComesBeforeBothDeclarations",
      applications: [photos],
      scenes: [
        Scene("s1", of: "photos", "detail", preferring: ["photoIdentifier=42"]),
        Scene("s2", of: "photos", "browser", allowing: ["photoIdentifier="]),
      ],
      event: .activity("photoIdentifier=43"),
      attempts: ["allowing s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "targetHidesTheWebpageURL",
      applications: [photos],
      event: .activity("album=7", webpageURL: "https://photos.example/?photoIdentifier=42"),
      attempts: ["default new photos/browser acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "emptyTargetHidesTheWebpageURL",
      applications: [photos],
      event: .activity("", webpageURL: "https://photos.example/?photoIdentifier=42"),
      attempts: ["default new photos/browser acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "asteriskMatchesAnEmptyTarget",
      applications: [photos],
      scenes: [Scene("s1", of: "photos", preferring: [""], allowing: ["*"])],
      event: .activity(""),
      attempts: ["allowing s1 acknowledged"],
      end: .acknowledged,
      patterns: ["*"]
    ),
    HandWrittenCase(
      "nothingElseMatchesAnEmptyTarget",
      applications: [Application("alpha", [.window("main", ["album", ""])])],
      scenes: [Scene("s1", of: "alpha", preferring: [""], allowing: ["album"])],
      event: .activity(""),
      attempts: [],
      end: .notRouted
    ),
    HandWrittenCase(
      "asteriskMatchesAnEventWithoutComparisonString",
      applications: [Application("alpha", [.window("main"), .window("any", ["album", "*"])])],
      event: .activity(),
      attempts: ["matching new alpha/any acknowledged"],
      end: .acknowledged,
      patterns: ["*"]
    ),
    HandWrittenCase(
      "preferredAsteriskMatchesAnEventWithoutComparisonString",
      applications: [Application("alpha", [.window("main")])],
      scenes: [Scene("s1", of: "alpha", preferring: ["*"])],
      event: .activity(),
      attempts: ["preferring s1 acknowledged"],
      end: .acknowledged,
      patterns: ["*"]
    ),
  ]

  /// Cases that show when an identifier matches an event.
  static let identifiers = [
    HandWrittenCase(
      "unionOfTheRegistrationsCounts",
      scenes: [
        Scene(
          "s1",
          of: "alpha",
          registrations: [
            Scenario.Registration("r1", preferring: ["zither"]),
            Scenario.Registration("r2", preferring: ["ALB", "lute", "album"]),
            Scenario.Registration("r3", allowing: ["album"]),
            Scenario.Registration("r4", preferring: ["47"]),
          ]
        )
      ],
      event: .activity("album/4711"),
      attempts: ["preferring s1 acknowledged"],
      end: .acknowledged,
      patterns: ["album"],
      registrations: ["r2", "r4"]
    ),
    HandWrittenCase(
      "asteriskInsideAnIdentifierIsLiteral",
      scenes: [
        Scene("s1", of: "alpha", allowing: ["a*"]),
        Scene("s2", of: "alpha", allowing: ["**"]),
        Scene("s3", of: "alpha", allowing: ["*b"]),
      ],
      event: .activity("xA*B"),
      attempts: ["allowing s1 acknowledged"],
      end: .acknowledged,
      patterns: ["a*"]
    ),
    HandWrittenCase(
      "noIdentifierIsAWildcard",
      scenes: [
        Scene("s1", of: "alpha", allowing: ["a*", "a?", "a.b", "^", ".*", "%"]),
        Scene("s2", of: "alpha", allowing: ["*\u{301}"]),
      ],
      event: .activity("aab"),
      attempts: [],
      end: .notRouted
    ),
    HandWrittenCase(
      "emptyAndMarkOnlyIdentifiersNeverMatch",
      applications: [Application("alpha", [.window("main", ["\u{301}\u{20DD}"])])],
      scenes: [Scene("s1", of: "alpha", preferring: ["", "\u{301}"], allowing: ["\u{FE0F}"])],
      event: .activity("e\u{301}\u{20DD}\u{FE0F}"),
      attempts: [],
      end: .notRouted
    ),
    HandWrittenCase(
      "emptyMatchingSetNeverMatches",
      applications: [Application("alpha", [.window("a", []), .window("b", ["zither"])])],
      event: .activity("album"),
      attempts: [],
      end: .notRouted
    ),
    HandWrittenCase(
      "percentEscapesAreNotDecoded",
      applications: [Application("alpha", [.window("main"), .window("coffee", ["caf\u{E9}"])])],
      event: .url("alpha:caf%C3%A9"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "accentsAndCaseDoNotCount",
      applications: [Application("alpha", [.window("main"), .window("coffee", ["CAFE\u{301}"])])],
      event: .activity("un caf\u{E8}"),
      attempts: ["matching new alpha/coffee acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "sharpSIsDoubleS",
      scenes: [Scene("s1", of: "alpha", allowing: ["stra\u{DF}e"])],
      event: .activity("HAUPTSTRASSE"),
      attempts: ["allowing s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "kanaVoicingCounts",
      scenes: [
        Scene("s1", of: "alpha", allowing: ["\u{304B}"]),
        Scene("s2", of: "alpha", allowing: ["\u{304B}\u{3099}"]),
      ],
      event: .activity("\u{304C}"),
      attempts: ["allowing s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "hangulSyllablesAreWhole",
      scenes: [
        Scene("s1", of: "alpha", allowing: ["\u{1100}\u{1161}", "\u{AC00}"]),
        Scene("s2", of: "alpha", allowing: ["\u{AC00}\u{11A8}"]),
      ],
      event: .activity("\u{1100}\u{1161}\u{11A8}"),
      attempts: ["allowing s2 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "dotlessIIsNotI",
      scenes: [
        Scene("s1", of: "alpha", allowing: ["\u{131}stanbul"]),
        Scene("s2", of: "alpha", allowing: ["istanbul"]),
      ],
      event: .activity("\u{130}STANBUL"),
      attempts: ["allowing s2 acknowledged"],
      end: .acknowledged
    ),
  ]
}
