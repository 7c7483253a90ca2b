extension HandWrittenCase {
  private static let known = Scenario.FileTypes(
    [
      ".lu": "text/x-lute", ".gz": "application/x-pack", ".lu.gz": "application/x-lute-pack",
      ".pic": "image/x-pic",
    ],
    aliases: ["application/lute": "text/x-lute", "text/basic": "text/x-basic"],
    bases: ["text/x-lute": ["text/x-song"], "text/x-song": ["text/x-basic"]]
  )

  private static func document(
    _ name: String,
    _ supportedTypes: [String],
    _ event: Scenario.Event,
    takes pattern: String?,
    field: ReferenceRouter.MatchedField? = nil
  ) -> HandWrittenCase {
    HandWrittenCase(
      name,
      applications: [Application("alpha", [.document("doc", supportedTypes)])],
      fileTypes: known,
      event: event,
      attempts: pattern == nil ? [] : ["document new alpha/doc acknowledged"],
      end: pattern == nil ? .notRouted : .acknowledged,
      patterns: pattern.map { [$0] },
      field: field
    )
  }

  /// How the name of a file decides which document group is chosen.
  static let knownTypes = [
    document("nameHasAType", ["image/x-pic"], .url("file:///a.pic"), takes: "image/x-pic", field: .url),
    document("nameHasAFamily", ["image/*"], .url("file:///a.pic"), takes: "image/*"),
    document(
      "nameOfAWebPageHasAType",
      ["image/x-pic"],
      .url("https://h/a.pic?x=a.lu#a.lu"),
      takes: "image/x-pic"
    ),
    document("nameIsDecoded", ["image/x-pic"], .url("file:///a%2Epic"), takes: "image/x-pic"),
    document(
      "nameOfTheWebpageURLHasAType",
      ["image/x-pic"],
      .activity("zither", webpageURL: "file:///a.pic"),
      takes: "image/x-pic",
      field: .webpageURL
    ),
    document("targetHasNoType", ["image/x-pic"], .activity("file:///a.pic"), takes: nil),
    document("queryHasNoType", ["image/x-pic"], .url("file:///a?a.pic"), takes: nil),
    document("directoryHasNoType", ["image/x-pic"], .url("file:///a.pic/"), takes: nil),
    document("unknownNameHasNoType", ["image/x-pic", "image/*"], .url("file:///a.picture"), takes: nil),
    document("longerEndOfANameCounts", ["application/x-pack"], .url("file:///a.lu.gz"), takes: nil),
    document("fileIsAKindOfItsBase", ["text/x-song"], .url("file:///a.lu"), takes: "text/x-song"),
    document("fileIsAKindOfTheBaseOfItsBase", ["TEXT/X-Basic"], .url("file:///a.lu"), takes: "TEXT/X-Basic"),
    document("typeHasOtherNames", ["application/lute"], .url("file:///a.lu"), takes: "application/lute"),
    document("baseHasOtherNames", ["text/basic"], .url("file:///a.lu"), takes: "text/basic"),
    document("otherNameHasAFamily", ["application/*"], .url("file:///a.lu"), takes: "application/*"),
    document(
      "baseIsNoKindOfAType",
      ["text/x-lute"],
      .url("gallery:1", contentType: "text/x-song"),
      takes: nil
    ),
    document(
      "contentTypeIsAKindOfItsBase",
      ["text/x-basic"],
      .url("gallery:1", contentType: "Application/Lute; x=1"),
      takes: "text/x-basic"
    ),
    document(
      "contentTypeCountsInsteadOfTheName",
      ["image/x-pic"],
      .url("file:///a.pic", contentType: "text/x-lute"),
      takes: nil
    ),
    document(
      "contentTypeThatIsNoneDoesNotCount",
      ["image/x-pic"],
      .url("file:///a.pic", contentType: "pic"),
      takes: "image/x-pic"
    ),
    HandWrittenCase(
      "firstDocumentGroupCountsNotTheClosest",
      applications: [
        Application("alpha", [.document("all", ["text/x-basic"]), .document("doc", ["text/x-lute"])])
      ],
      fileTypes: known,
      event: .url("file:///a.lu"),
      attempts: ["document new alpha/all acknowledged"],
      end: .acknowledged
    ),
  ]

  private static func claiming(
    _ name: String,
    _ applications: [Application],
    scenes: [Scene] = [],
    userDefault: String? = nil,
    order: [String] = [],
    types: [String: Scenario.Preference] = [:],
    _ event: Scenario.Event = .url("file:///a.lu"),
    _ attempts: String...
  ) -> HandWrittenCase {
    HandWrittenCase(
      name,
      applications: applications,
      scenes: scenes,
      userDefault: userDefault,
      order: order,
      types: types,
      fileTypes: known,
      event: event,
      attempts: attempts,
      end: attempts.isEmpty
        ? .notRouted : attempts.last?.hasSuffix("declined") == true ? .declined : .acknowledged
    )
  }

  private static func editor(
    _ id: String,
    _ types: String...,
    answers: Scenario.SceneAnswer = .acknowledge,
    source: Scenario.Source = .connection
  ) -> Application {
    Application(
      id,
      [.window("main", answers: .open(answers))],
      claims: Scenario.Claims(mimeTypes: types),
      source: source
    )
  }

  private static let files = Application(
    "files",
    [.window("main")],
    claims: Scenario.Claims(schemes: ["file"])
  )
  private static let unclaiming = Application("all", [.window("main")])

  /// Cases in which applications claim the types of files: which applications the router tries, and in which order.
  static let claimsOfTypes = [
    claiming(
      "nameOfAFileIsClaimed",
      [unclaiming, editor("alpha", "text/x-lute")],
      .url("file:///a.lu"),
      "default new alpha/main acknowledged"
    ),
    claiming(
      "nameOfAWebPageIsNotClaimed",
      [unclaiming, editor("alpha", "text/x-lute")],
      .url("https://h/a.lu"),
      "default new all/main acknowledged"
    ),
    claiming(
      "claimCoversSubclasses",
      [unclaiming, editor("alpha", "text/x-basic")],
      .url("file:///a.lu"),
      "default new alpha/main acknowledged"
    ),
    claiming(
      "claimCoversNoBase",
      [unclaiming, editor("alpha", "text/x-lute")],
      .url("file:///a", contentType: "text/x-song"),
      "default new all/main acknowledged"
    ),
    claiming(
      "claimHasOtherNames",
      [unclaiming, editor("alpha", "application/lute")],
      .url("file:///a.lu"),
      "default new alpha/main acknowledged"
    ),
    claiming(
      "exactClaimIsCloser",
      [editor("alpha", "text/x-song"), editor("beta", "text/x-lute")],
      .url("file:///a.lu"),
      "default new beta/main acknowledged"
    ),
    claiming(
      "nearerClaimIsCloser",
      [editor("alpha", "text/x-basic"), editor("beta", "text/x-song")],
      .url("file:///a.lu"),
      "default new beta/main acknowledged"
    ),
    claiming(
      "fartherClaimsFollow",
      [
        editor("alpha", "text/x-basic"), editor("beta", "text/x-song", answers: .decline),
        editor("gamma", "text/x-lute", answers: .decline),
      ],
      .url("file:///a.lu"),
      "default new gamma/main declined",
      "default new beta/main declined",
      "default new alpha/main acknowledged"
    ),
    claiming(
      "exactAndFartherClaimOfOneIsExact",
      [editor("alpha", "text/x-song", "text/x-lute"), editor("beta", "text/x-lute")],
      .url("file:///a.lu"),
      "default new alpha/main acknowledged"
    ),
    claiming(
      "schemeIsAsCloseAsTheClosestType",
      [editor("alpha", "text/x-basic"), files],
      .url("file:///a.lu"),
      "default new alpha/main acknowledged"
    ),
    claiming(
      "schemeComesBeforeFartherTypes",
      [editor("alpha", "text/x-basic"), files, editor("gamma", "text/x-lute")],
      .url("file:///a.lu"),
      "default new files/main acknowledged"
    ),
    claiming(
      "openSceneOfAFartherClaimWaits",
      [editor("alpha", "text/x-song"), editor("beta", "text/x-lute")],
      scenes: [Scene("s1", of: "alpha", allowing: ["*"])],
      .url("file:///a.lu"),
      "default new beta/main acknowledged"
    ),
    claiming(
      "specificPreferenceOfAFartherClaimWins",
      [editor("alpha", "text/x-song"), editor("beta", "text/x-lute")],
      scenes: [Scene("s1", of: "alpha", preferring: ["a.lu"])],
      .url("file:///a.lu"),
      "preferring s1 acknowledged"
    ),
    claiming(
      "defaultForTheTypeComesFirst",
      [editor("alpha", "text/x-lute"), editor("beta", "text/x-lute")],
      types: ["text/x-lute": Scenario.Preference(defaultId: "beta")],
      .url("file:///a.lu"),
      "default new beta/main acknowledged"
    ),
    claiming(
      "defaultForABaseComesFirstIfNobodyClaimsMore",
      [editor("alpha", "text/x-song"), editor("beta", "text/x-song")],
      types: ["text/x-song": Scenario.Preference(defaultId: "beta")],
      .url("file:///a.lu"),
      "default new beta/main acknowledged"
    ),
    claiming(
      "defaultForABaseWaitsForTheExactClaim",
      [
        editor("alpha", "text/x-song"), editor("beta", "text/x-song"),
        editor("gamma", "text/x-lute", answers: .decline),
      ],
      types: ["text/x-song": Scenario.Preference(defaultId: "beta")],
      .url("file:///a.lu"),
      "default new gamma/main declined",
      "default new beta/main acknowledged"
    ),
    claiming(
      "defaultForAFileSchemeCountsBesideTypes",
      [editor("alpha", "text/x-lute"), files],
      userDefault: "files",
      .url("file:///a.lu"),
      "default new files/main acknowledged"
    ),
    claiming(
      "defaultForTheTypeComesBeforeThatForTheScheme",
      [editor("alpha", "text/x-lute"), files],
      userDefault: "files",
      types: ["text/x-lute": Scenario.Preference(defaultId: "alpha")],
      .url("file:///a.lu"),
      "default new alpha/main acknowledged"
    ),
    claiming(
      "listOfTheTypeSaysTheOrderOfFiles",
      [
        editor("alpha", "text/x-lute", answers: .decline, source: .file()),
        editor("beta", "text/x-lute", answers: .decline, source: .file()),
        editor("gamma", "text/x-lute", answers: .decline, source: .file()), editor("delta", "text/x-lute"),
      ],
      order: ["alpha", "beta"],
      types: ["text/x-lute": Scenario.Preference(order: ["gamma", "delta", "beta"])],
      .url("file:///a.lu"),
      "default new delta/main acknowledged"
    ),
    claiming(
      "listOfTheTypeComesBeforeThatOfTheScheme",
      [
        editor("alpha", "text/x-lute", answers: .decline, source: .file()),
        editor("beta", "text/x-lute", answers: .decline, source: .file()),
        editor("gamma", "text/x-lute", source: .file()),
        editor("delta", "text/x-lute", answers: .decline, source: .file()),
      ],
      order: ["beta"],
      types: ["text/x-lute": Scenario.Preference(order: ["delta"])],
      .url("file:///a.lu"),
      "default new delta/main declined",
      "default new beta/main declined",
      "default new alpha/main declined",
      "default new gamma/main acknowledged"
    ),
    claiming(
      "thoseOfAFartherTypeAreInItsOrder",
      [
        editor("alpha", "text/x-lute", "text/x-song", answers: .decline, source: .file()),
        editor("beta", "text/x-lute", "text/x-song", answers: .decline, source: .file()),
        editor("gamma", "text/x-song", answers: .decline, source: .file()),
        editor("delta", "text/x-song", answers: .decline, source: .file()),
      ],
      types: [
        "text/x-lute": Scenario.Preference(order: ["beta", "delta"]),
        "text/x-song": Scenario.Preference(order: ["gamma", "alpha"]),
      ],
      .url("file:///a.lu"),
      "default new beta/main declined",
      "default new alpha/main declined",
      "default new gamma/main declined",
      "default new delta/main declined"
    ),
    claiming(
      "whatIsRemovedFromTheTypeDoesNotGetItAsABase",
      [
        editor("alpha", "text/x-song", source: .file()), editor("beta", "text/x-song", source: .file()),
        editor("gamma", "text/*", source: .file()),
      ],
      types: ["text/x-lute": Scenario.Preference(removed: ["alpha", "gamma"])],
      .url("file:///a.lu"),
      "default new beta/main acknowledged"
    ),
    claiming(
      "whatIsRemovedFromAMoreGeneralTypeGetsWhatIsMoreSpecific",
      [editor("alpha", "text/x-song", source: .file()), editor("beta", "text/x-basic", source: .file())],
      types: ["text/x-basic": Scenario.Preference(removed: ["alpha", "beta"])],
      .url("file:///a.lu"),
      "default new alpha/main acknowledged"
    ),
    claiming(
      "defaultForABaseThatWasRemovedFromTheTypeCountsIfNobodyClaimsMore",
      [editor("alpha", "text/x-song", source: .file()), editor("beta", "text/x-song", source: .file())],
      types: [
        "text/x-lute": Scenario.Preference(removed: ["beta"]),
        "text/x-song": Scenario.Preference(defaultId: "beta"),
      ],
      .url("file:///a.lu"),
      "default new beta/main acknowledged"
    ),
    claiming(
      "defaultForABaseThatWasRemovedFromTheTypeDoesNotCountBehindACloserClaim",
      [
        editor("alpha", "text/x-song", answers: .decline, source: .file()),
        editor("beta", "text/x-basic", answers: .decline, source: .file()),
      ],
      types: [
        "text/x-lute": Scenario.Preference(removed: ["beta"]),
        "text/x-basic": Scenario.Preference(defaultId: "beta"),
      ],
      .url("file:///a.lu"),
      "default new alpha/main declined"
    ),
  ]
}
