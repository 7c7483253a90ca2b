import RandomNumbers
import Testing

@testable import SceneRouting

/// A registry that the tests fill with many scenes, up to its limits.
private struct LargeRegistry: ~Copyable {
  static let user = UserID(rawValue: 1000)

  var registry = SceneRegistry(seed: 1)
  var limits = Limits()

  mutating func open(
    _ application: String = "app",
    as declarationID: String? = nil,
    preferring: [String] = [],
    allowing: [String] = []
  ) throws -> SceneID {
    let registration = Registration(id: "view", preferring: preferring, allowing: allowing)
    let context = SceneContext(
      applicationID: application,
      declarationID: declarationID,
      registrations: [registration]
    )
    return try registry.openScene(
      context,
      by: Client(user: Self.user),
      realTimeUSec: 0,
      limits: limits
    ).get()
  }

  mutating func replace(_ preferring: [String], of scene: SceneID) -> CallError? {
    registry.setRegistration(
      Registration(id: "view", preferring: preferring),
      of: scene,
      limits: limits
    )
  }

  mutating func activate(_ scene: SceneID) throws {
    _ = try registry.updateScene(scene, title: nil, isActive: true, realTimeUSec: 1, limits: limits).get()
  }

  mutating func declare(_ declaration: ApplicationDeclaration) -> CallError? {
    registry.declare(declaration, user: Self.user, processID: nil, limits: limits)
  }

  mutating func decide(_ url: String, _ constraints: RouteConstraints = RouteConstraints()) -> Decision {
    registry.decide(Event(.url(url)), constraints)
  }

  mutating func matches(in url: String) -> [IdentifierKey] {
    registry.findKeys(in: Event(.url(url)))
    return registry.keys
  }

  /// The difference between the decision and the trace; `nil` if there is no difference.
  ///
  /// The trace checks the candidates one by one, and the decision uses an index. Both must find the same winner.
  mutating func difference(_ url: String, _ constraints: RouteConstraints = RouteConstraints()) -> String? {
    let decision = registry.decide(Event(.url(url)), constraints)
    let winner = registry.trace(RouteQuery(Event(.url(url)), constraints), maximum: .max).winner
    var scene: SceneID?
    if case .scene(let id) = decision.destination { scene = id }
    let isSame =
      decision.rule == winner?.rule && scene == winner?.sceneID
      && decision.applicationID == winner?.applicationID
      && decision.declarationID == winner?.declarationID && decision.matchedPattern == winner?.pattern
    return isSame ? nil : "\(url): \(decision), not \(String(describing: winner))"
  }

  var storage: HolderStorage { registry.holders.storage }
}

@Suite struct LargeRegistryTests {
  /// A scene's identifiers, none of which contains another.
  private static func identifiers(_ count: Int, _ name: String = "i") -> [String] {
    (0..<count).map { "/\(name)/\($0)/" }
  }

  @Test func sceneOfManyIdentifiersIsTakenOutAtOnce() throws {
    let count = 2000
    var large = LargeRegistry()
    let other = try large.open(allowing: ["*"])
    let scene = try large.open(preferring: Self.identifiers(count))
    try large.activate(scene)
    #expect(large.decide("x:/i/\(count - 1)/").destination == .scene(scene))

    large.registry.closeScene(scene)
    #expect(large.decide("x:/i/\(count - 1)/").destination == .scene(other))
    #expect(large.decide("x:/i/0/").destination == .scene(other))
    #expect(large.registry.account(of: LargeRegistry.user).identifiers == 1)
    large.registry.closeScene(other)
    #expect(large.storage == HolderStorage())
    #expect(large.registry.account(of: LargeRegistry.user).isIdle)
  }

  @Test func identifiersOfAReplacedRegistrationCanBeRegisteredAgainAtOnce() throws {
    let count = 2000
    var large = LargeRegistry()
    let (old, new) = (Self.identifiers(count), Self.identifiers(count, "j"))
    let scene = try large.open(preferring: old)
    let second = try large.open(preferring: old)
    #expect(large.replace(new, of: scene) == nil)
    #expect(large.decide("x:/i/5/").destination == .scene(second))
    #expect(large.decide("x:/j/5/").destination == .scene(scene))
    #expect(large.replace(old, of: scene) == nil)
    #expect(large.decide("x:/i/5/").destination == .scene(scene))
    #expect(large.decide("x:/j/5/").destination == .none)
    large.registry.closeScene(second)
    #expect(large.storage.texts == count)
    #expect(large.storage.holders == 1)
    #expect(large.storage.shared == 0)
    #expect(large.decide("x:/i/\(count - 1)/").destination == .scene(scene))
  }

  @Test func whatIsClosedNeverAddsToWhatTheLimitsAllow() throws {
    var large = LargeRegistry()
    large.limits.identifiersPerUser = 3000
    for round in 0..<20 {
      let scenes = try (0..<3).map { try large.open(preferring: Self.identifiers(1000, "\(round)-\($0)")) }
      #expect(large.storage.texts <= 3000)
      for scene in scenes { large.registry.closeScene(scene) }
    }
    #expect(large.storage == HolderStorage())
  }

  @Test func declarationsOfManyIdentifiersAreGoneAtOnce() throws {
    let count = 2000
    var large = LargeRegistry()
    let declaration = ApplicationDeclaration(
      applicationID: "app",
      scenes: [SceneDeclaration(id: "window", matching: Self.identifiers(count))]
    )
    for _ in 0..<2 {
      #expect(large.declare(declaration) == nil)
      #expect(large.decide("x:/i/7/").declarationID == "window")
      large.registry.withdrawDeclaration(of: "app")
      #expect(large.decide("x:/i/7/").destination == .none)
    }
    #expect(large.registry.account(of: LargeRegistry.user).isIdle)
    #expect(large.storage == HolderStorage())
  }

  @Test func firstOfThoseThatShareIsTheOneThatWasActiveLast() throws {
    let count = 16_384
    var large = LargeRegistry()
    var scenes = try (0..<count).map {
      try large.open("app\($0 % 3)", preferring: ["shared"], allowing: ["*"])
    }
    #expect(large.storage.shared == 1)
    for step in stride(from: 0, to: count, by: 7) {
      let scene = scenes[step * 31 % count]
      try large.activate(scene)
      #expect(large.decide("x:shared").destination == .scene(scene))
      #expect(large.decide("x:other").destination == .scene(scene))
    }
    scenes.sort { $0.rawValue < $1.rawValue }
    while let scene = scenes.popLast() {
      large.registry.closeScene(scene)
      guard scenes.count % 50 == 2 else { continue }
      try large.activate(scenes[0])
      #expect(large.decide("x:Shared").destination == .scene(scenes[0]))
      let elsewhere = large.decide("x:other", RouteConstraints(originSceneID: scenes[0]))
      #expect(elsewhere.destination != .scene(scenes[0]) && elsewhere.rule == .allowing)
    }
    #expect(large.storage == HolderStorage())
  }

  /// One scene whose 256 registrations all have the same two identifiers.
  @Test(arguments: [0, 1, 2])
  func whatOneSceneHoldsManyTimesGoesWithIt(others: Int) throws {
    var large = LargeRegistry()
    let scene = try large.open(preferring: ["shared", "other"])
    for number in 0..<255 {
      let registration = Registration(id: "\(number)", preferring: ["other", "shared"], allowing: ["shared"])
      let limits = Limits()
      #expect(
        large.registry.setRegistration(registration, of: scene, limits: limits) == nil
      )
    }
    let left = try (0..<others).map { _ in try large.open(allowing: ["shared"]) }
    #expect(large.decide("x:shared").destination == .scene(scene))
    try large.activate(scene)
    #expect(large.decide("x:shared").registrationIDs.count == 256)
    large.registry.closeScene(scene)
    let decision = large.decide("x:shared")
    #expect(decision.destination == left.first.map { .scene($0) } ?? Destination.none)
    #expect(large.storage.shared == max(0, others - 1))
    #expect(large.storage.texts == min(others, 1))
    for scene in left { large.registry.closeScene(scene) }
    #expect(large.storage == HolderStorage())
  }

  /// A trace of at most 100 steps names only 100 of the 500 scenes, so it ends before the winner.
  @Test func traceEndsWhereItsStepsEnd() throws {
    var large = LargeRegistry()
    for number in 0..<500 { _ = try large.open(preferring: ["/\(number)/"]) }
    let query = RouteQuery(Event(.url("x:/499/")), RouteConstraints())
    let short = large.registry.trace(query, maximum: 100)
    #expect(short.steps.count == 100)
    #expect(!short.isComplete && short.winner == nil)
    let whole = large.registry.trace(query, maximum: 500)
    #expect(whole.steps.count == 500)
    #expect(whole.isComplete && whole.winner?.pattern == "/499/")
  }

  @Test func scenesThatShareManyIdentifiersAreFoundInTheirOrder() throws {
    let (sceneCount, count) = (520, 2000)
    var large = LargeRegistry()
    let shared = Self.identifiers(count)
    let scenes = try (0..<sceneCount).map { _ in try large.open(preferring: shared) }
    for scene in [scenes[7], scenes[100], scenes[7]] {
      try large.activate(scene)
      for text in shared { #expect(large.decide("x:\(text)").destination == .scene(scene)) }
    }
    large.registry.closeScene(scenes[7])
    for text in shared { #expect(large.decide("x:\(text)").destination == .scene(scenes[100])) }
    for scene in scenes { large.registry.closeScene(scene) }
    #expect(large.storage == HolderStorage())
  }

  @Test func spellingsOfOneWordAreOneIdentifier() throws {
    let word = "abcdefghijklmnopqrst"
    let bits = 11
    var large = LargeRegistry()
    let spellings = (0..<1 << bits).map { number in
      String(word.enumerated().map { $0 < bits && number >> $0 & 1 == 1 ? $1.uppercased().first! : $1 })
    }
    let scene = try large.open(preferring: spellings)
    #expect(large.storage.nodes == 1)
    let decision = large.decide("x:\(word)")
    #expect(decision.destination == .scene(scene))
    #expect(decision.matchedPattern == word)
    let capitalized = "A" + word.dropFirst()
    let other = large.decide("x:\(capitalized)\(word.uppercased())").matchedPattern
    #expect(other == capitalized)
    let none = large.decide("x:\(word.uppercased())").matchedPattern
    #expect(none == spellings.min { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    large.registry.closeScene(scene)
    #expect(large.decide("x:\(word)").destination == .none)
    #expect(large.storage == HolderStorage())
  }

  @Test func everyIdentifierInALongURLIsFound() throws {
    let count = 1_000_000
    var large = LargeRegistry()
    var random = SplitMix64(seed: 1)
    // Each number encodes a word. After the highest bit, a bit that is 0 stands for `a`, and a 1 for `b`.
    let words = Set((0..<count).map { _ in UInt32.random(in: 1 << 12..<1 << 22, using: &random) })
    let texts = words.map { word in
      String((0..<31 - word.leadingZeroBitCount).reversed().map { word >> $0 & 1 == 0 ? "a" : "b" })
    }
    for start in stride(from: 0, to: texts.count, by: 2000) {
      _ = try large.open(preferring: Array(texts[start..<min(start + 2000, texts.count)]))
    }
    let letters =
      (0..<20_000).map { _ in UInt32.random(in: 0...1, using: &random) }
      + [UInt32](repeating: 0, count: 12_765) + [1]
    var expected: Set<UInt32> = []
    for end in letters.indices {
      var word: UInt32 = 1
      for start in stride(from: end, through: max(0, end - 21), by: -1) {
        let length = UInt32(end - start)
        word = 1 << (length + 1) | letters[start] << length | word & (1 << length - 1)
        if words.contains(word) { expected.insert(word) }
      }
    }
    let url = "x:" + String(letters.map { $0 == 0 ? "a" : "b" })
    let found = large.matches(in: url).dropLast()
    #expect(url.utf8.count == 32_768)
    #expect(found.count == expected.count)
    let codes = found.map { key in
      large.registry.holders.texts.spelling(of: key).utf8.reduce(UInt32(1)) { $0 << 1 | ($1 == 0x61 ? 0 : 1) }
    }
    #expect(Set(codes) == expected)
  }

  @Test func identifiersAsLongAsTheyMayBeAreFoundAndGivenBack() throws {
    let count = 2000
    var large = LargeRegistry()
    // Each identifier is the beginning of the next identifier.
    let texts = (0..<count).map { "x:" + String(repeating: "a", count: 4093 - count + $0) }
    // Each scene gets 50 identifiers, because a scene cannot have many more identifiers of this length.
    let scenes = try stride(from: 0, to: count, by: 50).map {
      try large.open(preferring: Array(texts[$0..<$0 + 50]))
    }
    let url = "x:" + String(repeating: "a", count: 32_766)
    #expect(large.decide(url).matchedPattern == texts[count - 1])
    #expect(large.matches(in: url).count == count + 1)
    #expect(large.replace(Array(texts[(count - 50)..<(count - 1)]), of: scenes[scenes.count - 1]) == nil)
    #expect(large.decide(url).matchedPattern == texts[count - 2])
    #expect(large.matches(in: url).count == count)
    for scene in scenes { large.registry.closeScene(scene) }
    #expect(large.storage == HolderStorage())
  }

  /// Many declarations share an identifier.
  ///
  /// Some declarations have an open scene, and most events may not open a new scene.
  @Test(arguments: [UInt64(1), 2, 3])
  func declarationsThatShareAreFoundWhoeverMayTakeTheEvent(_ seed: UInt64) throws {
    var large = LargeRegistry()
    var random = SplitMix64(seed: seed)
    var declared: Set<String> = []
    var scenes: [SceneID] = []
    func flip(_ outOf: Int) -> Bool { Int.random(in: 0..<outOf, using: &random) == 0 }
    for step in 0..<(2000) {
      let application = "app\(Int.random(in: 0..<30, using: &random))"
      let kinds = (0..<20).map { number in
        SceneDeclaration(
          id: "kind\(number)",
          matching: flip(20) ? nil : ["common", "number\(number)"],
          isSingleton: flip(2)
        )
      }
      if declared.insert(application).inserted {
        let claims = flip(3) ? Claims(schemes: ["s\(step % 2)"]) : Claims()
        #expect(
          large.declare(
            ApplicationDeclaration(
              applicationID: application,
              scenes: kinds,
              claims: claims,
              isSingleScene: flip(6)
            )
          ) == nil
        )
      } else if flip(3) {
        declared.remove(application)
        large.registry.withdrawDeclaration(of: application)
      }
      if flip(4), let scene = try? large.open(application, as: "kind\(step % 20)") { scenes.append(scene) }
      if scenes.count > 8 { large.registry.closeScene(scenes.remove(at: step % 9)) }
      let url = "s\(step % 3):" + ["common", "number7", "none"][step % 5 % 3]
      let constraints = RouteConstraints(
        applicationID: flip(5) && declared.contains(application) ? application : nil,
        originSceneID: flip(3) ? scenes.last : nil,
        allowsNewScene: flip(3)
      )
      try #require(large.difference(url, constraints) == nil)
    }
  }

  /// Between two events, a scene opens, changes or closes, or an application declares or withdraws its claims.
  ///
  /// The scenes share many identifiers.
  @Test func decisionsAreRightWhateverIsClosedMeanwhile() throws {
    let (applications, sceneCount, steps) = (1000, 2000, 3000)
    var large = LargeRegistry()
    var random = SplitMix64(seed: 3)
    var declared: Set<Int> = []
    func texts() -> [String] {
      let shared = ["common", "*", "/a/", "/b/"].filter { _ in Int.random(in: 0..<10, using: &random) < 9 }
      guard Int.random(in: 0..<20, using: &random) == 0 else { return shared }
      return shared + Self.identifiers(100, "n\(Int.random(in: 0..<3, using: &random))")
    }
    func application() -> Int { Int.random(in: 0..<applications, using: &random) }
    var scenes = try (0..<sceneCount).map { _ in
      try large.open("app\(application())", preferring: texts(), allowing: ["*"])
    }
    for step in 0..<steps {
      let index = Int.random(in: 0..<scenes.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        let id = application()
        let claims = Claims(schemes: ["s\(id % 3)"])
        if declared.insert(id).inserted {
          let declaration = ApplicationDeclaration(applicationID: "app\(id)", scenes: [], claims: claims)
          #expect(large.declare(declaration) == nil)
        } else {
          declared.remove(id)
          large.registry.withdrawDeclaration(of: "app\(id)")
        }
      case 1:
        large.registry.closeScene(scenes[index])
        scenes[index] = try large.open("app\(application())", preferring: texts(), allowing: ["*"])
      case 2: #expect(large.replace(texts(), of: scenes[index]) == nil)
      default: try large.activate(scenes[index])
      }
      let scheme = "s\(Int.random(in: 0..<4, using: &random))"
      let path = ["common", "/a/", "none", "/n1/\(step % 100)/", "/n2/7/common"].randomElement(
        using: &random
      )!
      let origin = Bool.random(using: &random) ? scenes[index] : nil
      let difference = large.difference("\(scheme):\(path)", RouteConstraints(originSceneID: origin))
      if let difference {
        Issue.record("step \(step): \(difference)")
        return
      }
    }
  }
}
