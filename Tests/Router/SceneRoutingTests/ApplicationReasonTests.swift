import Testing

@testable import SceneRouting

/// Why an event goes to one application and to no other.
@Suite struct ApplicationReasonTests {
  private let browser = ApplicationDeclaration(
    applicationID: "browser",
    scenes: [SceneDeclaration(id: "main")],
    claims: Claims(schemes: ["https"], mimeTypes: ["text/html"]),
    source: .file(path: "/b", desktopID: "browser.desktop", isTrusted: true)
  )

  /// A desktop with a browser, another browser, a meeting program and an application without claims.
  private func fixture(
    preferences: [ClaimKey: ClaimPreferences] = [:],
    hostChoices: [HostClaim: UserChoice] = [:],
    senderChoices: [String: [ClaimKey: UserChoice]] = [:]
  ) -> RouterFixture {
    let fixture = RouterFixture()
    var other = browser
    other.applicationID = "other"
    var meet = browser
    (meet.applicationID, meet.claims) = ("meet", Claims(hosts: ["Meet.test/", "*.test"]))
    var notes = browser
    (notes.applicationID, notes.claims, notes.isForNamedEventsOnly) = ("notes", Claims(), true)
    let files = FileDeclarations(
      applications: [browser, other, meet, notes],
      preferences: preferences,
      hostChoices: hostChoices,
      senderChoices: senderChoices
    )
    _ = fixture.router.replaceFiles(with: files, now: 0)
    return fixture
  }

  /// Returns the application that gets the event, the reason, and the source of the reason.
  private func reason(
    _ fixture: RouterFixture,
    _ event: Event,
    _ constraints: RouteConstraints = RouteConstraints()
  ) -> [String?] {
    let decision = fixture.router.registry.decide(event, constraints)
    return [decision.applicationID, decision.applicationReason?.rawValue, decision.applicationSource]
  }

  private let page = Event(.url("https://a.example/x"))

  @Test func applicationWithoutItsClaimsTakesWhatNobodyClaims() throws {
    let fixture = RouterFixture()
    fixture.install(of: ["other"], claims: Claims(schemes: ["x"]))
    let scene = try fixture.open(allowing: ["*"])
    #expect(fixture.declare([], claims: Claims(schemes: ["z"])) == nil)
    #expect(fixture.router.registry.decide(Event(.url("y:a"))).destination == .none)
    fixture.withdraw("app")
    #expect(fixture.router.registry.decide(Event(.url("y:a"))).destination == .scene(scene))
  }

  @Test func firstOfSeveralIsInOrder() throws {
    #expect(reason(fixture(), page) == ["browser", "order", nil])
  }

  @Test func closestClaimOfTheHostIsTheSource() throws {
    #expect(reason(fixture(), Event(.url("https://meet.test/x"))) == ["meet", "hostClaim", "Meet.test/"])
    #expect(reason(fixture(), Event(.url("https://a.test/x"))) == ["meet", "hostClaim", "*.test"])
  }

  @Test func usersDefaultHasItsPlace() throws {
    let preferences = ClaimPreferences(defaultApplication: "other", defaultSource: "/list:4")
    let fixture = fixture(preferences: [.scheme("https"): preferences])
    #expect(reason(fixture, page) == ["other", "userDefault", "/list:4"])
    // A scene's specific preference comes before the default. A scene that shows the page comes before this preference.
    try fixture.open("browser", preferring: ["a.example"])
    #expect(reason(fixture, page) == ["browser", "preferring", nil])
    try fixture.open("notes", showing: ["https://a.example/x"])
    #expect(reason(fixture, page) == ["notes", "showing", nil])
  }

  @Test func namedSceneOrApplicationIsTheSendersChoice() throws {
    let fixture = fixture()
    let scene = try fixture.open("notes")
    #expect(reason(fixture, page, RouteConstraints(sceneID: scene)) == ["notes", "sender", nil])
    #expect(reason(fixture, page, RouteConstraints(applicationID: "other")) == ["other", "sender", nil])
  }

  @Test func onlyApplicationThatClaimsIt() throws {
    let fixture = RouterFixture()
    #expect(fixture.declare([SceneDeclaration(id: "main")], claims: Claims(schemes: ["x"])) == nil)
    try fixture.open("other", allowing: ["*"])
    #expect(reason(fixture, Event(.url("x:a"))) == ["app", "only", nil])
    #expect(reason(fixture, Event(.url("y:a"))) == ["other", "only", nil])
    #expect(reason(fixture, Event(.url("x:a")), RouteConstraints(allowsNewScene: false)) == [nil, nil, nil])
  }

  // MARK: - Choices for senders

  @Test func choiceForTheSenderComesBeforeTheChoiceForTheHost() throws {
    let fixture = fixture(
      hostChoices: [try #require(HostClaim("meet.test")): UserChoice("other", source: "/hosts:2")],
      senderChoices: [
        "chat.desktop": [
          .scheme("https"): UserChoice("notes.desktop", source: "/choices:2"),
          .mimeType("text/html"): UserChoice("other", source: "/choices:3"),
        ]
      ]
    )
    let link = Event(.url("https://meet.test/x"))
    #expect(reason(fixture, link) == ["other", "userHost", "/hosts:2"])
    let fromChat = RouteConstraints(senderApplicationID: "chat.desktop")
    #expect(reason(fixture, link, fromChat) == ["notes", "userSender", "/choices:2"])
    #expect(
      reason(fixture, link, RouteConstraints(senderApplicationID: "mail")) == [
        "other", "userHost", "/hosts:2",
      ]
    )
    let file = Event(.url("file:///a"), contentType: "text/html")
    #expect(reason(fixture, file, fromChat) == ["other", "userSender", "/choices:3"])
    #expect(reason(fixture, file) == ["browser", "order", nil])
    // The application that the sender names comes before every choice of the user. A scene that prefers the link
    // through an identifier other than `*` also comes before every choice.
    #expect(
      reason(fixture, link, RouteConstraints(applicationID: "other", senderApplicationID: "chat"))
        == ["other", "sender", nil]
    )
    try fixture.open("browser", preferring: ["meet.test"])
    #expect(reason(fixture, link, fromChat) == ["browser", "preferring", nil])
  }

  @Test func chosenApplicationThatIsNotThereIsPassedOver() throws {
    let fixture = fixture(senderChoices: ["chat": [.scheme("https"): UserChoice("missing")]])
    #expect(
      reason(fixture, page, RouteConstraints(senderApplicationID: "chat")) == ["browser", "order", nil]
    )
  }

  @Test func choicesForSendersAreReplacedAndCounted() throws {
    let fixture = fixture()
    let generation = fixture.router.registry.generation
    let choices = ["chat": [ClaimKey.scheme("https"): UserChoice("other")]]
    for _ in 0..<2 { fixture.router.registry.setSenderChoices(choices) }
    #expect(fixture.router.registry.generation == generation + 1)
  }

  // MARK: - Claimed by others

  @Test func traceNamesSceneWhoseApplicationDoesNotClaimTheEvent() throws {
    let fixture = RouterFixture()
    #expect(
      fixture.declare([SceneDeclaration(id: "main")], of: "browser", claims: Claims(schemes: ["https"]))
        == nil
    )
    #expect(
      fixture.declare([SceneDeclaration(id: "page"), SceneDeclaration(id: "a", matching: ["a"])], of: "wiki")
        == nil
    )
    let wiki = try fixture.open("wiki", preferring: ["wiki.test"], allowing: ["*"])
    let own = try fixture.open("browser", preferring: ["zither"])
    let trace = try fixture.router.explain(
      Event(.url("https://wiki.test/a")),
      RouteConstraints(),
      maximumSteps: 20
    ).get().1
    let steps = trace.steps.map { step in
      [step.rule.rawValue, step.applicationID, step.declarationID, step.pattern, step.rejectedBecause]
    }
    #expect(
      steps == [
        ["preferring", "browser", nil, "zither", nil],
        ["preferring", "wiki", nil, "wiki.test", "claimedByOthers"],
        ["allowing", "browser", nil, nil, nil], ["allowing", "wiki", nil, "*", "claimedByOthers"],
        ["matching", "wiki", "a", "a", "claimedByOthers"], ["default", "browser", "main", nil, nil],
      ]
    )
    #expect(
      trace.steps.map(\.sceneID) == [own, wiki, own, wiki, nil, nil] && trace.winner == trace.steps.last
    )
  }

  /// The trace names the scene of `wiki` only once, although scenes that prefer the link are asked twice.
  ///
  /// They are asked before the user's default application, and again after it.
  @Test func traceOfSeveralApplicationsNamesEachOutsiderOnce() throws {
    let preferences = ClaimPreferences(defaultApplication: "other")
    let fixture = fixture(preferences: [.scheme("https"): preferences])
    let wiki = try fixture.open("wiki", preferring: ["wiki.test"])
    let (decision, trace) = try fixture.router.explain(
      Event(.url("https://wiki.test/a")),
      RouteConstraints(allowsNewScene: false),
      maximumSteps: 100
    ).get()
    // In the end, the scene is asked although others claim the link.
    #expect(decision.destination == .scene(wiki) && decision.applicationReason == .order)
    #expect(trace.steps.filter { $0.rejectedBecause == "claimedByOthers" }.map(\.applicationID) == ["wiki"])
  }

  @Test func nobodyIsOutsideWhereNobodyClaims() throws {
    let fixture = RouterFixture()
    #expect(fixture.declare([], of: "browser", claims: Claims(schemes: ["https"])) == nil)
    try fixture.open("browser", preferring: ["a"])
    let trace = try fixture.router.explain(Event(.url("x:a")), RouteConstraints(), maximumSteps: 9).get().1
    #expect(trace.steps.map(\.matched) == [true] && trace.winner != nil)
  }

  /// The scenes of those that take no part are asked last, and told in both tiers.
  @Test func traceTellsAllScenesOfOthersInTheEnd() throws {
    let fixture = RouterFixture()
    #expect(fixture.declare([], of: "browser", claims: Claims(schemes: ["https"])) == nil)
    for identifiers in [["b"], ["*"], ["a"]] { try fixture.open("wiki", allowing: identifiers) }
    let single = ApplicationDeclaration(applicationID: "single", scenes: [], isSingleScene: true)
    _ = try fixture.router.declare(single, by: fixture.client, now: fixture.now).get()
    try fixture.open("single")
    let (decision, trace) = try fixture.router.explain(
      Event(.url("https://x/a")),
      RouteConstraints(),
      maximumSteps: 20
    ).get()
    #expect(decision.applicationReason == .order && decision.matchedPattern == "a")
    let rules = Array(repeating: Rule.preferring, count: 4) + Array(repeating: .allowing, count: 4)
    let outside = trace.steps.prefix { $0.rejectedBecause == "claimedByOthers" }
    #expect(outside.map(\.pattern) == ["a", "*", "*"])
    let steps = trace.steps.dropFirst(outside.count)
    #expect(steps.map(\.rule) == rules)
    #expect(steps.map(\.pattern) == [nil, nil, nil, nil, "b", "*", nil, "a"])
    #expect(steps.map(\.matched) == Array(repeating: false, count: 7) + [true])
  }

  // MARK: - Line and column

  @Test(
    arguments: [
      (0, nil, "event.line"), (-1, 1, "event.line"), (1, 0, "event.column"), (nil, 1, "event.column"),
    ] as [(Int?, Int?, String)]
  )
  func placeThatIsNoneIsRefused(line: Int?, column: Int?, path: String) {
    let fixture = RouterFixture()
    let event = Event(.url("x:a"), line: line, column: column)
    #expect(throws: CallError.invalidParameter(path: path)) { try fixture.send(event) }
  }

  @Test func placeIsHandedOnAndTellsNoEventFromAnother() throws {
    let fixture = RouterFixture()
    try fixture.open(allowing: ["*"])
    let sender = Sender(processID: 7, name: "chat", applicationID: "chat.desktop")
    let options = EventOptions(eventID: "e", sender: sender)
    let first = try fixture.send(Event(.url("x:a"), line: 3, column: 4), options)
    let delivery = try #require(fixture.deliveries.first)
    #expect(delivery.event.line == 3 && delivery.event.column == 4)
    #expect(delivery.sender == Sender(processID: 7, name: "chat", applicationID: "chat"))
    #expect(fixture.acknowledge(delivery) == nil)
    #expect(fixture.ends.count == 1)
    #expect(try fixture.send(Event(.url("x:a"), line: 5), options) == first)
  }
}
