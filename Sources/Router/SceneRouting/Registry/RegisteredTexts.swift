/// Texts as a client wrote them, each with its key in an index.
///
/// They share one piece of memory, because the scenes of a user may have a million.
struct RegisteredTexts<Key: Hashable> {
  private struct Entry {
    let key: Key
    let end: Int32
  }

  private var entries: [Entry] = []
  private var bytes: [UInt8] = []

  init(_ texts: [String], key: (String) -> Key) {
    entries.reserveCapacity(texts.count)
    bytes.reserveCapacity(texts.reduce(0) { $0 + $1.utf8.count })
    for text in texts {
      bytes.append(contentsOf: text.utf8)
      entries.append(Entry(key: key(text), end: Int32(bytes.count)))
    }
  }

  // A closure, because a key path of generic code is made anew at each call, which takes as long as the whole change.
  var keys: some BidirectionalCollection<Key> { entries.lazy.map { $0.key } }

  var texts: [String] { entries.indices.map { self[$0] } }

  func contains(_ key: Key) -> Bool { entries.contains { $0.key == key } }

  func indices(of key: Key) -> some Sequence<Int> { entries.indices.lazy.filter { entries[$0].key == key } }

  subscript(_ index: Int) -> String {
    let start = index == 0 ? 0 : Int(entries[index - 1].end)
    return String(decoding: bytes[start..<Int(entries[index].end)], as: UTF8.self)
  }
}

extension RegisteredTexts<IdentifierKey> {
  init(
    _ identifiers: [String],
    in kind: IdentifierSetKind,
    of holder: HolderID,
    _ table: inout HolderTable
  ) {
    self.init(identifiers) { table.add($0, of: holder, in: kind) }
  }

  func spellings(of key: IdentifierKey) -> [String] { indices(of: key).map { self[$0] } }
}

extension RegisteredTexts<ShownTable.Key> {
  init(_ urls: [String], of scene: Slot, machineName: [UInt8], _ table: inout ShownTable) {
    self.init(urls) { table.add(ShownURL($0, machineName: machineName), of: scene) }
  }

  /// The first entry with the fragment of `url` counts, or else the first entry.
  func place(of key: ShownTable.Key, withFragmentOf url: String) -> (index: Int, hasFragment: Bool)? {
    var first: Int?
    for index in indices(of: key) {
      if ShownURL.haveSameFragment(self[index], url) { return (index, true) }
      first = first ?? index
    }
    return first.map { ($0, false) }
  }
}
