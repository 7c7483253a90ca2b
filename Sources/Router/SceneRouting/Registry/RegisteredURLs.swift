/// ``ShownTable`` has each URL only in its normalised form; this type keeps each spelling that differs.
struct RegisteredURLs {
  let keys: [ShownTable.Key]
  /// `nil` if the table has the same spelling.
  private let spellings: [String?]

  init(_ urls: [String], of scene: Slot, machineName: [UInt8], _ table: inout ShownTable) {
    var spellings: [String?] = []
    keys = urls.map { url in
      let shown = ShownURL(url, machineName: machineName)
      spellings.append(shown.bytes.elementsEqual(url.utf8) ? nil : url)
      return table.add(shown, of: scene)
    }
    self.spellings = spellings
  }

  func texts(_ table: borrowing ShownTable) -> [String] {
    keys.indices.map { spellings[$0] ?? table.text(of: keys[$0]) }
  }

  /// The first entry with the fragment of `url` counts, or else the first entry.
  func place(of key: ShownTable.Key, withFragmentOf url: String) -> (index: Int, hasFragment: Bool)? {
    var first: Int?
    for index in keys.indices where keys[index] == key {
      // A URL without a spelling of its own has no fragment.
      if ShownURL.haveSameFragment(spellings[index] ?? "", url) { return (index, true) }
      first = first ?? index
    }
    return first.map { ($0, false) }
  }

  func text(at index: Int, _ table: borrowing ShownTable) -> String {
    spellings[index] ?? table.text(of: keys[index])
  }
}
