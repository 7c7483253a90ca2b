/// The kinds of set an identifier can be in.
enum IdentifierSetKind: Int32, CaseIterable {
  case preferring
  case allowing
  case matching
}

/// Identifies a scene or a declaration in a ``HolderTable`` until it is removed there.
struct HolderID: Hashable {
  fileprivate let slot: Int32
}

/// All identifiers that scenes and declarations hold, each text once, and who is the first to hold it.
///
/// A text that several hold has a list of them, in no order. The first is searched for by each question, which takes 30
/// microseconds for ten thousand; so a scene that becomes active changes nothing here. Those that hold `*`, which most
/// events ask for, are in order.
struct HolderTable: ~Copyable, Sendable {
  /// One holder of a text, and the kind of set that it has it in.
  private struct Holding: Equatable {
    private let value: Int32

    init(_ holder: HolderID, _ kind: IdentifierSetKind) { value = holder.slot << 2 | kind.rawValue }

    fileprivate init(value: Int32) { self.value = value }

    var holder: Int { Int(value >> 2) }

    @inline(__always)
    func isOf(_ kind: IdentifierSetKind) -> Bool { value & 3 == kind.rawValue }

    fileprivate var rawValue: Int32 { value }
  }

  /// Who holds a text, as the value that the trie keeps with it.
  private enum Holders {
    case single(Holding)
    /// The index of a list of several.
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

  /// The folded texts, each with who holds it.
  private(set) var texts: IdentifierTrie
  /// The place of each holder.
  private var places: [Candidate] = []
  private var freeHolders: [Int32] = []
  /// The lists of those that hold a text together.
  private var shared: [[Holding]] = []
  private var freeLists: [Int] = []
  /// Who holds `*`, for each kind of set.
  private var wildcards = IdentifierSetKind.allCases.map { _ in SortedCandidates() }

  /// An empty table; nobody who does not know `seed` can foresee its hashes.
  init(seed: UInt64) { texts = IdentifierTrie(seed: seed) }

  /// How many scenes and declarations there are.
  var holderCount: Int { places.count - freeHolders.count }

  /// How many texts several of them hold.
  var sharedCount: Int { shared.count - freeLists.count }
}

// MARK: - Changing

extension HolderTable {
  /// Adds a scene or a declaration, which holds nothing yet.
  mutating func makeHolder(at place: Candidate) -> HolderID {
    guard let slot = freeHolders.popLast() else {
      places.append(place)
      return HolderID(slot: Int32(places.count - 1))
    }
    places[Int(slot)] = place
    return HolderID(slot: slot)
  }

  /// Gives a holder another place in the order; costs nothing for each of its identifiers.
  mutating func move(_ holder: HolderID, to place: Candidate) {
    let present = places[Int(holder.slot)]
    places[Int(holder.slot)] = place
    for kind in wildcards.indices where wildcards[kind].remove(present) { wildcards[kind].insert(place) }
  }

  /// Removes a holder that holds nothing any longer.
  mutating func remove(_ holder: HolderID) { freeHolders.append(holder.slot) }

  /// Adds an identifier of a holder, if the holder does not have it in a set of that kind already.
  mutating func add(_ identifier: String, of holder: HolderID, in kind: IdentifierSetKind) -> IdentifierKey {
    if identifier.utf8.elementsEqual(CollectionOfOne(0x2A)) {
      wildcards[Int(kind.rawValue)].insert(places[Int(holder.slot)])
      return .wildcard
    }
    let folded = FoldedText(identifier)
    guard !folded.isEmpty else { return .never }
    let holding = Holding(holder, kind)
    let (key, present) = texts.insert(folded.bytes.span, holding.rawValue)
    switch present.map({ Holders($0) }) {
    case nil: break
    case .single(let other)?:
      guard other != holding else { break }
      texts.setValue(Holders.shared(makeList([other, holding])).value, of: key)
    case .shared(let slot)?:
      if !shared[slot].contains(holding) { shared[slot].append(holding) }
    }
    return key
  }

  /// Removes an identifier of a holder, which has it in none of its sets of that kind any longer.
  mutating func remove(_ key: IdentifierKey, of holder: HolderID, in kind: IdentifierSetKind) {
    if key == .wildcard {
      wildcards[Int(kind.rawValue)].remove(places[Int(holder.slot)])
      return
    }
    let holding = Holding(holder, kind)
    switch texts.value(of: key).map({ Holders($0) }) {
    case nil: break
    case .single(let present)?: if present == holding { texts.remove(key) }
    case .shared(let slot)?:
      guard let index = shared[slot].firstIndex(of: holding) else { return }
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
  /// Adds the keys of the identifiers that a folded text contains.
  mutating func findKeys(in text: [UInt8], _ keys: inout [IdentifierKey]) {
    texts.forEachMatch(in: text.span) { keys.append($0) }
  }

  /// The first scene or declaration in a scope that holds an identifier in its sets of one kind, of those that are
  /// accepted.
  // Inlined, as the table is copied, bit by bit, for a call that does not change it.
  @inline(__always)
  func first(
    _ kind: IdentifierSetKind,
    holding key: IdentifierKey,
    in scope: Scope,
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

  /// Whether a scene or a declaration holds an identifier in its sets of one kind.
  func holds(_ holder: HolderID, _ key: IdentifierKey, in kind: IdentifierSetKind) -> Bool {
    if key == .wildcard {
      return wildcards[Int(kind.rawValue)].contains(places[Int(holder.slot)])
    }
    let holding = Holding(holder, kind)
    switch texts.value(of: key).map({ Holders($0) }) {
    case nil: return false
    case .single(let present)?: return present == holding
    case .shared(let slot)?: return shared[slot].contains(holding)
    }
  }
}
