import Testing

@testable import SceneRouting

/// A table, and the same as a plain list of who holds what.
private struct CheckedTable {
  struct Held: Hashable {
    var text: String
    var kind: IdentifierSetKind
    var owner: Slot
    var part: Int32
  }

  var table = IdentifierTable(seed: 1)
  private(set) var held: [Held] = []
  private var keys: [Held: IdentifierKey] = [:]

  static func candidate(_ held: Held) -> Candidate {
    Candidate(
      order: Int64(held.owner * 7 % 64),
      application: held.owner % 5,
      index: held.owner,
      part: held.part,
      takesUnclaimed: held.owner % 5 < 2
    )
  }

  mutating func add(_ added: Held) {
    guard keys[added] == nil else { return }
    let holder = Holder(owner: added.owner, part: added.part)
    keys[added] = table.add(added.text, in: added.kind, by: holder) { kind, holder in
      Self.candidate(Held(text: "", kind: kind, owner: holder.owner, part: holder.part))
    }
    held.append(added)
  }

  mutating func remove(at index: Int) {
    held.swapAt(index, held.count - 1)
    let removed = held.removeLast()
    let key = keys.removeValue(forKey: removed)!
    // Another spelling of the same text in the same set keeps it, as a registration is only removed as a whole.
    let isSpelledOtherwise = held.contains {
      $0.kind == removed.kind && $0.owner == removed.owner && $0.part == removed.part && keys[$0] == key
    }
    if isSpelledOtherwise { return }
    let holder = Holder(owner: removed.owner, part: removed.part)
    table.remove(key, in: removed.kind, by: holder, Self.candidate(removed))
  }

  /// Where the table and the list differ for the text of an event.
  func difference(in text: String) -> String? {
    let folded = FoldedText(text)
    let found = table.matches(in: folded).dropLast().map { table.spelling($0) }
    let expected = Set(
      held.filter { $0.text != "*" }.map { FoldedText($0.text) }.filter { folded.contains($0) }
    )
    guard found.count == expected.count, Set(found.map { FoldedText($0) }) == expected else {
      return "\(text): \(found), not \(expected.map { String(decoding: $0.bytes, as: UTF8.self) })"
    }
    for key in table.matches(in: folded) {
      for kind in IdentifierSetKind.allCases {
        if let difference = orderDifference(key, kind) { return difference }
      }
    }
    return nil
  }

  private func orderDifference(_ key: IdentifierKey, _ kind: IdentifierSetKind) -> String? {
    let holding = Set(held.filter { $0.kind == kind && keys[$0] == key }.map(Self.candidate))
      .sorted { $0.precedes($1) }
    if let only = table.onlyHolder(kind, of: key) {
      return holding.map(\.index) == [only.owner] && holding.map(\.part) == [only.part] ? nil : "only \(only)"
    }
    let scopes: [(Scope, (Candidate) -> Bool)] = [
      (.only(3), { $0.application == 3 }),
      (.unclaiming, { $0.takesUnclaimed }),
      (.claiming([[2, 3], [3, 4]]), { !$0.takesUnclaimed }),
      (.others(.unclaiming, than: 0), { $0.application == 1 }),
    ]
    for (scope, contains) in scopes {
      var found: [Candidate] = []
      while let next = table.first(kind, holding: key, in: scope, after: found.last) { found.append(next) }
      if found != holding.filter(contains) { return "\(scope): \(found), not \(holding.filter(contains))" }
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

  private mutating func word(_ count: Int) -> String {
    String((0..<count).map { _ in "aAbBc/".randomElement(using: &random)! })
  }
}

@Suite struct IdentifierTableTests {
  /// A hundred thousand steps; a million where `SCENED_LONG_CHECKS` is set.
  private static let steps = CommandEnvironment.isLong ? 1_000_000 : 100_000

  @Test(arguments: [UInt64(1), 2])
  func agreesWithThePlainListWhateverIsAddedAndRemoved(_ seed: UInt64) {
    var checked = CheckedTable()
    var maker = TextMaker(random: SeededGenerator(state: seed))
    for step in 0..<Self.steps / 2 {
      // Grows and shrinks in waves, down to nothing.
      let isGrowing = step / 300 % 2 == 0
      if checked.held.isEmpty || Int.random(in: 0..<10, using: &maker.random) < (isGrowing ? 7 : 3) {
        checked.add(
          CheckedTable.Held(
            text: maker.text(maximum: 40),
            kind: IdentifierSetKind.allCases.randomElement(using: &maker.random)!,
            owner: Slot.random(in: 0..<60, using: &maker.random),
            part: Int32.random(in: 0..<3, using: &maker.random)
          )
        )
      } else {
        checked.remove(at: Int.random(in: 0..<checked.held.count, using: &maker.random))
      }
      guard step % 20 == 0 else { continue }
      let text = maker.text(maximum: 60) + maker.text(maximum: 60)
      if let difference = checked.difference(in: text) {
        Issue.record("step \(step): \(difference)")
        return
      }
    }
    while !checked.held.isEmpty { checked.remove(at: checked.held.count - 1) }
    #expect(checked.table.count == 0)
    #expect(checked.table.storage == (nodes: 0, bytes: 0, shared: 0))
  }

  @Test func findsIdentifiersOfAllLengthsInALongText() {
    var trie = IdentifierTrie(seed: 3)
    let lengths = [1, 2, 3, 4, 7, 8, 9, 255, 256, 257, 4095, 4096, 65_535, 65_536]
    let nodes = lengths.map { length in
      let node = trie.insert([UInt8](repeating: 0x61, count: length).span)
      trie.changeHolders(of: node) { $0.state = 2 }
      return node
    }
    for (length, node) in zip(lengths, nodes) {
      var found: [Int32] = []
      trie.forEachMatch(in: [UInt8](repeating: 0x61, count: length).span) { found.append($0) }
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
    trie.changeHolders(of: node) { $0.state = 2 }
    let filling = [UInt8](repeating: 0x61, count: 4 * length)
    var count = 0
    trie.forEachMatch(in: filling.span) { _ in count += 1 }
    #expect(count == 0)
    trie.forEachMatch(in: (filling + text + filling).span) { _ in count += 1 }
    #expect(count == 1)
  }

  @Test func textsMadeToBeSlowAreSearchedInStepsThatTheirLengthBounds() {
    var trie = IdentifierTrie(seed: 3)
    for length in 1...2000 {
      let node = trie.insert([UInt8](repeating: 0x61, count: length).span)
      trie.changeHolders(of: node) { $0.state = 2 }
    }
    var count = 0
    trie.forEachMatch(in: [UInt8](repeating: 0x61, count: 65_536).span) { _ in count += 1 }
    #expect(count == 2000)
  }

  @Test func filtersGrowAndShrinkWithoutForgettingAnything() {
    var trie = IdentifierTrie(seed: 3)
    func text(_ number: Int) -> [UInt8] { Array("id-\(number * 7919 % 1_000_003)-x".utf8) }
    var nodes: [Int32] = []
    for number in 0..<20_000 {
      let node = trie.insert(text(number).span)
      trie.changeHolders(of: node) { $0.state = 2 }
      nodes.append(node)
    }
    func isFound(_ number: Int) -> Bool {
      var isFound = false
      trie.forEachMatch(in: text(number).span) { isFound = isFound || $0 == nodes[number] }
      return isFound
    }
    #expect((0..<20_000).allSatisfy(isFound))
    for number in 0..<19_000 { trie.changeHolders(of: nodes[number]) { $0.state = 0 } }
    #expect((19_000..<20_000).allSatisfy(isFound))
    #expect(!(0..<19_000).contains(where: isFound))
    for number in 19_000..<20_000 { trie.changeHolders(of: nodes[number]) { $0.state = 0 } }
    #expect(trie.nodeCount == 0)
    #expect(trie.texts.byteCount == 0)
  }
}
