extension HandWrittenCase {
  private static let url = Scenario.Event.url("https://meet.example.org/team", from: "chat")
  private static let fromChat = [Scenario.SenderChoice.scheme("https", from: "chat", "other")]
  private static let known = Scenario.FileTypes(
    [".lu": "text/x-lute"],
    aliases: ["application/lute": "text/x-lute"]
  )

  private static func application(
    _ id: String,
    _ claims: Scenario.Claims,
    _ declarations: [Scenario.Declaration] = [.window("main")]
  ) -> Application {
    Application(id, declarations, claims: claims)
  }

  private static let browser = application("browser", Scenario.Claims(schemes: ["http", "https"]))
  private static let other = application("other", Scenario.Claims(schemes: ["http", "https"]))
  private static let meet = application("meet", Scenario.Claims(hosts: ["meet.example.org"]))
  private static let editor = application("editor", Scenario.Claims(mimeTypes: ["text/x-lute"]))
  private static let player = application("player", Scenario.Claims(mimeTypes: ["text/x-lute"]))

  private static func new(
    _ application: String,
    _ name: String,
    _ applications: [Application] = [browser, other],
    scenes: [Scene] = [],
    userDefault: String? = nil,
    hostChoices: [String: String] = [:],
    _ choices: [Scenario.SenderChoice] = fromChat,
    _ event: Scenario.Event = url,
    attempts: [String]? = nil
  ) -> HandWrittenCase {
    HandWrittenCase(
      name,
      applications: applications,
      scenes: scenes,
      userDefault: userDefault,
      hostChoices: hostChoices,
      senderChoices: choices,
      fileTypes: known,
      event: event,
      attempts: attempts ?? ["default new \(application)/main acknowledged"],
      end: .acknowledged
    )
  }

  /// Cases in which the user chose an application for a sender's events: which application the router tries first.
  static let senderChoices = [
    new("other", "choiceForTheSenderComesBeforeTheOrder"),
    new("other", "choiceForTheSenderComesBeforeTheUserDefault", userDefault: "browser"),
    new("other", "choiceForTheSenderComesBeforeHostClaims", [browser, meet, other]),
    new(
      "other",
      "choiceForTheSenderComesBeforeThatForTheHost",
      hostChoices: ["meet.example.org": "browser"]
    ),
    new(
      "browser",
      "choiceForAnotherSenderDoesNotCount",
      [browser, other],
      fromChat,
      .url("https://h/", from: "mail")
    ),
    new(
      "browser",
      "choiceDoesNotCountIfNobodyKnowsTheSender",
      [browser, other],
      fromChat,
      .url("https://h/")
    ),
    new(
      "browser",
      "choiceForAnotherSchemeDoesNotCount",
      [browser, other],
      fromChat,
      .url("http://h/", from: "chat")
    ),
    new(
      "other",
      "choiceForASchemeIgnoresItsCase",
      [browser, other],
      fromChat,
      .url("HTTPS://h/", from: "chat")
    ),
    new(
      "other",
      "eachSenderHasItsChoice",
      [browser, other],
      [.scheme("https", from: "mail", "browser"), .scheme("https", from: "chat", "other")]
    ),
    new(
      "browser",
      "choiceOfAnUnknownApplicationForTheSenderDoesNotCount",
      [browser, other],
      [.scheme("https", from: "chat", "nowhere")]
    ),
    new(
      "alpha",
      "applicationChosenForTheSenderNeedNotClaimTheScheme",
      [browser, Application("alpha", [.window("main")])],
      [.scheme("https", from: "chat", "alpha")]
    ),
    new(
      "meet",
      "choiceForTheSenderThatTakesNothingLeavesItToTheHost",
      [browser, application("other", Scenario.Claims(schemes: ["https"]), []), meet]
    ),
    new(
      "browser",
      "choiceForTheSenderThatTakesNothingLeavesItToTheChoiceForTheHost",
      [meet, browser, application("other", Scenario.Claims(schemes: ["https"]), [])],
      hostChoices: ["meet.example.org": "browser"]
    ),
    new(
      "other",
      "applicationChosenForTheSenderUsesAllRulesOfOne",
      scenes: [
        Scene("s1", of: "browser", allowing: ["team"]), Scene("s2", of: "other", allowing: ["*"]),
      ],
      attempts: ["allowing s2 acknowledged"]
    ),
    new(
      "browser",
      "specificPreferenceComesBeforeTheChoiceForTheSender",
      scenes: [Scene("s1", of: "browser", preferring: ["team"])],
      attempts: ["preferring s1 acknowledged"]
    ),
    new(
      "browser",
      "applicationChosenForTheSenderAndTheHostHasOneTurn",
      [browser, application("other", Scenario.Claims(schemes: ["https"]), [])],
      scenes: [
        Scene("s1", of: "browser", allowing: ["*"]),
        Scene("s2", of: "other", allowing: ["*"], answers: .decline),
      ],
      userDefault: "other",
      hostChoices: ["meet.example.org": "other"],
      attempts: ["allowing s2 declined", "allowing s1 acknowledged"]
    ),
    new(
      "player",
      "choiceForTheTypeOfAFile",
      [editor, player],
      [.mimeType("text/x-lute", from: "chat", "player")],
      .url("file:///a.lu", from: "chat")
    ),
    new(
      "player",
      "choiceForTheContentTypeOfAFile",
      [editor, player],
      [.mimeType("text/x-lute", from: "chat", "player")],
      .url("file://server/a", contentType: "Text/X-Lute; x=1", from: "chat")
    ),
    new(
      "editor",
      "choiceForAnotherTypeDoesNotCount",
      [editor, player],
      [.mimeType("text/x-song", from: "chat", "player")],
      .url("file:///a.lu", from: "chat")
    ),
    new(
      "player",
      "choiceForTheSchemeOfAFile",
      [editor, player],
      [.scheme("file", from: "chat", "player")],
      .url("file:///a.lu", from: "chat")
    ),
    new(
      "player",
      "choiceForTheTypeComesBeforeThatForTheScheme",
      [editor, player],
      [.scheme("file", from: "chat", "editor"), .mimeType("text/x-lute", from: "chat", "player")],
      .url("file:///a.lu", from: "chat")
    ),
    new(
      "alpha",
      "choiceForASchemeIsForNoActivity",
      [Application("alpha", [.window("main")]), Application("other", [.window("main")])],
      fromChat,
      .activity(webpageURL: "https://meet.example.org/", from: "chat")
    ),
  ]
}
