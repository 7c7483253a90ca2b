extension HandWrittenCase {
  private static let page = "https://meet.example.org/team"
  private static let web = Scenario.Claims(schemes: ["https"])
  private static let browser = Application("browser", [.window("main")], claims: web)
  private static let other = Application("other", [.window("main")], claims: web)
  private static let meet = Application(
    "meet",
    [.window("main")],
    claims: Scenario.Claims(hosts: ["*.example.org", "meet.example.org/team"])
  )

  private static func reason(
    _ because: ReferenceRouter.Because,
    _ name: String,
    _ applications: [Application] = [browser, other],
    scenes: [Scene] = [],
    userDefault: String? = nil,
    hostChoices: [String: String] = [:],
    senderChoices: [Scenario.SenderChoice] = [],
    _ event: Scenario.Event = .url(page, from: "chat"),
    constraints: Scenario.Constraints = Scenario.Constraints(),
    by attempt: String
  ) -> HandWrittenCase {
    HandWrittenCase(
      name,
      applications: applications,
      scenes: scenes,
      userDefault: userDefault,
      hostChoices: hostChoices,
      senderChoices: senderChoices,
      event: event,
      constraints: constraints,
      attempts: ["\(attempt) acknowledged"],
      end: .acknowledged,
      because: because
    )
  }

  /// The reasons for which an event goes to an application.
  static let reasons = [
    reason(
      .sender,
      "senderNamedTheApplication",
      constraints: Scenario.Constraints(applicationId: "other"),
      by: "default new other/main"
    ),
    reason(
      .sender,
      "senderNamedTheScene",
      scenes: [Scene("s1", of: "browser", showing: [page])],
      constraints: Scenario.Constraints(sceneId: "s1"),
      by: "explicit s1"
    ),
    reason(
      .sender,
      "senderNamedTheApplicationThatShowsTheEvent",
      scenes: [Scene("s1", of: "other", showing: [page])],
      constraints: Scenario.Constraints(applicationId: "other"),
      by: "showing s1"
    ),
    reason(
      .sender,
      "senderNamedTheApplicationThatIsSingleScene",
      [browser, Application("other", [], isSingleScene: true)],
      scenes: [Scene("s1", of: "other")],
      constraints: Scenario.Constraints(applicationId: "other"),
      by: "singleScene s1"
    ),
    reason(
      .showing,
      "applicationShowsTheEvent",
      scenes: [Scene("s1", of: "wiki", showing: [page])],
      by: "showing s1"
    ),
    reason(
      .showing,
      "onlyApplicationShowsTheEvent",
      [browser],
      scenes: [Scene("s1", of: "browser", showing: [page])],
      by: "showing s1"
    ),
    reason(.only, "onlyApplicationThatClaimsTheEvent", [browser], by: "default new browser/main"),
    reason(
      .only,
      "onlyApplicationPrefersTheEvent",
      [browser],
      scenes: [
        Scene("s1", of: "browser", preferring: ["team"]), Scene("s2", of: "wiki", preferring: [page]),
      ],
      userDefault: "browser",
      by: "preferring s1"
    ),
    reason(
      .only,
      "onlyApplicationIsSingleScene",
      [Application("other", [], claims: web, isSingleScene: true)],
      scenes: [Scene("s1", of: "other", showing: [page])],
      by: "singleScene s1"
    ),
    reason(
      .preferring,
      "applicationPrefersTheEvent",
      scenes: [Scene("s1", of: "other", preferring: ["team"])],
      userDefault: "other",
      by: "preferring s1"
    ),
    reason(
      .order,
      "preferenceByAsteriskIsNoReason",
      scenes: [Scene("s1", of: "other", preferring: ["*"])],
      by: "preferring s1"
    ),
    reason(
      .userSender,
      "userChoseTheApplicationForTheSender",
      userDefault: "other",
      hostChoices: ["meet.example.org": "other"],
      senderChoices: [.scheme("https", from: "chat", "other")],
      by: "default new other/main"
    ),
    reason(
      .userHost,
      "userChoseTheApplicationForTheHost",
      userDefault: "other",
      hostChoices: ["meet.example.org": "other"],
      by: "default new other/main"
    ),
    reason(
      .userHost,
      "userChoseTheApplicationThatClaimsTheHost",
      [browser, meet],
      hostChoices: ["*.org": "meet"],
      by: "default new meet/main"
    ),
    reason(
      .hostClaim,
      "applicationClaimsTheHost",
      [browser, meet],
      userDefault: "meet",
      by: "default new meet/main"
    ),
    reason(
      .userDefault,
      "applicationIsTheUserDefault",
      scenes: [Scene("s1", of: "browser", allowing: ["team"])],
      userDefault: "other",
      by: "default new other/main"
    ),
    reason(.order, "applicationIsTheFirst", by: "default new browser/main"),
    reason(
      .order,
      "applicationIsTheFirstThatTakesTheEvent",
      [Application("browser", [], claims: web), other, meet],
      scenes: [Scene("s1", of: "other", allowing: ["team"])],
      userDefault: "browser",
      .url("https://example.org/team"),
      by: "allowing s1"
    ),
    reason(
      .only,
      "onlyApplicationWithoutClaims",
      [Application("alpha", [.window("main")]), browser],
      .url("lute:album"),
      by: "default new alpha/main"
    ),
  ]
}
