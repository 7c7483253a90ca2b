/// An identifier in the table, told from others by its folded text alone; valid while a set holds it.
struct IdentifierKey: Hashable {
  /// The node of the trie.
  let index: Int32
}

/// The kinds of set an identifier can be in.
enum IdentifierSetKind: Int, CaseIterable {
  case preferring
  case allowing
  case matching
}

/// A set that holds an identifier: that of a registration, or of a declaration.
struct Holder: Equatable {
  /// The slot of the scene; of the application for a declaration.
  var owner: Slot
  /// The number of the registration in its scene, of the declaration in its application.
  var part: Int32
}

/// All identifiers of all sets, each text once, with the sets that hold it.
///
/// Which identifiers a text contains is asked of this table alone, so that how they are found can change
/// without its callers.
struct IdentifierTable {
  /// The identifier that is exactly `*` and matches every event, whatever it holds.
  static let wildcard = IdentifierKey(index: -1)
  /// Every identifier that folds to nothing, and matches nothing.
  static let nothing = IdentifierKey(index: -2)

  /// The sets that hold one text, if there are several.
  private struct Shared {
    var preferring = CandidateSet()
    var allowing = CandidateSet()
    var matching = CandidateSet()

    var isEmpty: Bool { preferring.isEmpty && allowing.isEmpty && matching.isEmpty }

    subscript(kind: IdentifierSetKind) -> CandidateSet {
      _read {
        switch kind {
        case .preferring: yield preferring
        case .allowing: yield allowing
        case .matching: yield matching
        }
      }
      _modify {
        switch kind {
        case .preferring: yield &preferring
        case .allowing: yield &allowing
        case .matching: yield &matching
        }
      }
    }
  }

  /// Who holds a text, for a node of the trie.
  private enum State {
    static var none: UInt8 { 0 }
    static var shared: UInt8 { 1 }
    /// One set; its kind is added.
    static var single: UInt8 { 2 }
  }

  private var trie: IdentifierTrie
  private var shared = PagedArray<Shared>()
  private var freeShared = PagedArray<Int32>()
  private var wildcard = Shared()

  /// An empty table; `seed` is what makes its hashes hard to foresee.
  init(seed: UInt64) { trie = IdentifierTrie(seed: seed) }

  /// How many different texts are held, `*` aside.
  var count: Int { trie.count }

  /// What is stored for texts: nodes, bytes and shared sets; all zero when no text is held.
  var storage: (nodes: Int, bytes: Int, shared: Int) {
    (trie.nodeCount, trie.texts.byteCount, shared.count - freeShared.count)
  }

  /// The folded text of an identifier.
  func text(_ key: IdentifierKey) -> [UInt8] {
    switch key {
    case Self.wildcard: [0x2A]
    case Self.nothing: []
    default: trie.text(of: key.index)
    }
  }

  /// The folded text of an identifier, as a string.
  func spelling(_ key: IdentifierKey) -> String { String(decoding: text(key), as: UTF8.self) }

  /// Whether the spelling is the folded text itself.
  func isText(_ key: IdentifierKey, _ spelling: String) -> Bool {
    switch key {
    case Self.wildcard: true
    case Self.nothing: spelling.isEmpty
    default: trie.isText(of: key.index, spelling.utf8.span)
    }
  }
}

// MARK: - Holding

extension IdentifierTable {
  /// Notes that a set holds an identifier; once, however often it does.
  ///
  /// `candidate` tells the place of any holder in the order, that of one noted before included.
  mutating func add(
    _ identifier: String,
    in kind: IdentifierSetKind,
    by holder: Holder,
    candidate: (IdentifierSetKind, Holder) -> Candidate?
  ) -> IdentifierKey {
    if identifier.utf8.elementsEqual(CollectionOfOne(0x2A)) {
      if let added = candidate(kind, holder) { wildcard[kind].insert(added) }
      return Self.wildcard
    }
    let folded = FoldedText(identifier)
    guard !folded.isEmpty else { return Self.nothing }
    let node = trie.insert(folded.bytes.span)
    var holders = trie.holders(of: node)
    switch holders.state {
    case State.none:
      holders.state = State.single + UInt8(kind.rawValue)
      (holders.owner, holders.part) = (holder.owner, holder.part)
    case State.shared:
      if let added = candidate(kind, holder) { shared[Int(holders.owner)][kind].insert(added) }
      return IdentifierKey(index: node)
    case let state:
      let present = Holder(owner: holders.owner, part: holders.part)
      guard let presentKind = IdentifierSetKind(rawValue: Int(state - State.single)),
        presentKind != kind || present != holder
      else { return IdentifierKey(index: node) }
      var sets = Shared()
      if let first = candidate(presentKind, present) { sets[presentKind].insert(first) }
      if let added = candidate(kind, holder) { sets[kind].insert(added) }
      holders = IdentifierTrie.Holders(state: State.shared, owner: takeShared(sets), part: 0)
    }
    trie.changeHolders(of: node) { $0 = holders }
    return IdentifierKey(index: node)
  }

  /// Notes that a set with a certain place does not hold an identifier any longer; the key is invalid when no
  /// other does.
  mutating func remove(
    _ key: IdentifierKey,
    in kind: IdentifierSetKind,
    by holder: Holder,
    _ candidate: Candidate
  ) {
    switch key {
    case Self.nothing: return
    case Self.wildcard: return wildcard[kind].remove(candidate)
    default: break
    }
    let holders = trie.holders(of: key.index)
    switch holders.state {
    case State.none: return
    case State.shared:
      shared[Int(holders.owner)][kind].remove(candidate)
      guard shared[Int(holders.owner)].isEmpty else { return }
      giveBackShared(holders.owner)
    case let state:
      guard state == State.single + UInt8(kind.rawValue),
        holder == Holder(owner: holders.owner, part: holders.part)
      else { return }
    }
    trie.changeHolders(of: key.index) { $0 = IdentifierTrie.Holders() }
  }

  /// Changes the sets of several holders that an identifier is in; a single holder's place is kept by itself alone.
  mutating func changeShared(
    _ key: IdentifierKey,
    in kind: IdentifierSetKind,
    _ change: (inout CandidateSet) -> Void
  ) {
    switch key {
    case Self.nothing: return
    case Self.wildcard: change(&wildcard[kind])
    default:
      let holders = trie.holders(of: key.index)
      if holders.state == State.shared { change(&shared[Int(holders.owner)][kind]) }
    }
  }

  private mutating func takeShared(_ sets: Shared) -> Int32 {
    guard freeShared.count > 0 else {
      shared.append(sets)
      return Int32(shared.count - 1)
    }
    let index = freeShared.removeLast()
    shared[Int(index)] = sets
    return index
  }

  private mutating func giveBackShared(_ index: Int32) {
    shared[Int(index)] = Shared()
    freeShared.append(index)
    guard freeShared.count == shared.count else { return }
    (shared, freeShared) = (PagedArray(), PagedArray())
  }
}

// MARK: - Asking

extension IdentifierTable {
  /// The only set of one kind that holds an identifier, if one alone does; its place is known to itself alone.
  func onlyHolder(_ kind: IdentifierSetKind, of key: IdentifierKey) -> Holder? {
    guard key != Self.wildcard else { return nil }
    let holders = trie.holders(of: key.index)
    guard holders.state == State.single + UInt8(kind.rawValue) else { return nil }
    return Holder(owner: holders.owner, part: holders.part)
  }

  /// The first candidate in a scope, after another, of several that hold an identifier.
  func first(
    _ kind: IdentifierSetKind,
    holding key: IdentifierKey,
    in scope: Scope,
    after place: Candidate? = nil
  ) -> Candidate? {
    if key == Self.wildcard { return wildcard[kind].first(in: scope, after: place) }
    let holders = trie.holders(of: key.index)
    guard holders.state == State.shared else { return nil }
    return shared[Int(holders.owner)][kind].first(in: scope, after: place)
  }

  /// The registrations for which a candidate holds an identifier, if several sets do.
  func forEachPart(
    of candidate: Candidate,
    _ kind: IdentifierSetKind,
    holding key: IdentifierKey,
    _ body: (Int32) -> Void
  ) {
    if key == Self.wildcard { return wildcard[kind].forEachPart(of: candidate, body) }
    let holders = trie.holders(of: key.index)
    if holders.state == State.shared { shared[Int(holders.owner)][kind].forEachPart(of: candidate, body) }
  }

  /// The identifiers that the text of an event contains, and `*` as the last.
  func matches(in text: FoldedText?) -> [IdentifierKey] {
    guard let text, trie.count > 0 else { return [Self.wildcard] }
    var keys: [IdentifierKey] = []
    keys.reserveCapacity(8)
    trie.forEachMatch(in: text.bytes.span) { keys.append(IdentifierKey(index: $0)) }
    keys.append(Self.wildcard)
    return keys
  }

  /// Whether one identifier matches, told by its text alone; the definition that ``matches(in:)`` has to agree with.
  func isMatch(_ key: IdentifierKey, in text: FoldedText?) -> Bool {
    switch key {
    case Self.wildcard: true
    case Self.nothing: false
    default: text.map { text in trie.withText(of: key.index) { text.contains($0) } } ?? false
    }
  }

  /// Whether `left` says more about an event than `right`: the longer, then the one that sorts first.
  ///
  /// Decides which of several matching identifiers is told as the one that won.
  func isMoreSpecific(_ left: IdentifierKey, than right: IdentifierKey) -> Bool {
    if left == right || left == Self.wildcard { return false }
    if right == Self.wildcard { return true }
    let (leftLength, rightLength) = (length(left), length(right))
    guard leftLength == rightLength else { return leftLength > rightLength }
    return text(left).lexicographicallyPrecedes(text(right))
  }

  func length(_ key: IdentifierKey) -> Int { key.index < 0 ? 0 : Int(trie.nodes[Int(key.index)].length) }
}
