import RandomNumbers
import Testing

@testable import SceneRouting

/// A `HolderTable`, and a plain list that gets the same changes.
///
/// The tests compare what the table and the list find.
private struct CheckedTable: ~Copyable {
  private struct HeldSet {
    var holder: Int
    var kind: IdentifierSetKind
    var texts: [FoldedText]
    var isForAll: Bool
    var registered: RegisteredTexts<IdentifierKey>
  }

  private static let applicationCount: Slot = 5

  var table = HolderTable(seed: 1)
  private var sets: [HeldSet] = []
  /// The place of each holder in the order of holders.
  ///
  /// A holder that is moved gets a negative place, which is before all other places.
  private var orders: [Int64]
  private var lastOrder: Int64 = 0
  private var holders: [HolderID] = []

  init(holderCount: Int64) {
    orders = (0..<holderCount).map { $0 * 7 % 401 + 1 }
    for holder in orders.indices { holders.append(table.makeHolder(at: place(of: holder))) }
  }

  var holderCount: Int { orders.count }
  var setCount: Int { sets.count }

  private func place(of holder: Int) -> Candidate {
    Candidate(
      order: orders[holder],
      application: Slot(holder) % Self.applicationCount,
      index: Int32(holder)
    )
  }

  mutating func add(_ texts: [String], of holder: Int, in kind: IdentifierSetKind) {
    sets.append(
      HeldSet(
        holder: holder,
        kind: kind,
        texts: texts.filter { $0 != "*" }.map { FoldedText($0) },
        isForAll: texts.contains("*"),
        registered: RegisteredTexts(texts, in: kind, of: holders[holder], &table)
      )
    )
  }

  /// Removes a set; an identifier stays if another set of the same holder and kind has the identifier.
  mutating func remove(at index: Int) {
    sets.swapAt(index, sets.count - 1)
    let removed = sets.removeLast()
    let left = sets.filter { $0.holder == removed.holder && $0.kind == removed.kind }
    for key in removed.registered.keys where !left.contains(where: { $0.registered.contains(key) }) {
      table.remove(key, of: holders[removed.holder], in: removed.kind)
    }
  }

  mutating func move(_ holder: Int) {
    lastOrder -= 1
    orders[holder] = lastOrder
    table.move(holders[holder], to: place(of: holder))
  }

  /// Removes a holder with all its sets, and puts a new holder without sets in its place.
  mutating func remove(_ holder: Int) {
    for set in sets where set.holder == holder {
      for key in set.registered.keys { table.remove(key, of: holders[holder], in: set.kind) }
    }
    sets.removeAll { $0.holder == holder }
    table.remove(holders[holder])
    holders[holder] = table.makeHolder(at: place(of: holder))
  }

  mutating func removeAll() {
    for holder in holders.indices { remove(holder) }
    for holder in holders { table.remove(holder) }
  }

  /// The difference between what `table` and `sets` find in the text of an event; nil if there is no difference.
  mutating func difference(in text: String) -> String? {
    let folded = FoldedText(text)
    var found: [IdentifierKey] = []
    table.findKeys(in: text, &found)
    guard found.count == Set(found).count else { return "\(found)" }
    let texts = Set(found.map { FoldedText(table.texts.spelling(of: $0)) })
    let expected = Set(sets.flatMap(\.texts)).filter { folded.contains($0) }
    guard texts == expected else { return "\(text): \(texts), not \(expected)" }
    for key in found + [.wildcard] {
      let spelling = table.texts.spelling(of: key)
      let holding = sets.filter { key == .wildcard ? $0.isForAll : $0.texts.contains(FoldedText(spelling)) }
      for kind in IdentifierSetKind.allCases {
        let difference = orderDifference(key, kind, holding.filter { $0.kind == kind })
        if let difference { return "\(spelling), \(difference)" }
      }
    }
    return nil
  }

  private func orderDifference(
    _ key: IdentifierKey,
    _ kind: IdentifierSetKind,
    _ holding: [HeldSet]
  ) -> String? {
    let candidates = Set(holding.map { place(of: $0.holder) }).sorted { $0.order < $1.order }
    let some = ApplicationSet([1, 2, 3])
    var others = some
    others.remove(2)
    let scopes: [(ApplicationSet, Set<Slot>)] = [
      (ApplicationSet(only: 3), [3]), (ApplicationSet([0, 1, 2, 3, 4]), [0, 1, 2, 3, 4]),
      (some, [1, 2, 3]),
      (others, [1, 3]), (ApplicationSet(), []),
    ]
    for (scope, applications) in scopes {
      var found: [Candidate] = []
      while found.count < 10,
        let next = table.first(kind, holding: key, in: scope, where: { !found.contains($0) })
      { found.append(next) }
      let expected = candidates.filter { applications.contains($0.application) }.prefix(10)
      guard found == Array(expected) else { return "\(scope): \(found), not \(expected)" }
    }
    let holders = Set(holding.map(\.holder))
    for holder in self.holders.indices
    where table.holds(self.holders[holder], key, in: kind) != holders.contains(holder) {
      return "holder \(holder): \(!holders.contains(holder))"
    }
    return nil
  }
}

/// A generator of texts that have much in common.
private struct TextMaker {
  var random: SplitMix64

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

  /// The texts of one set.
  ///
  /// Nearly all sets contain `a` or `A`, which fold to the same text.
  mutating func texts() -> [String] {
    let common = ["a", "A", "*"].filter { _ in Int.random(in: 0..<10, using: &random) < 7 }
    return common + (0..<Int.random(in: 0..<4, using: &random)).map { _ in text(maximum: 40) }
  }

  private mutating func word(_ count: Int) -> String {
    String((0..<count).map { _ in "aAbBc/".randomElement(using: &random)! })
  }
}

@Suite struct IdentifierIndexTests {
  /// The number of random changes to the tables.
  private static let steps = 1_000_000

  @Test(arguments: [7, 400])
  func agreesWithThePlainListWhateverIsAddedAndRemoved(holderCount: Int64) {
    var checked = CheckedTable(holderCount: holderCount)
    var maker = TextMaker(random: SplitMix64(seed: UInt64(holderCount)))
    for step in 0..<Self.steps / 2 {
      // For 1500 steps, most changes add sets. For the next 1500 steps, most changes remove sets. The table therefore
      // grows and shrinks several times.
      let isGrowing = step / 1500 % 2 == 0
      switch Int.random(in: 0..<20, using: &maker.random) {
      case 0..<(isGrowing || checked.setCount == 0 ? 14 : 4):
        checked.add(
          maker.texts(),
          of: Int.random(in: 0..<checked.holderCount, using: &maker.random),
          in: Bool.random(using: &maker.random)
            ? .allowing : IdentifierSetKind.allCases.randomElement(using: &maker.random)!
        )
      case 14...16: checked.move(Int.random(in: 0..<checked.holderCount, using: &maker.random))
      case 17 where Int.random(in: 0..<400, using: &maker.random) < holderCount:
        checked.remove(Int.random(in: 0..<checked.holderCount, using: &maker.random))
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
    #expect(checked.table.storage == HolderStorage())
  }

  @Test(arguments: [1, 2, 200, 1000])
  func eachHolderIsAskedOnceIfNoneIsAccepted(_ count: Int) {
    var table = HolderTable(seed: 1)
    var key = IdentifierKey.never
    for number in 0..<count {
      // Each new holder gets a place before all holders that exist already.
      let place = Candidate(order: Int64(-number), application: 0, index: Slot(number))
      key = table.add("shared", of: table.makeHolder(at: place), in: .matching)
    }
    var asked: [Slot] = []
    func reject(_ candidate: Candidate) -> Bool {
      asked.append(candidate.index)
      return false
    }
    let first = table.first(.matching, holding: key, in: ApplicationSet(only: 0), where: reject)
    #expect(first == nil)
    #expect(asked.sorted() == (0..<Slot(count)).map { $0 })
    let last = table.first(.matching, holding: key, in: ApplicationSet(only: 0), where: { $0.index < 5 })
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

  @Test(arguments: [UInt64(0), 1, .max])
  func wholeTextsHaveDifferentHashesWhateverTheSeed(_ seed: UInt64) {
    let polynomial = PolynomialHash(seed: seed)
    let numbered = (0..<100_000).map { Array("https://a.test/\($0)/of/a/hundred/thousand".utf8) }
    let alike = [0, 0x61, 0xFF].flatMap { byte in (1..<64).map { [UInt8](repeating: byte, count: $0) } }
    // Each text has 64 bytes: a 1 at a place of its own, and a 2 everywhere else.
    let nearly = (0..<64).map { place in (0..<64).map { $0 == place ? UInt8(1) : 2 } }
    let hashes = (numbered + alike + nearly).map { polynomial.hash(ofWhole: $0.span) }
    #expect(Set(hashes).count == hashes.count)
    #expect(hashes.allSatisfy { $0 < PolynomialHash.modulus })
  }

  @Test func findsIdentifiersOfAllLengthsInALongText() {
    var trie = IdentifierTrie(seed: 3)
    let lengths = [1, 2, 3, 4, 7, 8, 9, 255, 256, 257, 4095, 4096, 65_535, 65_536]
    let nodes = lengths.map { length in
      trie.insert([UInt8](repeating: 0x61, count: length).span, 0).key
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
    let node = trie.insert(text.span, 0).key
    let filling = [UInt8](repeating: 0x61, count: 4 * length)
    #expect(trie.matches(in: filling).isEmpty)
    #expect(trie.matches(in: filling + text + filling) == [node])
  }

  @Test func textsMadeToBeSlowAreSearchedInStepsThatTheirLengthBounds() {
    var trie = IdentifierTrie(seed: 3)
    for length in 1...2000 {
      _ = trie.insert([UInt8](repeating: 0x61, count: length).span, 0)
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
    // The trie looks up a text by the hash of its first bytes. It hashes 8 bytes of a text of 12 bytes, and 16 bytes of
    // a text of 20 bytes. The test therefore uses two texts whose hashes have the same tag.
    var numbers: [UInt32: Int] = [:]
    for number in 0..<150_000 { numbers[tag(number, 8)] = number }
    let other = (150_000..<300_000).first { numbers[tag($0, length)] != nil }
    let number = try #require(other.flatMap { numbers[tag($0, length)] })
    let (left, right) = (text(number, 8), text(try #require(other), length))

    func found(in text: [UInt8]) -> Set<[UInt8]> {
      Set(trie.matches(in: text).map { Array(trie.spelling(of: $0).utf8) })
    }
    func hold(_ text: [UInt8]) { _ = trie.insert(text.span, 0) }
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
    let nodes = (0..<20_000).map { trie.insert(text($0).span, 0).key }
    func isFound(_ number: Int) -> Bool { trie.matches(in: text(number)).contains(nodes[number]) }
    #expect((0..<20_000).allSatisfy(isFound))
    for number in 0..<19_000 { trie.remove(nodes[number]) }
    #expect((19_000..<20_000).allSatisfy(isFound))
    #expect(!(0..<19_000).contains(where: isFound))
    for number in 19_000..<20_000 { trie.remove(nodes[number]) }
    #expect(trie.nodeCount == 0)
    #expect(trie.texts.byteCount == 0)
  }
}

extension IdentifierTrie {
  fileprivate mutating func matches(in text: [UInt8]) -> [IdentifierKey] {
    var found: [IdentifierKey] = []
    forEachMatch(in: text.span) { found.append($0) }
    return found
  }
}

extension FoldedText {
  /// Whether another text occurs in this text.
  ///
  /// The index has to agree with this definition.
  func contains(_ other: FoldedText) -> Bool {
    let (text, part) = (bytes, other.bytes)
    return !part.isEmpty && part.count <= text.count
      && (0...text.count - part.count).contains { text[$0...].starts(with: part) }
  }
}

extension HolderTable {
  /// The sizes of all parts of the table's memory.
  var storage: HolderStorage {
    HolderStorage(
      texts: texts.count,
      nodes: texts.nodeCount,
      bytes: texts.texts.byteCount,
      shared: sharedCount,
      holders: holderCount
    )
  }
}

/// Counts of what a `HolderTable` stores, such as its texts and holders.
///
/// All counts are zero if the table has no holder.
struct HolderStorage: Equatable {
  var texts = 0
  var nodes = 0
  var bytes = 0
  var shared = 0
  var holders = 0
}
