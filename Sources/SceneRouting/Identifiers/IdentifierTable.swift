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

/// All identifiers of all sets, each text once, with the sets that hold it.
///
/// Which identifiers a text contains is asked of this table alone, so that how they are found can change
/// without its callers.
struct IdentifierTable {
  /// The identifier that is exactly `*` and matches every event, whatever it holds.
  static let wildcard = IdentifierKey(index: -1)
  /// Every identifier that folds to nothing, and matches nothing.
  static let nothing = IdentifierKey(index: -2)

  private var trie: IdentifierTrie
  private var holders = HolderTable()
  let seed: UInt64

  /// An empty table; `seed` is what makes its hashes hard to foresee.
  init(seed: UInt64) {
    self.seed = seed
    trie = IdentifierTrie(seed: seed)
  }

  /// How many different texts are held, `*` aside.
  var count: Int { trie.count }

  /// What is stored: nodes and bytes for texts, groups of several holders and those in order, sets and their owners;
  /// all zero when there is no owner.
  var storage: IdentifierStorage {
    IdentifierStorage(
      nodes: trie.nodeCount,
      bytes: trie.texts.byteCount,
      groups: holders.groupCount,
      crowds: holders.crowdCount,
      sets: holders.setCount,
      owners: holders.ownerCount
    )
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
  func spelling(_ key: IdentifierKey) -> String {
    if key.index < 0 { return key == Self.wildcard ? "*" : "" }
    // What folding makes of a text is UTF-8.
    return trie.withText(of: key.index) { unsafe String(copying: UTF8Span(unchecked: $0)) }
  }

  /// Whether the spelling is the folded text itself.
  func isText(_ key: IdentifierKey, _ spelling: String) -> Bool {
    switch key {
    case Self.wildcard: true
    case Self.nothing: spelling.isEmpty
    default: trie.isText(of: key.index, spelling.utf8.span)
    }
  }
}

/// What an ``IdentifierTable`` stores.
struct IdentifierStorage: Equatable {
  var nodes = 0
  var bytes = 0
  var groups = 0
  var crowds = 0
  var sets = 0
  var owners = 0
}

// MARK: - Holding

extension IdentifierTable {
  /// Makes a scene known, or an application by the place of its first declaration, which has no sets.
  mutating func makeOwner(at place: Candidate) -> SetOwnerID { holders.makeOwner(at: place) }

  /// Gives an owner another place in the order.
  ///
  /// Costs a few steps for each crowd that it is in, however much it holds.
  mutating func move(_ owner: SetOwnerID, to place: Candidate) { holders.move(owner, to: place) }

  /// Notes whether an application takes part in what nobody claims, as it does if nothing is said of it.
  ///
  /// Costs a few steps for each crowd, however many scenes it has and whatever they hold.
  mutating func setTakesUnclaimed(_ takesUnclaimed: Bool, of application: Slot) {
    holders.setTakesUnclaimed(takesUnclaimed, of: application)
  }

  /// Makes an empty set; those of an application have the indices of its declarations, and are made in their order.
  mutating func makeSet(of kind: IdentifierSetKind, at index: Int32, for owner: SetOwnerID) -> IdentifierSetID
  {
    holders.makeSet(of: kind, at: index, for: owner)
  }

  /// Notes that a set holds an identifier; once, however often it does.
  mutating func add(_ identifier: String, to set: IdentifierSetID) -> IdentifierKey {
    if identifier.utf8.elementsEqual(CollectionOfOne(0x2A)) {
      holders.add(set, to: HolderTable.wildcard)
      return Self.wildcard
    }
    let folded = FoldedText(identifier)
    guard !folded.isEmpty else { return Self.nothing }
    let node = trie.insert(folded.bytes.span)
    switch trie.holders(of: node) {
    case .none: trie.setHolders(of: node, .single(set))
    case .group(let group): holders.add(set, to: group)
    case .single(let present) where present != set:
      trie.setHolders(of: node, .group(holders.makeGroup(present, set)))
    case .single: break
    }
    return IdentifierKey(index: node)
  }

  /// Takes a set out with all its identifiers: its keys may not be used any longer.
  mutating func remove(_ set: RegisteredIdentifiers) {
    holders.retire(set.id)
    takeOut(set)
  }

  /// Takes an owner out with all its sets.
  mutating func remove(_ owner: SetOwnerID, with sets: some Sequence<RegisteredIdentifiers>) {
    holders.retire(owner)
    for set in sets { takeOut(set) }
  }

  private mutating func takeOut(_ set: RegisteredIdentifiers) {
    while holders.hasSmallCrowds { holders.disbandSmallCrowd() }
    for key in set.keys { remove(key, from: set.id) }
    holders.free(set.id)
  }

  /// Takes an identifier of a set out, unless it is out already because the set has it twice.
  private mutating func remove(_ key: IdentifierKey, from set: IdentifierSetID) {
    switch self.holders(of: key) {
    case .none: break
    case .single(let present): if present == set { trie.setHolders(of: key.index, .none) }
    case .group(let group):
      let left = holders.remove(set, from: group)
      if left != .group(group) { trie.setHolders(of: key.index, left) }
    }
  }
}

// MARK: - Asking

extension IdentifierTable {
  /// The first scene or declaration in a scope whose set of one kind holds an identifier, of those that are accepted.
  func first(
    _ kind: IdentifierSetKind,
    holding key: IdentifierKey,
    in scope: Scope,
    ofApplications isOpen: (Slot) -> Bool = { _ in true },
    where isAccepted: (Candidate) -> Bool = { _ in true }
  ) -> Candidate? {
    holders.first(kind, of: holders(of: key), in: scope, ofApplications: isOpen, where: isAccepted)
  }

  /// Calls `body` with the sets of one kind by which an owner holds an identifier.
  func forEachSet(
    _ kind: IdentifierSetKind,
    of owner: SetOwnerID,
    holding key: IdentifierKey,
    _ body: (IdentifierSetID) -> Void
  ) {
    holders.forEachSet(kind, of: owner, holders(of: key), body)
  }

  @inline(__always)
  private func holders(of key: IdentifierKey) -> Holders {
    if key.index >= 0 { return trie.holders(of: key.index) }
    return switch key {
    case Self.wildcard: .group(HolderTable.wildcard)
    default: .none
    }
  }

  /// The identifiers that the text of an event contains, and `*` as the last.
  mutating func matches(in text: FoldedText?) -> [IdentifierKey] {
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
    return trie.withText(of: left.index) { left in
      trie.withText(of: right.index) { right in left.sortsBefore(right) }
    }
  }

  func length(_ key: IdentifierKey) -> Int { key.index < 0 ? 0 : trie.length(of: key.index) }
}
