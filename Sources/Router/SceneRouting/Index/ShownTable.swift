/// The scenes of a URL are in no order, so a scene that becomes active changes nothing here.
struct ShownTable: ~Copyable, Sendable {
  struct Key: Hashable {
    fileprivate let index: Int32
  }

  /// Nearly always there is one scene, which needs no memory of its own.
  enum Scenes {
    case one(Slot)
    case several([Slot])
  }

  private struct Entry {
    var url: ShownURL
    var scenes: Scenes
  }

  private var handles = HandleTable()
  private let polynomial: PolynomialHash
  private var entries: [Entry] = []
  private var free: [Int32] = []

  /// A secret `seed` keeps clients from choosing URLs with the same hash.
  init(seed: UInt64) { polynomial = PolynomialHash(seed: seed) }

  var isEmpty: Bool { handles.count == 0 }

  /// The URL must be in the normalised form of ``ShownURL``.
  func key(of url: Span<UInt8>) -> Key? { key(of: url, polynomial.hash(ofWhole: url)) }

  func text(of key: Key) -> String { String(decoding: entries[Int(key.index)].url.bytes, as: UTF8.self) }

  func scenes(showing key: Key) -> Scenes { entries[Int(key.index)].scenes }

  /// Changes nothing if the scene shows the URL already.
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
