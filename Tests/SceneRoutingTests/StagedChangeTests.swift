import Testing

@testable import SceneRouting

/// Two routers with the same past, one of which makes every change in steps.
private struct Twins: ~Copyable {
  /// A change of which some identifiers may have been noted.
  private struct Change {
    var staged: StagedIdentifiers
    var make: (inout Router, StagedIdentifiers) -> Refusal?
  }

  var stepwise = Router(seed: 1)
  var atOnce = Router(seed: 1)
  private var pending: [Change] = []
  private var scenes: [SceneID] = []
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(state: seed) }

  var storage: [IdentifierStorage] {
    [stepwise.registry.identifiers.storage, atOnce.registry.identifiers.storage]
  }

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func texts() -> [String] {
    (0..<number(0..<5)).map { _ in
      ["a", "A", "ab", "bb", "b", "abc", "*", "", "C"].randomElement(using: &random) ?? ""
    }
  }

  private mutating func registration() -> Registration {
    Registration(id: "\(number(0..<3))", preferring: texts(), allowing: texts())
  }

  /// Does something to both.
  mutating func act() {
    switch number(0..<10) {
    case 0, 1: begin(open())
    case 2: begin(declare())
    case 3, 4: if let scene = scenes.randomElement(using: &random) { begin(set(of: scene)) }
    case 5:
      guard let scene = scenes.randomElement(using: &random) else { return }
      onBoth {
        var effects: [Effect] = []
        return $0.updateScene(scene, title: nil, isActive: true, realTimeUSec: 0, effects: &effects)
      }
    case 6:
      guard scenes.count > 3, let index = scenes.indices.randomElement(using: &random) else { return }
      let scene = scenes.remove(at: index)
      onBoth {
        var effects: [Effect] = []
        return $0.closeScene(scene, now: 0, effects: &effects)
      }
    case 7: if number(0..<4) == 0, !pending.isEmpty { giveUp(number(0..<pending.count)) }
    default: if !pending.isEmpty { goOn(number(0..<pending.count)) }
    }
  }

  private mutating func open() -> Change {
    let context = SceneContext(
      applicationID: "app\(number(0..<3))",
      registrations: [Registration(id: "view", preferring: texts(), allowing: texts())]
    )
    return Change(staged: StagedIdentifiers(context)) { router, staged in
      var effects: [Effect] = []
      let opened = router.openScene(
        context,
        staged,
        credit: 1,
        user: RouterFixture.user,
        now: 0,
        realTimeUSec: 0,
        effects: &effects
      )
      if case .failure(let refusal) = opened { return refusal }
      return nil
    }
  }

  private mutating func set(of scene: SceneID) -> Change {
    let registration = registration()
    return Change(staged: StagedIdentifiers(registration)) { router, staged in
      var effects: [Effect] = []
      return router.setRegistration(registration, staged, of: scene, effects: &effects)
    }
  }

  private mutating func declare() -> Change {
    let declaration = ApplicationDeclaration(
      applicationID: "app\(number(0..<40))",
      scenes: [
        SceneDeclaration(id: "one", matching: texts()), SceneDeclaration(id: "two", matching: texts()),
      ]
    )
    return Change(staged: StagedIdentifiers(declaration)) { router, staged in
      var effects: [Effect] = []
      return router.declare(declaration, staged, user: RouterFixture.user, processID: 1, effects: &effects)
    }
  }

  private mutating func begin(_ change: Change) { pending.append(change) }

  private mutating func giveUp(_ index: Int) { stepwise.registry.discard(pending.remove(at: index).staged) }

  private mutating func goOn(_ index: Int) {
    guard stepwise.registry.stage(&pending[index].staged, effort: number(1..<4)) else { return }
    let change = pending.remove(at: index)
    let refusal = change.make(&atOnce, StagedIdentifiers())
    #expect(change.make(&stepwise, change.staged) == refusal)
    scenes = atOnce.registry.sceneIDs()
  }

  private mutating func onBoth(_ change: (inout Router) -> Refusal?) {
    let refusal = change(&atOnce)
    #expect(change(&stepwise) == refusal)
  }

  /// Ends all that is under way, and closes everything.
  mutating func finish() {
    while !pending.isEmpty { giveUp(0) }
    for scene in scenes {
      onBoth {
        var effects: [Effect] = []
        return $0.closeScene(scene, now: 0, effects: &effects)
      }
    }
    for application in atOnce.registry.declaredApplicationIDs() {
      onBoth {
        var effects: [Effect] = []
        $0.withdrawDeclaration(of: application, now: 0, effects: &effects)
        return nil
      }
    }
    while stepwise.registry.tidy(effort: 10) {}
    while atOnce.registry.tidy(effort: 10) {}
  }
}

@Suite struct StagedChangeTests {
  @Test(arguments: 1...20)
  func changesInStepsEndLikeThoseAtOnce(seed: UInt64) throws {
    var twins = Twins(seed: seed)
    for _ in 0..<400 {
      twins.act()
      for url in ["test:abc", "test:xxbb", "test:c", "test:"] {
        let event = Event(.url(url))
        #expect(twins.stepwise.registry.decide(event) == twins.atOnce.registry.decide(event))
      }
    }
    twins.finish()
    #expect(twins.storage == [IdentifierStorage(), IdentifierStorage()])
  }

  @Test func nothingIsFoundUntilTheChangeIsMade() throws {
    let fixture = RouterFixture()
    let scene = try fixture.open(preferring: ["old"])
    let registration = Registration(id: "view", preferring: ["new", "newer"])
    var staged = StagedIdentifiers(registration)
    while !fixture.router.registry.stage(&staged, effort: 1) {
      try fixture.send("test:newer")
      #expect(fixture.deliveries.isEmpty)
      try fixture.send("test:old")
      #expect(fixture.deliveries.count == 1)
    }
    try fixture.send("test:newer")
    #expect(fixture.deliveries.isEmpty)
    #expect(fixture.router.setRegistration(registration, staged, of: scene, effects: &fixture.effects) == nil)
    try fixture.send("test:newer")
    #expect(fixture.deliveries.count == 1)
    try fixture.send("test:old")
    #expect(fixture.deliveries.isEmpty)
  }

  /// So many that they are kept in order, which one that is staged must neither be in nor miss.
  @Test func stagedSetJoinsACrowd() throws {
    let fixture = RouterFixture()
    for _ in 0..<600 { try fixture.open(preferring: ["common"], credit: 1024) }
    let late = Registration(id: "late", preferring: ["common"])
    var staged = StagedIdentifiers(late)
    #expect(fixture.router.registry.stage(&staged, effort: 10))
    let scene = try fixture.open(preferring: ["common"])
    try fixture.send("test:common")
    #expect(fixture.deliveries.map(\.sceneID) == [SceneID(rawValue: 1)])
    #expect(fixture.router.setRegistration(late, staged, of: scene, effects: &fixture.effects) == nil)
    let refusal = fixture.router.updateScene(
      scene,
      title: nil,
      isActive: true,
      realTimeUSec: 0,
      effects: &fixture.effects
    )
    #expect(refusal == nil)
    try fixture.send("test:common")
    #expect(fixture.deliveries.map(\.sceneID) == [scene])
    #expect(fixture.deliveries.first?.registrationIDs == ["view", "late"])
  }

  @Test func refusedChangeLeavesNothing() throws {
    var limits = Limits()
    limits.identifiersPerUser = 3
    let fixture = RouterFixture(limits: limits)
    let scene = try fixture.open(preferring: ["one"])
    let before = fixture.router.registry.identifiers.storage
    let registration = Registration(id: "large", preferring: ["two", "three", "four"])
    var staged = StagedIdentifiers(registration)
    while !fixture.router.registry.stage(&staged, effort: 1) {}
    #expect(
      fixture.router.setRegistration(registration, staged, of: scene, effects: &fixture.effects)
        == .limitExceeded(.identifiersPerUser, maximum: 3)
    )
    while fixture.router.registry.tidy(effort: 10) {}
    #expect(fixture.router.registry.identifiers.storage == before)
  }
}
