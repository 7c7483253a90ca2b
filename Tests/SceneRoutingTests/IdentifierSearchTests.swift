import Testing

@testable import SceneRouting

/// A registry that changes while a text is searched in steps.
private struct SearchedRegistry: ~Copyable {
  var registry = SceneRegistry(seed: 1)
  private let letters: Int
  private var scenes: [SceneID] = []
  /// A change that is made in steps as well.
  private var pending: (registration: Registration, staged: StagedIdentifiers)?
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(state: seed)
    letters = 1 + Int(seed % 3)
  }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  /// Few letters, so that texts contain one another.
  mutating func text(_ lengths: Range<Int>) -> String {
    var text = ""
    for _ in 0..<number(lengths) { text.append("abC".dropFirst(number(0..<letters)).first ?? "a") }
    return text
  }

  private mutating func registration() -> Registration {
    var texts: [[String]] = [[], []]
    for index in texts.indices {
      for _ in 0..<number(0..<6) { texts[index].append(text(0..<14)) }
      if number(0..<20) == 0 { texts[index].append("*") }
    }
    return Registration(id: "\(number(0..<3))", preferring: texts[0], allowing: texts[1])
  }

  mutating func change() {
    switch number(0..<10) {
    case 0 where scenes.count < 12: open()
    case 1 where scenes.count > 3:
      registry.closeScene(scenes.remove(at: number(0..<scenes.count)))
    case 2:
      guard let scene = scenes.randomElement(using: &random) else { return }
      _ = registry.updateScene(scene, title: nil, isActive: true, realTimeUSec: 0, limits: Limits())
    case 3: registry.tidy(effort: number(1..<20))
    case 8, 9: goOnWithPending()
    case 4:
      let application = "app\(number(0..<30))"
      if number(0..<3) == 0 { registry.withdrawDeclaration(of: application) }
      let declaration = ApplicationDeclaration(
        applicationID: application,
        scenes: ["one", "two", "three"].map {
          SceneDeclaration(id: $0, matching: [text(1..<10), text(1..<10)], isSingleton: number(0..<3) == 0)
        },
        claims: Claims(schemes: number(0..<3) == 0 ? ["x"] : []),
        isSingleScene: number(0..<8) == 0
      )
      let user = RouterFixture.user
      _ = registry.declare(declaration, StagedIdentifiers(), user: user, processID: 1, limits: Limits())
    default:
      guard let scene = scenes.randomElement(using: &random) else { return open() }
      _ = registry.setRegistration(registration(), StagedIdentifiers(), of: scene, limits: Limits())
    }
  }

  private mutating func goOnWithPending() {
    guard var change = pending.take() else {
      let registration = registration()
      return pending = (registration, StagedIdentifiers(registration))
    }
    guard registry.stage(&change.staged, effort: number(1..<4)) else { return pending = change }
    guard let scene = scenes.randomElement(using: &random) else { return registry.discard(change.staged) }
    _ = registry.setRegistration(change.registration, change.staged, of: scene, limits: Limits())
  }

  /// A change that adds no identifier.
  mutating func takeAwayOrMove() {
    guard let scene = scenes.randomElement(using: &random) else { return }
    switch number(0..<3) {
    case 0: registry.tidy(effort: 5)
    case 1:
      registry.closeScene(scene)
      scenes.removeAll { $0 == scene }
    default: _ = registry.updateScene(scene, title: nil, isActive: true, realTimeUSec: 0, limits: Limits())
    }
  }

  mutating func constraints() -> RouteConstraints {
    RouteConstraints(
      applicationID: number(0..<4) == 0 ? "app\(number(0..<4))" : nil,
      originSceneID: scenes.randomElement(using: &random),
      allowsNewScene: number(0..<4) != 0
    )
  }

  private mutating func open() {
    let context = SceneContext(
      applicationID: "app\(number(0..<3))",
      registrations: [Registration(id: "view", preferring: [text(0..<20)], allowing: [text(0..<9)])]
    )
    let opened = registry.openScene(
      context,
      StagedIdentifiers(),
      user: RouterFixture.user,
      realTimeUSec: 0,
      limits: Limits()
    )
    if case .success(let scene) = opened { scenes.append(scene) }
  }
}

extension SceneRegistry {
  /// The decision after a search.
  fileprivate mutating func decide(
    _ event: Event,
    _ search: IdentifierSearch,
    _ constraints: RouteConstraints = RouteConstraints(),
    tried: TriedTargets = TriedTargets()
  ) -> Decision? {
    var steps = 0
    return decide(query(event, constraints, tried: tried, search), steps: &steps)
  }
}

@Suite struct IdentifierSearchTests {
  @Test(arguments: 1...12)
  func searchInStepsFindsWhatOneInOneStepDoes(seed: UInt64) throws {
    var searched = SearchedRegistry(seed: seed)
    for _ in 0..<60 { searched.change() }
    for _ in 0..<12 {
      let event = Event(.url("x:" + searched.text(100..<400)))
      var search = IdentifierSearch(for: event)
      let changes = searched.number(0..<6)
      while !searched.registry.goOn(with: &search, steps: 1) {
        for _ in 0..<changes { searched.change() }
      }
      for _ in 0..<searched.number(0..<3) { searched.takeAwayOrMove() }
      let constraints = searched.constraints()
      var tried = TriedTargets()
      for _ in 0..<8 {
        let decision = searched.registry.decide(event, search, constraints, tried: tried)
        let expected = searched.registry.decide(event, constraints, tried: tried)
        #expect(decision != nil && decision == expected)
        switch decision?.destination {
        case .scene(let scene): tried.scenes.append(scene)
        case .newScene(let application, let declaration):
          tried.declarations.append(.init(applicationID: application, declarationID: declaration))
        case .some(.none), nil: break
        }
      }
      searched.registry.endSearch()
    }
  }

  @Test func searchThatAnotherInterruptsBeginsAnew() throws {
    var searched = SearchedRegistry(seed: 3)
    for _ in 0..<100 { searched.change() }
    let events = (0..<2).map { _ in Event(.url("x:" + searched.text(300..<400))) }
    var searches = events.map { IdentifierSearch(for: $0) }
    for index in searches.indices {
      let isDone = searched.registry.goOn(with: &searches[index], steps: 1)
      #expect(!isDone)
    }
    searched.change()
    while !searched.registry.goOn(with: &searches[0], steps: 1) {}
    let decision = searched.registry.decide(events[0], searches[0])
    let expected = searched.registry.decide(events[0])
    #expect(decision != nil && decision == expected)
    let interrupted = searched.registry.decide(events[1], searches[1])
    #expect(interrupted == nil)
  }

  @Test func searchIsNoLongerDoneWhenIdentifiersAreAdded() throws {
    let fixture = RouterFixture()
    let scene = try fixture.open(preferring: ["one"])
    let event = Event(.url("x:one two"))
    var search = IdentifierSearch(for: event)
    while !fixture.router.registry.goOn(with: &search) {}
    #expect(fixture.router.registry.decide(event, search)?.matchedPattern == "one")
    let registration = Registration(id: "view", preferring: ["x:one"])
    #expect(fixture.router.setRegistration(registration, of: scene, effects: &fixture.effects) == nil)
    #expect(fixture.router.registry.decide(event, search) == nil)
    while !fixture.router.registry.goOn(with: &search) {}
    #expect(fixture.router.registry.decide(event, search)?.matchedPattern == "x:one")
  }

  /// As a scene that changes all the time would have it.
  @Test func searchEndsThoughIdentifiersAreAddedAtEachStep() throws {
    let fixture = RouterFixture()
    let scene = try fixture.open(preferring: ["b"])
    let event = Event(.url("x:" + String(repeating: "a", count: 1000)))
    var search = IdentifierSearch(for: event)
    var steps = 0
    while !fixture.router.registry.goOn(with: &search, steps: 1) {
      steps += 1
      let registration = Registration(id: "view", preferring: [String(repeating: "a", count: steps)])
      #expect(fixture.router.setRegistration(registration, of: scene, effects: &fixture.effects) == nil)
    }
    #expect(fixture.router.registry.decide(event, search)?.matchedPattern?.count == steps)
    #expect(steps < 500)
  }

  /// As if a scene took up again and again what many others hold.
  @Test func scenesThatHoldWhatIsAddedCountAsSteps() throws {
    let fixture = RouterFixture()
    let words = Array(manyWords().parts.prefix(50))
    let scenes = try (0..<200).map { _ in try fixture.open(allowing: words) }
    let event = Event(.url(manyWords().url))
    var search = IdentifierSearch(for: event)
    var calls = 0
    while !fixture.router.registry.goOn(with: &search, steps: 100) {
      if search.isOver { calls += 1 } else { try takeUpAgain() }
    }
    // Two hundred sets are more than a hundred steps.
    #expect(calls >= words.count)
    #expect(fixture.router.registry.decide(event, search) == fixture.router.registry.decide(event))

    func takeUpAgain() throws {
      let registration = Registration(id: "view", allowing: words)
      let scene = try #require(scenes.first)
      #expect(fixture.router.setRegistration(registration, of: scene, effects: &fixture.effects) == nil)
    }
  }

  /// All that was there goes, and others search meanwhile.
  @Test(arguments: 0...4)
  func newcomerIsFoundAfterEverythingElseHasGone(otherSearches: Int) throws {
    let fixture = RouterFixture()
    let scene = try fixture.open(preferring: ["q"])
    let event = Event(.url("x:q" + String(repeating: "-", count: 1000) + "ab"))
    var search = IdentifierSearch(for: event)
    let isDone = fixture.router.registry.goOn(with: &search, steps: 1)
    #expect(!isDone)
    #expect(fixture.close(scene) == nil)
    while fixture.router.registry.tidy(effort: 10) {}
    try fixture.open(preferring: ["ab1", "ab2"])
    while !search.isOver { _ = fixture.router.registry.goOn(with: &search, steps: 1) }
    // One of them comes by the beginning of both, as the search would if it were that one.
    for _ in 0..<otherSearches {
      #expect(fixture.router.registry.decide(Event(.url("x:ab1")))?.rule == .preferring)
    }
    let newcomer = try fixture.open(preferring: ["ab"])
    while !fixture.router.registry.goOn(with: &search) {}
    #expect(fixture.router.registry.decide(event, search)?.destination == .scene(newcomer))
  }

  /// The number of a set that is gone is given to another, which does not get what was found with it.
  @Test func setThatIsGoneDuringASearchIsFoundNoLonger() throws {
    let fixture = RouterFixture()
    let scene = try fixture.open(preferring: ["a"])
    let event = Event(.url("x:" + String(repeating: "a", count: 1000)))
    var search = IdentifierSearch(for: event)
    while !fixture.router.registry.goOn(with: &search, steps: 1) {}
    #expect(fixture.router.registry.decide(event, search)?.destination == .scene(scene))
    #expect(fixture.close(scene) == nil)
    #expect(fixture.router.registry.decide(event, search)?.destination == Destination.none)
    while fixture.router.registry.tidy(effort: 10) {}
    try fixture.open(preferring: ["b"])
    while !fixture.router.registry.goOn(with: &search, steps: 1) {}
    #expect(fixture.router.registry.decide(event, search)?.destination == Destination.none)
    #expect(fixture.router.registry.identifiers.storage.sets == 2)
  }

  /// Those that became active, or changed what they take part in, after they were found.
  @Test func scenesThatWereFoundStayInOrder() throws {
    let fixture = RouterFixture()
    let scenes = try ["one", "two", "three"].map { try fixture.open(preferring: [$0], allowing: ["t"]) }
    let event = Event(.url("x:one two three"))
    var search = IdentifierSearch(for: event)
    while !fixture.router.registry.goOn(with: &search) {}
    #expect(fixture.router.registry.decide(event, search)?.matchedPattern == "one")
    for (scene, pattern) in zip(scenes, ["one", "two", "three"]).reversed() {
      _ = fixture.router.registry.updateScene(
        scene,
        title: nil,
        isActive: true,
        realTimeUSec: 0,
        limits: Limits()
      )
      let decision = fixture.router.registry.decide(event, search)
      #expect(decision?.destination == .scene(scene))
      #expect(decision?.matchedPattern == pattern)
      #expect(decision == fixture.router.registry.decide(event))
    }
  }

  /// So many scenes that which of them is first is kept, and their sets are not gone through.
  @Test(arguments: [false, true])
  func identifierOfACrowdIsFound(isGoneMeanwhile: Bool) throws {
    let fixture = RouterFixture()
    let scenes = try (0..<600).map { _ in try fixture.open(preferring: ["crowded"]) }
    try fixture.open(allowing: ["*"])
    let event = Event(.url("x:crowded" + String(repeating: "-", count: 1000)))
    var search = IdentifierSearch(for: event)
    var steps = 0
    while !fixture.router.registry.goOn(with: &search, steps: 1) {
      steps += 1
      guard isGoneMeanwhile, steps == 10 else { continue }
      for scene in scenes { #expect(fixture.close(scene) == nil) }
      while fixture.router.registry.tidy(effort: 10) {}
      try fixture.open(preferring: ["another"])
    }
    let decision = fixture.router.registry.decide(event, search)
    #expect(decision?.matchedPattern == (isGoneMeanwhile ? "*" : "crowded"))
    #expect(decision == fixture.router.registry.decide(event))
  }

  /// Not so many identifiers, each held by so many scenes that who is first takes long to tell.
  @Test(arguments: [(150, IdentifierSearch.slice), (6, 1000)])
  func scenesToGoThroughCountAsSteps(count: Int, mostSteps: Int) throws {
    let fixture = RouterFixture()
    let words = manyWords()
    let scenes = try (0..<200).map { _ in
      try fixture.open(allowing: Array(words.parts.prefix(count)))
    }
    let event = Event(.url(String(words.url.prefix(count + 12))))
    var steps = mostSteps
    let decision = fixture.router.registry.decide(RouteQuery(event, RouteConstraints()), steps: &steps)
    #expect(decision == nil)
    var search = IdentifierSearch(for: event)
    while !fixture.router.registry.goOn(with: &search) {}
    let searched = fixture.router.registry.decide(event, search)
    #expect(searched?.destination == .scene(scenes[0]))
    #expect(searched == fixture.router.registry.decide(event))
  }

  /// One scene that holds thousands of identifiers that all match counts once.
  @Test func identifiersOfOneSetAreOneFinding() throws {
    let fixture = RouterFixture()
    let word = manyWords()
    let scene = try fixture.open(preferring: word.parts)
    try fixture.open(preferring: [word.parts[0], word.parts[1]])
    let event = Event(.url(word.url))
    var search = IdentifierSearch(for: event)
    while !fixture.router.registry.goOn(with: &search) {}
    let matches = fixture.router.registry.identifiers.matches(of: search)
    #expect(try #require(matches).count == 2)
    let decision = fixture.router.registry.decide(event, search)
    #expect(decision?.destination == .scene(scene))
    #expect(decision == fixture.router.registry.decide(event))
  }
}

/// A URL, and so many parts of it that to find them all is more than a step.
private func manyWords() -> (url: String, parts: [String]) {
  var random = SeededGenerator(state: 7)
  let letters = (0..<800).map { _ in UInt8.random(in: 0x61...0x7A, using: &random) }
  let parts = (0..<5000).map { number in
    String(decoding: letters[number % 700..<number % 700 + 8 + number / 700], as: UTF8.self)
  }
  return ("x:" + String(decoding: letters, as: UTF8.self), parts)
}

// MARK: - Events

@Suite struct SearchedEventTests {
  private let url = manyWords().url
  private let fixture = RouterFixture()

  init() throws {
    try fixture.open("other", preferring: [manyWords().parts[0]])
    try fixture.open(preferring: manyWords().parts)
  }

  private func search(_ event: Event) -> IdentifierSearch {
    var search = IdentifierSearch(for: event)
    while !fixture.router.registry.goOn(with: &search) {}
    return search
  }

  private func send(_ search: IdentifierSearch? = nil) throws -> Router.Acceptance {
    try fixture.router.send(
      Event(.url(url)),
      SendOptions(),
      search,
      user: RouterFixture.user,
      now: fixture.now,
      effects: &fixture.effects
    ).get()
  }

  /// Sends the event, which its first scene is shown.
  private func sendSearched() throws -> Delivery {
    fixture.effects = []
    _ = try send(search(Event(.url(url))))
    fixture.router.registry.endSearch()
    return try #require(fixture.deliveries.first)
  }

  /// The events that are to be searched.
  private var searched: [(DecisionID, Event)] {
    fixture.effects.compactMap { if case .search(let id, let event) = $0 { (id, event) } else { nil } }
  }

  private func goOn() throws {
    let (id, event) = try #require(searched.first)
    let search = search(event)
    fixture.effects = []
    fixture.router.goOn(id, search, now: fixture.now, effects: &fixture.effects)
    fixture.router.registry.endSearch()
  }

  @Test func eventThatTakesManyStepsIsNotAcceptedUntilItIsSearched() throws {
    fixture.effects = []
    guard case .unsearched = try send() else { throw Refusal.noSuchEvent }
    #expect(fixture.effects.isEmpty)
    #expect(fixture.router.registry.account(of: RouterFixture.user).pendingEvents == 0)
    let explained = fixture.router.explain(Event(.url(url)), RouteConstraints(), maximumSteps: 1)
    guard case .unsearched = try explained.get() else { throw Refusal.noSuchEvent }
    let search = search(Event(.url(url)))
    let again = fixture.router.explain(Event(.url(url)), RouteConstraints(), search, maximumSteps: 1)
    guard case .explained(let decision, let trace) = try again.get() else { throw Refusal.noSuchEvent }
    #expect(decision.destination == .scene(SceneID(rawValue: 1)))
    #expect(trace.winner?.sceneID == SceneID(rawValue: 1))
    guard case .accepted = try send(search) else { throw Refusal.noSuchEvent }
    #expect(fixture.deliveries.map(\.sceneID) == [SceneID(rawValue: 1)])
  }

  @Test func declinedEventIsSearchedAndGoesOn() throws {
    let delivery = try sendSearched()
    #expect(fixture.decline(delivery) == nil)
    #expect(fixture.settlements.map(\.result) == [.declined])
    #expect(fixture.deliveries.isEmpty && fixture.ends.isEmpty)
    let progress = fixture.router.progress(of: delivery.decisionID)
    #expect(try #require(progress).attempts.map { $0.settlement?.result } == [.declined])
    // Its time is not what it waits for.
    let asked = fixture.effects
    fixture.advance(by: 20_000_000)
    #expect(fixture.effects.isEmpty)
    fixture.effects = asked
    try goOn()
    #expect(fixture.decisionCount == 1)
    let next = try #require(fixture.deliveries.first)
    #expect(next.sceneID == SceneID(rawValue: 2))
    #expect(next.timeoutUSec == 10_000_000)
    #expect(fixture.decline(next) == nil)
    try goOn()
    #expect(fixture.ends.map(\.result) == [.declined])
    #expect(fixture.ends.first?.attempts.map(\.result) == [.declined, .declined])
  }

  @Test func eventThatIsBeingSearchedEndsWithTheRouter() throws {
    let delivery = try sendSearched()
    #expect(fixture.decline(delivery) == nil)
    let asked = fixture.effects
    fixture.effects = []
    fixture.router.shutDown(now: fixture.now, effects: &fixture.effects)
    #expect(fixture.ends.first?.attempts.map(\.result) == [.declined])
    fixture.effects = asked
    try goOn()
    #expect(fixture.effects.isEmpty)
  }

  @Test func searchThatHasBecomeUselessIsAskedForAgain() throws {
    let delivery = try sendSearched()
    #expect(fixture.decline(delivery) == nil)
    let (id, event) = try #require(searched.first)
    let search = search(event)
    try fixture.open(preferring: ["new"])
    fixture.effects = []
    fixture.router.goOn(id, search, now: fixture.now, effects: &fixture.effects)
    #expect(fixture.settlements.isEmpty)
    try goOn()
    #expect(fixture.deliveries.map(\.sceneID) == [SceneID(rawValue: 2)])
  }

  @Test func attemptsThatAreDueTogetherEndInSlices() throws {
    let idle = RouterFixture()
    try idle.open(allowing: ["*"], credit: 1000)
    for number in 0..<300 { try idle.send("x:\(number)") }
    idle.advance(by: 10_000_000)
    #expect(idle.ends.count == 128)
    #expect(idle.router.nextDeadline.map { $0 <= idle.now } == true)
    idle.advance(by: 0)
    idle.advance(by: 0)
    #expect(idle.ends.count == 300 - 256)
    #expect(idle.router.nextDeadline == nil)
  }
}
