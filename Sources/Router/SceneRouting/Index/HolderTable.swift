enum IdentifierSetKind: Int32, CaseIterable {
  case preferring
  case allowing
  case matching
}

/// A scene or a declaration while it is in a ``HolderTable``.
struct HolderID: Hashable {
  fileprivate let slot: Int32
}

/// Finds the scenes and declarations that hold an identifier.
///
/// A list of several holders has no order, so that no list changes when a scene becomes active. A look-up reads the
/// whole list, which takes 30 microseconds for ten thousand holders. The holders of `*` are kept in order, because most
/// events ask for them.
struct HolderTable: ~Copyable, Sendable {
  private struct Holding {
    fileprivate private(set) var rawValue: Int32

    init(_ holder: HolderID, _ kind: IdentifierSetKind) { rawValue = holder.slot << 3 | kind.rawValue }

    fileprivate init(value: Int32) { rawValue = value }

    var holder: Int { Int(rawValue >> 3) }

    /// Whether the spelling may differ from the folded text.
    var isSpelled: Bool {
      get { rawValue & 4 != 0 }
      set { if newValue { rawValue |= 4 } }
    }

    @inline(__always)
    func isOf(_ kind: IdentifierSetKind) -> Bool { rawValue & 3 == kind.rawValue }

    /// Without ``isSpelled``.
    func isSame(as other: Holding) -> Bool { (rawValue ^ other.rawValue) & ~4 == 0 }
  }

  /// The trie stores ``value`` with the text.
  private enum Holders {
    case single(Holding)
    case shared(Int)

    @inline(__always)
    init(_ value: Int32) { self = value >= 0 ? .single(Holding(value: value)) : .shared(Int(~value)) }

    var value: Int32 {
      switch self {
      case .single(let holding): holding.rawValue
      case .shared(let slot): ~Int32(slot)
      }
    }
  }

  private(set) var texts: IdentifierTrie
  /// The text that was last searched; its memory is used again.
  private var folded = FoldedText("")
  private var places: [Candidate] = []
  private var freeHolders: [Int32] = []
  private var shared: [[Holding]] = []
  private var freeLists: [Int] = []
  private var wildcards = IdentifierSetKind.allCases.map { _ in SortedCandidates() }

  /// A secret `seed` keeps clients from foreseeing the hashes.
  init(seed: UInt64) { texts = IdentifierTrie(seed: seed) }

  var holderCount: Int { places.count - freeHolders.count }

  var sharedCount: Int { shared.count - freeLists.count }
}

// MARK: - Changing

extension HolderTable {
  mutating func makeHolder(at place: Candidate) -> HolderID {
    guard let slot = freeHolders.popLast() else {
      places.append(place)
      return HolderID(slot: Int32(places.count - 1))
    }
    places[Int(slot)] = place
    return HolderID(slot: slot)
  }

  /// The cost does not depend on the number of the holder's identifiers.
  mutating func move(_ holder: HolderID, to place: Candidate) {
    let present = places[Int(holder.slot)]
    places[Int(holder.slot)] = place
    for kind in wildcards.indices where wildcards[kind].remove(present) { wildcards[kind].insert(place) }
  }

  /// All identifiers of the holder must have been removed before.
  mutating func remove(_ holder: HolderID) { freeHolders.append(holder.slot) }

  /// Changes nothing if the holder already has the identifier in a set of this kind.
  mutating func add(_ identifier: String, of holder: HolderID, in kind: IdentifierSetKind) -> IdentifierKey {
    if identifier.utf8.elementsEqual(CollectionOfOne(0x2A)) {
      wildcards[Int(kind.rawValue)].insert(places[Int(holder.slot)])
      return .wildcard
    }
    let folded = FoldedText(identifier)
    guard !folded.isEmpty else { return .never }
    var holding = Holding(holder, kind)
    let spelling = identifier.utf8.span
    holding.isSpelled =
      spelling.count != folded.bytes.count || spelling.commonCount(with: folded.bytes.span) < spelling.count
    let (key, present) = texts.insert(folded.bytes.span, holding.rawValue)
    switch present.map({ Holders($0) }) {
    case nil: break
    case .single(var other)?:
      if other.isSame(as: holding) {
        other.isSpelled = other.isSpelled || holding.isSpelled
        texts.setValue(other.rawValue, of: key)
      } else {
        texts.setValue(Holders.shared(makeList([other, holding])).value, of: key)
      }
    case .shared(let slot)?:
      if let index = shared[slot].firstIndex(where: { $0.isSame(as: holding) }) {
        if holding.isSpelled { shared[slot][index].isSpelled = true }
      } else {
        shared[slot].append(holding)
      }
    }
    return key
  }

  /// A holder can have several sets of a kind; none of them may keep the identifier.
  mutating func remove(_ key: IdentifierKey, of holder: HolderID, in kind: IdentifierSetKind) {
    if key == .wildcard {
      wildcards[Int(kind.rawValue)].remove(places[Int(holder.slot)])
      return
    }
    let holding = Holding(holder, kind)
    switch texts.value(of: key).map({ Holders($0) }) {
    case nil: break
    case .single(let present)?: if present.isSame(as: holding) { texts.remove(key) }
    case .shared(let slot)?:
      guard let index = shared[slot].firstIndex(where: { $0.isSame(as: holding) }) else { return }
      shared[slot].swapAt(index, shared[slot].count - 1)
      shared[slot].removeLast()
      guard shared[slot].count == 1 else { return }
      texts.setValue(shared[slot][0].rawValue, of: key)
      shared[slot] = []
      freeLists.append(slot)
    }
  }

  private mutating func makeList(_ holdings: [Holding]) -> Int {
    guard let slot = freeLists.popLast() else {
      shared.append(holdings)
      return shared.count - 1
    }
    shared[slot] = holdings
    return slot
  }
}

// MARK: - Asking

extension HolderTable {
  /// A continued search leaves out the keys that the search before has found.
  mutating func findKeys(in text: String, isContinued: Bool = false, _ keys: inout [IdentifierKey]) {
    folded.replace(with: text)
    let bytes = folded.bytes
    texts.forEachMatch(in: bytes.span, isContinued: isContinued) { keys.append($0) }
  }

  /// Whether one of several holders spells the identifier differently from the folded text.
  func isSpelledBySome(_ key: IdentifierKey) -> Bool {
    guard key != .wildcard, let value = texts.value(of: key), case .shared(let slot) = Holders(value)
    else { return false }
    return shared[slot].contains { $0.isSpelled }
  }

  /// Whether a holder may spell the identifier differently from the folded text.
  func mayBeSpelled(_ key: IdentifierKey) -> Bool {
    switch texts.value(of: key).map({ Holders($0) }) {
    case nil: key == .never
    case .single(let holding)?: holding.isSpelled
    case .shared(let slot)?: shared[slot].contains { $0.isSpelled }
    }
  }

  func all(_ kind: IdentifierSetKind, holding key: IdentifierKey) -> [Candidate] {
    switch texts.value(of: key).map({ Holders($0) }) {
    case nil: []
    case .single(let holding)?: holding.isOf(kind) ? [places[holding.holder]] : []
    case .shared(let slot)?: shared[slot].filter { $0.isOf(kind) }.map { places[$0.holder] }
    }
  }

  // Inlined, because a call of a non-mutating function would copy all bytes of the table.
  @inline(__always)
  func first(
    _ kind: IdentifierSetKind,
    holding key: IdentifierKey,
    in scope: ApplicationSet,
    where isAccepted: (Candidate) -> Bool = { _ in true }
  ) -> Candidate? {
    if key == .wildcard {
      return wildcards[Int(kind.rawValue)].first { scope.contains($0.application) && isAccepted($0) }
    }
    guard let value = texts.value(of: key) else { return nil }
    switch Holders(value) {
    case .single(let holding):
      let place = places[holding.holder]
      return holding.isOf(kind) && scope.contains(place.application) && isAccepted(place) ? place : nil
    case .shared(let slot):
      var first: Candidate?
      for holding in shared[slot] where holding.isOf(kind) {
        let place = places[holding.holder]
        guard place.order < first?.order ?? .max, scope.contains(place.application), isAccepted(place) else {
          continue
        }
        first = place
      }
      return first
    }
  }

  func holds(_ holder: HolderID, _ key: IdentifierKey, in kind: IdentifierSetKind) -> Bool {
    if key == .wildcard {
      return wildcards[Int(kind.rawValue)].contains(places[Int(holder.slot)])
    }
    let holding = Holding(holder, kind)
    switch texts.value(of: key).map({ Holders($0) }) {
    case nil: return false
    case .single(let present)?: return present.isSame(as: holding)
    case .shared(let slot)?: return shared[slot].contains { $0.isSame(as: holding) }
    }
  }
}
