/// The URLs that open scenes show, each URL once and with its scenes.
///
/// A URL is found by one look-up, however many URLs there are. The scenes of a URL are in no order, so a scene
/// that becomes active changes nothing here.
struct ShownTable: ~Copyable, Sendable {
  /// A URL that some scene shows.
  struct Key: Hashable {
    fileprivate let index: Int32
  }

  /// The scenes that show a URL.
  ///
  /// Nearly always there is one scene, which needs no memory of its own.
  enum Scenes {
    case one(Slot)
    case several([Slot])
  }

  private struct Entry {
    var url: ShownURL
    var scenes: Scenes
  }

  /// Finds the index of an entry by the hash of the entry's URL.
  private var handles = HandleTable()
  /// Hashes the URLs.
  private let polynomial: PolynomialHash
  private var entries: [Entry] = []
  private var free: [Int32] = []

  /// Makes an empty table.
  ///
  /// A secret `seed` keeps clients from choosing URLs with the same hash.
  init(seed: UInt64) { polynomial = PolynomialHash(seed: seed) }

  /// Whether no scene shows anything.
  var isEmpty: Bool { handles.count == 0 }

  /// The key of a URL; `nil` if no scene shows the URL.
  ///
  /// The URL must be in the normalised form of ``ShownURL``.
  func key(of url: Span<UInt8>) -> Key? { key(of: url, polynomial.hash(ofWhole: url)) }

  /// The URL of a key, in the normalised form of ``ShownURL``.
  func text(of key: Key) -> String { String(decoding: entries[Int(key.index)].url.bytes, as: UTF8.self) }

  /// The scenes that show a URL.
  func scenes(showing key: Key) -> Scenes { entries[Int(key.index)].scenes }

  /// Adds a URL that a scene shows.
  ///
  /// Changes nothing if the table already has this scene for the URL.
  mutating func add(_ url: ShownURL, of scene: Slot) -> Key {
    let hash = polynomial.hash(ofWhole: url.bytes.span)
    if let key = key(of: url.bytes.span, hash) {
      entries[Int(key.index)].scenes.insert(scene)
      return key
    }
    let entry = Entry(url: url, scenes: .one(scene))
    let index = free.popLast() ?? Int32(entries.count)
    if Int(index) == entries.count { entries.append(entry) } else { entries[Int(index)] = entry }
    handles.insert(hash, index)
    return Key(index: index)
  }

  /// Removes a URL that a scene shows no longer.
  mutating func remove(_ key: Key, of scene: Slot) {
    guard !entries[Int(key.index)].scenes.remove(scene) else { return }
    let url = entries[Int(key.index)].url
    handles.remove(polynomial.hash(ofWhole: url.bytes.span), key.index)
    entries[Int(key.index)].url = ShownURL()
    free.append(key.index)
  }

  @inline(__always)
  private func key(of url: Span<UInt8>, _ hash: UInt64) -> Key? {
    handles.node(under: hash) { entries[Int($0)].url.equals(url) }.map { Key(index: $0) }
  }
}

extension ShownTable.Scenes {
  fileprivate mutating func insert(_ scene: Slot) {
    switch self {
    case .one(scene): break
    case .one(let other): self = .several([other, scene])
    case .several(var scenes):
      guard !scenes.contains(scene) else { return }
      self = .several([])
      scenes.append(scene)
      self = .several(scenes)
    }
  }

  /// Removes a scene; returns whether another scene is left.
  fileprivate mutating func remove(_ scene: Slot) -> Bool {
    switch self {
    case .one(let other): return other != scene
    case .several(var scenes):
      self = .several([])
      if let index = scenes.firstIndex(of: scene) {
        scenes.swapAt(index, scenes.count - 1)
        scenes.removeLast()
      }
      self = scenes.count == 1 ? .one(scenes[0]) : .several(scenes)
      return true
    }
  }
}
