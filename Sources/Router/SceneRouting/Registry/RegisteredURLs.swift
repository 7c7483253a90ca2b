/// The URLs of one `showing` set as a client registered it.
///
/// ``ShownTable`` has each URL only in the normalised form that is compared with the URLs of events. This type keeps
/// the client's spelling if it differs from the normalised form.
struct RegisteredURLs {
  /// The keys of the URLs, in the order of registration.
  let keys: [ShownTable.Key]
  /// The spelling of each URL; `nil` if the table has the same spelling.
  private let spellings: [String?]

  /// Adds a scene's shown URLs to a table.
  init(_ urls: [String], of scene: Slot, machineName: [UInt8], _ table: inout ShownTable) {
    var spellings: [String?] = []
    keys = urls.map { url in
      let shown = ShownURL(url, machineName: machineName)
      spellings.append(shown.bytes.elementsEqual(url.utf8) ? nil : url)
      return table.add(shown, of: scene)
    }
    self.spellings = spellings
  }

  /// The URLs as the client registered them.
  func texts(_ table: borrowing ShownTable) -> [String] {
    keys.indices.map { spellings[$0] ?? table.text(of: keys[$0]) }
  }

  /// The place of an entry with a URL; `nil` if the URL is not in the set.
  ///
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

  /// The URL at a place as the client registered it.
  func text(at index: Int, _ table: borrowing ShownTable) -> String {
    spellings[index] ?? table.text(of: keys[index])
  }
}
