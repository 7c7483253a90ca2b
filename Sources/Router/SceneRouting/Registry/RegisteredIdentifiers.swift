/// ``HolderTable`` has each identifier only in its folded form; this type keeps each spelling that differs.
struct RegisteredIdentifiers {
  private struct Spelling {
    /// In ``keys``.
    var index: Int32
    var end: Int32
  }

  let keys: [IdentifierKey]
  private let spellings: [Spelling]
  private let bytes: [UInt8]

  init(
    _ identifiers: [String],
    in kind: IdentifierSetKind,
    of holder: HolderID,
    _ table: inout HolderTable
  ) {
    var keys: [IdentifierKey] = []
    var spellings: [Spelling] = []
    var bytes: [UInt8] = []
    keys.reserveCapacity(identifiers.count)
    for identifier in identifiers {
      let key = table.add(identifier, of: holder, in: kind)
      keys.append(key)
      guard !table.texts.isSpelling(identifier, of: key) else { continue }
      bytes.append(contentsOf: identifier.utf8)
      spellings.append(Spelling(index: Int32(keys.count - 1), end: Int32(bytes.count)))
    }
    (self.keys, self.spellings, self.bytes) = (keys, spellings, bytes)
  }

  func contains(_ key: IdentifierKey) -> Bool { keys.contains(key) }

  func texts(_ table: borrowing HolderTable) -> [String] {
    var spelled = 0
    return keys.indices.map { index in
      guard spelled < spellings.count, Int(spellings[spelled].index) == index else {
        return table.texts.spelling(of: keys[index])
      }
      spelled += 1
      return spelling(spelled - 1)
    }
  }

  /// `nil` if the spelling equals the folded text; of several spellings, the one that sorts first.
  func spelling(of key: IdentifierKey) -> String? {
    guard !spellings.isEmpty else { return nil }
    var best: String?
    for index in spellings.indices where keys[Int(spellings[index].index)] == key {
      let spelling = spelling(index)
      if best.map({ spelling.utf8.span.sortsBefore($0.utf8.span) }) ?? true { best = spelling }
    }
    return best
  }

  func spellings(of key: IdentifierKey, _ texts: borrowing IdentifierTrie) -> [String] {
    var found: [String] = []
    var spelled = 0
    for index in keys.indices {
      let isSpelled = spelled < spellings.count && Int(spellings[spelled].index) == index
      if isSpelled { spelled += 1 }
      if keys[index] == key { found.append(isSpelled ? spelling(spelled - 1) : texts.spelling(of: key)) }
    }
    return found
  }

  private func spelling(_ index: Int) -> String {
    let start = index == 0 ? 0 : Int(spellings[index - 1].end)
    return String(decoding: bytes[start..<Int(spellings[index].end)], as: UTF8.self)
  }
}
