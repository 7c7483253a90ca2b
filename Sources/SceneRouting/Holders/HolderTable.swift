/// The kinds of set an identifier can be in.
enum IdentifierSetKind: Int32, CaseIterable {
  case preferring
  case allowing
  case matching
}

/// Names a scene or a declaration in a ``HolderTable`` until it is removed there.
struct HolderID: Hashable {
  fileprivate let slot: Int32
}

/// All identifiers that scenes and declarations hold, each text once, and who is the first to hold it.
///
/// A text that several hold has a list of them, in no order: who is first is looked for when it is asked for, so that
/// to become active costs nothing here. Ten thousand are gone through in some 30 microseconds. `*`, which is asked for
/// with most events, has them in order.
struct HolderTable: ~Copyable, Sendable {
  /// That a scene or a declaration has a text in its sets of one kind.
  private struct Holding: Equatable {
    private let value: Int32

    init(_ holder: HolderID, _ kind: IdentifierSetKind) { value = holder.slot << 2 | kind.rawValue }

    fileprivate init(value: Int32) { self.value = value }

    var holder: Int { Int(value >> 2) }

    @inline(__always)
    func isOf(_ kind: IdentifierSetKind) -> Bool { value & 3 == kind.rawValue }

    fileprivate var rawValue: Int32 { value }
  }

  /// Who holds a text, as its trie keeps it.
  private enum Holders {
    case single(Holding)
    /// Which of the lists of several.
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

  /// An empty table; `seed` is what makes its hashes hard to foresee.
  init(seed: UInt64) { texts = IdentifierTrie(seed: seed) }

  /// How many scenes and declarations there are.
  var holderCount: Int { places.count - freeHolders.count }

  /// How many texts several of them hold.
  var sharedCount: Int { shared.count - freeLists.count }
}

// MARK: - Changing

extension HolderTable {
  /// Makes a scene or a declaration known, which holds nothing.
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

  /// Notes that a holder has an identifier in its sets of one kind; once, however often it has.
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

  /// Notes that a holder has an identifier no longer in any of its sets of one kind, if it had.
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
  /// The keys of the identifiers that the text of an event contains, and that of `*` as the last.
  mutating func keys(in text: FoldedText?) -> [IdentifierKey] {
    guard let text, texts.count > 0 else { return [.wildcard] }
    var keys: [IdentifierKey] = []
    keys.reserveCapacity(8)
    texts.forEachMatch(in: text.bytes.span) { keys.append($0) }
    keys.append(.wildcard)
    return keys
  }

  /// The first scene or declaration in a scope that holds an identifier in its sets of one kind, of those that are
  /// accepted.
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
