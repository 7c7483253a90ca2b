import Testing

@testable import SceneRouting

/// A table, and the same as a plain list of sets.
private struct CheckedTable {
  private struct HeldSet {
    var owner: Slot
    var kind: IdentifierSetKind
    /// Which of the owner's declarations it belongs to.
    var index: Int32
    var texts: [FoldedText]
    var isForAll: Bool
    var registered: RegisteredIdentifiers
  }

  var table = IdentifierTable(seed: 1)
  private var sets: [HeldSet] = []
  /// The places of all owners; the later ones of those that have moved are negative.
  private var orders: [Int64]
  private var lastOrder: Int64 = 0
  private var setOwners: [SetOwnerID] = []
  private var declarationCounts: [Int32]
  /// Whether each application takes part in what nobody claims.
  private var takesUnclaimed = [true, true, false, false, false]

  init(ownerCount: Int64) {
    orders = (0..<ownerCount).map { $0 * 7 % 400 + 1 }
    declarationCounts = orders.map { _ in 0 }
    for application in 2..<5 { table.setTakesUnclaimed(false, of: Slot(application)) }
    for owner in 0..<self.ownerCount { setOwners.append(table.makeOwner(at: place(of: owner))) }
  }

  var ownerCount: Slot { Slot(orders.count) }
  var setCount: Int { sets.count }

  private func place(of owner: Slot) -> Candidate {
    Candidate(order: orders[Int(owner)] << 16, application: owner % 5, index: owner << 16)
  }

  private func place(of set: HeldSet) -> Candidate { place(of: set.owner).advanced(by: set.index) }

  mutating func add(
    _ texts: [String],
    of owner: Slot,
    in kind: IdentifierSetKind
  ) {
    if kind == .matching { declarationCounts[Int(owner)] += 1 }
    let index = kind == .matching ? declarationCounts[Int(owner)] : 0
    let registered = RegisteredIdentifiers(texts, in: kind, at: index, of: setOwners[Int(owner)], &table)
    sets.append(
      HeldSet(
        owner: owner,
        kind: kind,
        index: index,
        texts: texts.filter { $0 != "*" }.map { FoldedText($0) },
        isForAll: texts.contains("*"),
        registered: registered
      )
    )
  }

  mutating func remove(at index: Int) {
    sets.swapAt(index, sets.count - 1)
    table.remove(sets.removeLast().registered)
  }

  mutating func move(_ owner: Slot) {
    lastOrder -= 1
    orders[Int(owner)] = lastOrder
    table.move(setOwners[Int(owner)], to: place(of: owner))
  }

  mutating func changeSides(_ application: Slot) {
    takesUnclaimed[Int(application)].toggle()
    table.setTakesUnclaimed(takesUnclaimed[Int(application)], of: application)
  }

  /// Ends an owner with all its sets; another takes its place.
  mutating func remove(_ owner: Slot) {
    table.remove(setOwners[Int(owner)], with: sets.filter { $0.owner == owner }.map(\.registered))
    sets.removeAll { $0.owner == owner }
    setOwners[Int(owner)] = table.makeOwner(at: place(of: owner))
    declarationCounts[Int(owner)] = 0
  }

  /// Ends everything.
  mutating func removeAll() {
    for (owner, setOwner) in setOwners.enumerated() {
      table.remove(setOwner, with: sets.filter { $0.owner == owner }.map(\.registered))
    }
    sets = []
  }

  /// Where the table and the list differ for the text of an event.
  mutating func difference(in text: String) -> String? {
    let folded = FoldedText(text)
    let found = table.matches(in: folded)
    guard found.last == IdentifierTable.wildcard, found.count == Set(found).count else { return "\(found)" }
    let texts = Set(found.dropLast().map { FoldedText(table.spelling($0)) })
    let expected = Set(sets.flatMap(\.texts)).filter { folded.contains($0) }
    guard texts == expected else { return "\(text): \(texts), not \(expected)" }
    for key in found {
      let text = FoldedText(table.spelling(key))
      let isForAll = key == IdentifierTable.wildcard
      let holding = sets.filter { isForAll ? $0.isForAll : $0.texts.contains(text) }
      for kind in IdentifierSetKind.allCases {
        let difference = orderDifference(key, kind, holding.filter { $0.kind == kind })
        if let difference { return "\(table.spelling(key)), \(difference)" }
      }
    }
    return nil
  }

  private func orderDifference(
    _ key: IdentifierKey,
    _ kind: IdentifierSetKind,
    _ holding: [HeldSet]
  ) -> String? {
    let candidates = Set(holding.map { place(of: $0) }).sorted { $0.precedes($1) }
    let unclaiming = Set((0..<5 as Range<Slot>).filter { takesUnclaimed[Int($0)] })
    let claimants = [[1, 2], [2, 3]].map { Set<Slot>($0).subtracting(unclaiming) }
    let scopes: [(Scope, (Candidate) -> Bool)] = [
      (.only(3), { $0.application == 3 }),
      (.unclaiming, { unclaiming.contains($0.application) }),
      (.claiming(claimants), { (1...3).contains($0.application) && !unclaiming.contains($0.application) }),
      (.others(.unclaiming, than: 0), { $0.application != 0 && unclaiming.contains($0.application) }),
    ]
    for (scope, contains) in scopes {
      var found: [Candidate] = []
      while found.count < 10,
        let next = table.first(
          kind,
          holding: key,
          in: scope,
          where: { candidate in !found.contains { $0.order == candidate.order } }
        )
      { found.append(next) }
      let expected = candidates.filter(contains).prefix(10)
      guard found.map(\.order) == expected.map(\.order) else {
        return "\(scope): \(found), not \(expected)"
      }
      guard let first = found.first else { continue }
      var ids: [IdentifierSetID] = []
      let owner = first.index >> 16
      table.forEachSet(kind, of: setOwners[Int(owner)], holding: key) { ids.append($0) }
      guard ids.count == Set(ids).count,
        Set(ids) == Set(holding.filter { $0.owner == owner }.map(\.registered.id))
      else { return "sets \(ids) of \(first)" }
    }
    return nil
  }
}

/// The same numbers in every run (Lehmer's generator with a multiplier of L'Ecuyer's).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}

/// Makes up texts that have much in common.
private struct TextMaker {
  var random: SeededGenerator

  mutating func text(maximum: Int) -> String {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return String(repeating: "a", count: Int.random(in: 1...maximum, using: &random))
    case 1: return String(repeating: "ab", count: Int.random(in: 1...maximum / 2, using: &random))
    case 2:
      return ["é", "e\u{301}", "Straße", "ﬀ", "İ", "\u{AC00}", "\u{301}", "", "*", "**", "ΟΔΟΣ"]
        .randomElement(using: &random)!
    case 3: return String(repeating: "a", count: Int.random(in: 1...maximum, using: &random)) + "b"
    case 4: return "https://example.com/" + word(Int.random(in: 1...6, using: &random))
    default: return word(Int.random(in: 1...10, using: &random))
    }
  }

  /// Texts of one set; nearly all have one in common.
  mutating func texts() -> [String] {
    let common = ["a", "A", "*"].filter { _ in Int.random(in: 0..<10, using: &random) < 7 }
    return common + (0..<Int.random(in: 0..<4, using: &random)).map { _ in text(maximum: 40) }
  }

  private mutating func word(_ count: Int) -> String {
    String((0..<count).map { _ in "aAbBc/".randomElement(using: &random)! })
  }
}

extension Holders {
  fileprivate static var held: Holders { .single(IdentifierSetID(slot: 0)) }
}

@Suite struct IdentifierTableTests {
  /// A hundred thousand steps; a million where `SCENED_LONG_CHECKS` is set.
  private static let steps = CommandEnvironment.isLong ? 1_000_000 : 100_000

  @Test(arguments: [7, 400])
  func agreesWithThePlainListWhateverIsAddedAndRemoved(ownerCount: Int64) {
    var checked = CheckedTable(ownerCount: ownerCount)
    var maker = TextMaker(random: SeededGenerator(state: UInt64(ownerCount)))
    for step in 0..<Self.steps / 2 {
      // Grows and shrinks in waves: crowds come and go, down to nothing.
      let isGrowing = step / 1500 % 2 == 0
      switch Int.random(in: 0..<20, using: &maker.random) {
      case 0..<(isGrowing || checked.setCount == 0 ? 14 : 4):
        checked.add(
          maker.texts(),
          of: Slot.random(in: 0..<checked.ownerCount, using: &maker.random),
          in: Bool.random(using: &maker.random)
            ? .allowing : IdentifierSetKind.allCases.randomElement(using: &maker.random)!
        )
      case 14...16: checked.move(Slot.random(in: 0..<checked.ownerCount, using: &maker.random))
      case 17 where Int.random(in: 0..<400, using: &maker.random) < ownerCount:
        checked.remove(Slot.random(in: 0..<checked.ownerCount, using: &maker.random))
      case 18 where step % 10 == 0: checked.changeSides(Slot.random(in: 0..<5, using: &maker.random))
      case _ where checked.setCount == 0: break
      default: checked.remove(at: Int.random(in: 0..<checked.setCount, using: &maker.random))
      }
      guard step % 997 == 0 else { continue }
      let text = maker.text(maximum: 60) + maker.text(maximum: 60)
      if let difference = checked.difference(in: text) {
        Issue.record("step \(step): \(difference)")
        return
      }
    }
    checked.removeAll()
    #expect(checked.table.count == 0)
    #expect(checked.table.storage == IdentifierStorage())
  }

  @Test(arguments: [1, 2, 200, 1000])
  func eachHolderIsAskedOnceIfNoneIsAccepted(_ count: Int) {
    var table = IdentifierTable(seed: 1)
    var key = IdentifierTable.nothing
    for number in 0..<count {
      let place = Candidate(order: Int64(-number), application: 0, index: Slot(number))
      let owner = table.makeOwner(at: place)
      key = RegisteredIdentifiers(["shared"], in: .matching, of: owner, &table).keys[0]
    }
    var asked: [Slot] = []
    func reject(_ candidate: Candidate) -> Bool {
      asked.append(candidate.index)
      return false
    }
    let first = table.first(.matching, holding: key, in: .unclaiming, where: reject)
    #expect(first == nil)
    #expect(asked.sorted() == (0..<Slot(count)).map { $0 })
    let last = table.first(.matching, holding: key, in: .unclaiming, where: { $0.index < 5 })
    #expect(last?.index == Slot(min(count - 1, 4)))
  }

  @Test(arguments: [UInt64(0), 1, .max])
  func shortTextsHaveDifferentHashesWhateverTheSeed(_ seed: UInt64) {
    let polynomial = PolynomialHash(seed: seed)
    let hashes = (0..<100_000).map { number in
      "/i/\(number)/".utf8.reduce(0) { polynomial.hash($0, appending: $1) }
    }
    #expect(Set(hashes).count == hashes.count)
  }

  @Test func findsIdentifiersOfAllLengthsInALongText() {
    var trie = IdentifierTrie(seed: 3)
    let lengths = [1, 2, 3, 4, 7, 8, 9, 255, 256, 257, 4095, 4096, 65_535, 65_536]
    let nodes = lengths.map { length in
      let node = trie.insert([UInt8](repeating: 0x61, count: length).span)
      trie.setHolders(of: node, .held)
      return node
    }
    for (length, node) in zip(lengths, nodes) {
      let found = trie.matches(in: [UInt8](repeating: 0x61, count: length))
      #expect(Set(found) == Set(zip(lengths, nodes).filter { $0.0 <= length }.map(\.1)))
      #expect(found.count == Set(found).count)
      _ = node
    }
  }

  @Test(arguments: [1, 9, 255, 257, 520, 1025, 40_000])
  func findsAnIdentifierOfAnyLengthInTheMiddleOfALongerText(_ length: Int) {
    var trie = IdentifierTrie(seed: 3)
    let text = [UInt8](repeating: 0x61, count: length) + [0x62]
    let node = trie.insert(text.span)
    trie.setHolders(of: node, .held)
    let filling = [UInt8](repeating: 0x61, count: 4 * length)
    #expect(trie.matches(in: filling).isEmpty)
    #expect(trie.matches(in: filling + text + filling) == [node])
  }

  @Test func textsMadeToBeSlowAreSearchedInStepsThatTheirLengthBounds() {
    var trie = IdentifierTrie(seed: 3)
    for length in 1...2000 {
      let node = trie.insert([UInt8](repeating: 0x61, count: length).span)
      trie.setHolders(of: node, .held)
    }
    #expect(trie.matches(in: [UInt8](repeating: 0x61, count: 65_536)).count == 2000)
  }

  @Test(arguments: [8, 16])
  func hashesWithTheSameTagAreToldApart(_ length: Int) throws {
    var trie = IdentifierTrie(seed: 3)
    func text(_ number: Int, _ length: Int) -> [UInt8] {
      let digits = Array(String(number, radix: 36).utf8)
      return digits + [UInt8](repeating: 0x2F, count: length - digits.count)
    }
    func tag(_ number: Int, _ length: Int) -> UInt32 {
      HandleTable.tag(text(number, length).reduce(0) { trie.polynomial.hash($0, appending: $1) })
    }
    // Lengths at which a text of up to 15, or 31, bytes is filed.
    var numbers: [UInt32: Int] = [:]
    for number in 0..<150_000 { numbers[tag(number, 8)] = number }
    let other = (150_000..<300_000).first { numbers[tag($0, length)] != nil }
    let number = try #require(other.flatMap { numbers[tag($0, length)] })
    let (left, right) = (text(number, 8), text(try #require(other), length))

    func found(in text: [UInt8]) -> Set<[UInt8]> {
      Set(trie.matches(in: text).map { trie.text(of: $0) })
    }
    func hold(_ text: [UInt8]) { trie.setHolders(of: trie.insert(text.span), .held) }
    let end = [UInt8](repeating: 0x2D, count: 4)
    let beginning = Array(right.prefix(4))
    hold(left + end)
    #expect(found(in: right + end).isEmpty)
    hold(beginning)
    #expect(found(in: right + end) == [beginning])
    hold(right + end)
    #expect(found(in: right + end) == [beginning, right + end])
    #expect(found(in: left + end).contains(left + end))
  }

  @Test func filtersGrowAndShrinkWithoutForgettingAnything() {
    var trie = IdentifierTrie(seed: 3)
    func text(_ number: Int) -> [UInt8] { Array("id-\(number * 7919 % 1_000_003)-x".utf8) }
    var nodes: [Int32] = []
    for number in 0..<20_000 {
      let node = trie.insert(text(number).span)
      trie.setHolders(of: node, .held)
      nodes.append(node)
    }
    func isFound(_ number: Int) -> Bool { trie.matches(in: text(number)).contains(nodes[number]) }
    #expect((0..<20_000).allSatisfy(isFound))
    for number in 0..<19_000 { trie.setHolders(of: nodes[number], .none) }
    #expect((19_000..<20_000).allSatisfy(isFound))
    #expect(!(0..<19_000).contains(where: isFound))
    for number in 19_000..<20_000 { trie.setHolders(of: nodes[number], .none) }
    #expect(trie.nodeCount == 0)
    #expect(trie.texts.byteCount == 0)
  }
}

extension IdentifierTrie {
  fileprivate mutating func matches(in text: [UInt8]) -> [Int32] {
    var found: [Int32] = []
    forEachMatch(in: text.span) { found.append($0) }
    return found
  }
}
