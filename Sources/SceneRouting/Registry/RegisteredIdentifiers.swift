/// One set of identifiers as it was registered, in so few bytes that a scene can hold a hundred thousand.
///
/// The table knows identifiers by their folded text; spellings that differ from it are kept here.
struct RegisteredIdentifiers {
  private struct Spelling {
    /// Which of the identifiers it is.
    var index: Int32
    /// Where it ends in the bytes of all spellings.
    var end: Int32
  }

  let id: IdentifierSetID
  /// What the set weighs in an account.
  private(set) var charge = Charge()
  /// In the order in which they were registered.
  private(set) var keys: [IdentifierKey] = []
  private var spellings: [Spelling] = []
  private var bytes: [UInt8] = []
  /// The spellings sorted by their keys.
  private var byKey: [Int32] = []

  /// Makes an empty set, to which ``add(_:to:)`` adds until ``finish()``.
  init(
    in kind: IdentifierSetKind,
    at index: Int32 = 0,
    of owner: SetOwnerID,
    _ table: inout IdentifierTable
  ) {
    id = table.makeSet(of: kind, at: index, for: owner)
  }

  /// Notes identifiers in a table.
  init(
    _ identifiers: [String],
    in kind: IdentifierSetKind,
    at index: Int32 = 0,
    of owner: SetOwnerID,
    _ table: inout IdentifierTable
  ) {
    self.init(in: kind, at: index, of: owner, &table)
    keys.reserveCapacity(identifiers.count)
    for identifier in identifiers { add(identifier, to: &table) }
    finish()
  }

  /// Notes one more identifier.
  mutating func add(_ identifier: String, to table: inout IdentifierTable) {
    let key = table.add(identifier, to: id)
    keys.append(key)
    charge.identifiers += 1
    charge.bytes += identifier.utf8.count
    guard !table.isText(key, identifier) else { return }
    bytes.append(contentsOf: identifier.utf8)
    spellings.append(Spelling(index: Int32(keys.count - 1), end: Int32(bytes.count)))
  }

  /// Ends the adding, so that spellings can be asked for.
  mutating func finish() {
    // As numbers, key and index in one: there may be more than a hundred thousand.
    byKey = spellings.indices.map { Int64(key($0).index) << 32 | Int64($0) }.sorted()
      .map { Int32(truncatingIfNeeded: $0) }
  }

  /// Takes the last key out of a set that is gone.
  mutating func takeLastKey() -> IdentifierKey? { keys.popLast() }

  /// The identifiers as they were registered.
  func texts(_ table: IdentifierTable) -> [String] {
    var spelled = 0
    return keys.indices.map { index in
      guard spelled < spellings.count, Int(spellings[spelled].index) == index else {
        return table.spelling(keys[index])
      }
      spelled += 1
      return spelling(spelled - 1)
    }
  }

  /// How an identifier is spelled, if that differs from its folded text; of several spellings the one that sorts
  /// first.
  @inline(__always)
  func spelling(of key: IdentifierKey) -> String? { byKey.isEmpty ? nil : sortedSpelling(of: key) }

  private func sortedSpelling(of key: IdentifierKey) -> String? {
    var best: String?
    var low = 0
    var high = byKey.count
    while low < high {
      let middle = (low + high) / 2
      if self.key(Int(byKey[middle])).index < key.index { low = middle + 1 } else { high = middle }
    }
    while low < byKey.count, self.key(Int(byKey[low])) == key {
      let spelling = spelling(Int(byKey[low]))
      low += 1
      if best.map({ spelling.utf8.span.sortsBefore($0.utf8.span) }) ?? true { best = spelling }
    }
    return best
  }

  private func key(_ spelling: Int) -> IdentifierKey { keys[Int(spellings[spelling].index)] }

  private func spelling(_ index: Int) -> String {
    let start = index == 0 ? 0 : Int(spellings[index - 1].end)
    return String(decoding: bytes[start..<Int(spellings[index].end)], as: UTF8.self)
  }
}
