/// One set of identifiers as it was registered, in few bytes.
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
  let charge: Charge
  /// In the order in which they were registered.
  private(set) var keys: [IdentifierKey] = []
  private var spellings: [Spelling] = []
  private var bytes: [UInt8] = []
  /// The spellings sorted by their keys.
  private var byKey: [Int32] = []

  /// Notes identifiers in a table.
  init(
    _ identifiers: [String],
    in kind: IdentifierSetKind,
    at index: Int32 = 0,
    of owner: SetOwnerID,
    _ table: inout IdentifierTable
  ) {
    id = table.makeSet(of: kind, at: index, for: owner)
    charge = Charge(identifiers)
    keys.reserveCapacity(identifiers.count)
    for identifier in identifiers {
      let key = table.add(identifier, to: id)
      keys.append(key)
      guard !table.isText(key, identifier) else { continue }
      bytes.append(contentsOf: identifier.utf8)
      spellings.append(Spelling(index: Int32(keys.count - 1), end: Int32(bytes.count)))
    }
    // As numbers, key and index in one.
    byKey = spellings.indices.map { Int64(key($0).index) << 32 | Int64($0) }.sorted()
      .map { Int32(truncatingIfNeeded: $0) }
  }

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
