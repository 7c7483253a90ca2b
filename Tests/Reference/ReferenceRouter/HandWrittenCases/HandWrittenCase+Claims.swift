extension HandWrittenCase {
  private static let alpha = Application("alpha", [.window("main")])
  private static let beta = Application("beta", [.window("main")])
  private static let namedAlpha =
    Application("alpha", [.window("main")], source: .file(), isForNamedEventsOnly: true)
  private static let greedyScene = Scene("s1", of: "beta", preferring: ["*", "album"], allowing: ["*"])

  private static func alpha(claiming claims: Scenario.Claims) -> Application {
    Application("alpha", [.window("main")], claims: claims)
  }

  private static func betaClaimingImages() -> Application {
    Application("beta", [.window("main")], claims: Scenario.Claims(mimeTypes: ["image/x-album"]))
  }

  /// Events whose sender names an application.
  static let namedApplications = [
    HandWrittenCase(
      "namedApplicationAlone",
      applications: [alpha, beta],
      scenes: [greedyScene],
      event: .activity("album"),
      constraints: Scenario.Constraints(applicationId: "alpha"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "unknownNamedApplication",
      applications: [alpha],
      event: .activity("album"),
      constraints: Scenario.Constraints(applicationId: "nowhere"),
      attempts: [],
      end: .noSuchApplication
    ),
    HandWrittenCase(
      "namedApplicationThatOnlyHasAScene",
      applications: [alpha],
      scenes: [Scene("s1", of: "gamma", allowing: ["album"])],
      event: .activity("album"),
      constraints: Scenario.Constraints(applicationId: "gamma"),
      attempts: ["allowing s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "namedApplicationWhoseOnlySceneDoesNotMatch",
      applications: [alpha],
      scenes: [Scene("s1", of: "gamma", allowing: ["zither"])],
      event: .activity("album"),
      constraints: Scenario.Constraints(applicationId: "gamma"),
      attempts: [],
      end: .notRouted
    ),
    HandWrittenCase(
      "namedApplicationNeedNotClaimTheEvent",
      applications: [alpha(claiming: Scenario.Claims(schemes: ["alpha"])), beta],
      event: .url("beta:album"),
      constraints: Scenario.Constraints(applicationId: "alpha"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "namedApplicationFromAFileNeedClaimNothing",
      applications: [namedAlpha],
      event: .activity("album"),
      constraints: Scenario.Constraints(applicationId: "alpha"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "namedSingleSceneApplicationUsesTheRuleOfOne",
      applications: [Application("alpha", [.window("main")], isSingleScene: true), beta],
      scenes: [Scene("s1", of: "beta", preferring: ["album"]), Scene("s2", of: "alpha", "main")],
      event: .activity("album"),
      constraints: Scenario.Constraints(applicationId: "alpha"),
      attempts: ["singleScene s2 acknowledged"],
      end: .acknowledged
    ),
  ]

  /// Application ids with the ending `.desktop`.
  static let namesOfFiles = [
    HandWrittenCase(
      "sceneOfAFileNameIsOfTheApplication",
      applications: [Application("alpha", [.window("main")], isSingleScene: true)],
      scenes: [Scene("s1", of: "alpha.desktop")],
      event: .activity("album"),
      attempts: ["singleScene s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "applicationIsDeclaredByAFileName",
      applications: [Application("alpha.desktop.desktop", [.window("main", answers: .decline)])],
      event: .activity("album"),
      constraints: Scenario.Constraints(applicationId: "alpha"),
      attempts: ["default new alpha/main launchFailed"],
      end: .launchFailed
    ),
    HandWrittenCase(
      "eventNamesTheApplicationByAFileName",
      applications: [alpha, beta],
      event: .activity("album"),
      constraints: Scenario.Constraints(applicationId: "beta.desktop.desktop"),
      attempts: ["default new beta/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "onlyTheEndOfAnIdIsDropped",
      applications: [Application("alpha.desktop.x", [.window("main")])],
      event: .activity("album"),
      attempts: ["default new alpha.desktop.x/main acknowledged"],
      end: .acknowledged
    ),
  ]

  /// Cases that show how claims decide which applications the router tries.
  static let claims = [
    HandWrittenCase(
      "claimedSchemeIsNotForOthers",
      applications: [beta, alpha(claiming: Scenario.Claims(schemes: ["galleria"]))],
      scenes: [greedyScene],
      event: .url("galleria://album/1"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "schemesIgnoreCase",
      applications: [beta, alpha(claiming: Scenario.Claims(schemes: ["x", "gALLERIA"]))],
      scenes: [greedyScene],
      event: .url("Galleria:album"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "schemesAreComparedWhole",
      applications: [beta, alpha(claiming: Scenario.Claims(schemes: ["galler", "galleria:", "*"]))],
      scenes: [greedyScene],
      event: .url("galleria:album"),
      attempts: ["preferring s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "claimedActivityTypeIsNotForOthers",
      applications: [beta, alpha(claiming: Scenario.Claims(activityTypes: ["org.example.view"]))],
      scenes: [greedyScene],
      event: .activity("album", type: "org.example.view"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "activityTypesDoNotIgnoreCase",
      applications: [beta, alpha(claiming: Scenario.Claims(activityTypes: ["org.example.View"]))],
      scenes: [greedyScene],
      event: .activity("album", type: "org.example.view"),
      attempts: ["preferring s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "activityIsNotClaimedByItsWebpageURL",
      applications: [beta, alpha(claiming: Scenario.Claims(schemes: ["https"]))],
      scenes: [greedyScene],
      event: .activity(webpageURL: "https://gallery.example/album"),
      attempts: ["preferring s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "claimedContentTypeOfAFile",
      applications: [alpha, betaClaimingImages()],
      event: .url("file:///srv/album", contentType: "image/x-album"),
      attempts: ["default new beta/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "contentTypesIgnoreCaseAndParameters",
      applications: [alpha, betaClaimingImages()],
      event: .url("FILE:///srv/album", contentType: "Image/X-Album; pages=2"),
      attempts: ["default new beta/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "claimedFamilyOfContentTypes",
      applications: [beta, alpha(claiming: Scenario.Claims(mimeTypes: ["image/*"]))],
      event: .url("file:///srv/album", contentType: "image/x-album"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "contentTypeClaimsOnlyFiles",
      applications: [alpha, betaClaimingImages()],
      event: .url("https://gallery.example/album", contentType: "image/x-album"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "contentTypeClaimsNoActivity",
      applications: [alpha, betaClaimingImages()],
      event: .activity(webpageURL: "file:///srv/album", contentType: "image/x-album"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "fileWithoutContentTypeIsClaimedByItsSchemeAlone",
      applications: [betaClaimingImages(), alpha(claiming: Scenario.Claims(schemes: ["file"]))],
      event: .url("file:///srv/album"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "schemeAndContentTypeAreBothClaims",
      applications: [betaClaimingImages(), alpha(claiming: Scenario.Claims(schemes: ["file"]))],
      event: .url("file:///srv/album", contentType: "image/x-album"),
      attempts: ["default new beta/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "applicationThatClaimsSomethingElseIsAskedLast",
      applications: [alpha(claiming: Scenario.Claims(schemes: ["galleria"]))],
      scenes: [Scene("s1", of: "alpha", preferring: ["album"], allowing: ["*"])],
      event: .url("lute:album"),
      attempts: ["preferring s1 acknowledged"],
      end: .acknowledged,
      because: .order
    ),
    HandWrittenCase(
      "emptyClaimsAreNone",
      applications: [alpha(claiming: Scenario.Claims())],
      event: .url("lute:album"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "claimIsExclusiveEvenIfTheClaimantTakesNothing",
      applications: [
        Application("alpha", [.window("main", [])], claims: Scenario.Claims(schemes: ["x"])), beta,
      ],
      scenes: [Scene("s1", of: "beta", preferring: ["*"], allowing: ["*"])],
      event: .url("x:album"),
      attempts: [],
      end: .notRouted
    ),
    HandWrittenCase(
      "applicationThatOnlyHasASceneTakesPart",
      applications: [alpha],
      scenes: [Scene("s1", of: "gamma", "whatever", allowing: ["album"])],
      event: .url("lute:album"),
      attempts: ["allowing s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "applicationThatOnlyHasASceneTakesNoClaimedEvent",
      applications: [alpha(claiming: Scenario.Claims(schemes: ["lute"]))],
      scenes: [Scene("s1", of: "gamma", preferring: ["album"])],
      event: .url("lute:album"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "applicationFromAFileThatClaimsNothingTakesPartIfItHasScenes",
      applications: [Application("alpha", [.window("main", ["album"])], source: .file())],
      event: .url("lute:album"),
      attempts: ["matching new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "applicationForNamedEventsOnlyDoesNotTakePart",
      applications: [namedAlpha],
      event: .url("lute:album"),
      attempts: [],
      end: .notRouted
    ),
    HandWrittenCase(
      "applicationForNamedEventsOnlyDoesNotTakePartByItsClaims",
      applications: [
        Application(
          "alpha",
          [.window("main")],
          claims: Scenario.Claims(schemes: ["lute"]),
          source: .file(),
          isForNamedEventsOnly: true
        ), beta,
      ],
      event: .url("lute:album"),
      attempts: ["default new beta/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "scenesOfAnApplicationForNamedEventsOnlyDoNotTakePart",
      applications: [namedAlpha, beta],
      scenes: [Scene("s1", of: "alpha", preferring: ["album"])],
      event: .url("lute:album"),
      attempts: ["default new beta/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "applicationFromAFileTakesWhatItClaims",
      applications: [
        Application(
          "alpha",
          [.window("main")],
          claims: Scenario.Claims(schemes: ["lute"]),
          source: .file()
        ),
        beta,
      ],
      scenes: [greedyScene],
      event: .url("lute:album"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "oneClaimantIsAlone",
      applications: [
        Application("alpha", claims: Scenario.Claims(schemes: ["lute"]), isSingleScene: true), beta,
      ],
      scenes: [greedyScene, Scene("s2", of: "alpha")],
      event: .url("lute:album"),
      attempts: ["singleScene s2 acknowledged"],
      end: .acknowledged
    ),
  ]
}
