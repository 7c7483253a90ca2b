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
  /// Stands for all that a search in steps has found, see ``matches(of:)``.
  static let found = IdentifierKey(index: -3)

  private var trie: IdentifierTrie
  private var holders = HolderTable()
  /// Sets that are gone, and whose identifiers have yet to be taken out.
  private var retired: [RegisteredIdentifiers] = []
  let seed: UInt64
  private var lastTicket = 0
  /// The search that is under way in steps.
  private var searching: Searching?

  /// What is known of the search under way, and of what happens between its steps.
  private struct Searching {
    let ticket: Int
    let text: FoldedText
    /// The identifiers of crowds that were found, and are still held.
    var widespread: Set<IdentifierKey> = []
    /// The nodes of identifiers that sets got while the parts of the text were not known.
    var newcomers = PagedArray<Int32>()
    /// Tells newcomers from others.
    let newcomerVisits: AncestorLinks.Search
    /// All parts of the text, as far as they are known: nothing before there are newcomers.
    var parts: SuffixAutomaton?

    /// How many bytes there are of whose parts nothing is known.
    var unknownCount: Int { text.bytes.count - (parts?.count ?? 0) }

    /// Learns the parts of so many bytes more, or of all that are left.
    mutating func learnParts(_ count: Int, seed: UInt64) {
      if parts == nil { parts = SuffixAutomaton(capacity: text.bytes.count, seed: seed) }
      let start = text.bytes.count - unknownCount
      for byte in text.bytes[start...].prefix(count) { parts?.append(byte) }
    }
  }

  /// An empty table; `seed` is what makes its hashes hard to foresee.
  init(seed: UInt64) {
    self.seed = seed
    trie = IdentifierTrie(seed: seed)
  }

  /// How many different texts are held, `*` aside; those of sets that are gone count until they are taken out.
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
    case Self.nothing, Self.found: []
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

  /// Gives a set to another owner, which costs a few steps for each crowd that it is in.
  mutating func assign(_ set: IdentifierSetID, to owner: SetOwnerID) { holders.assign(set, to: owner) }

  /// Notes that a set holds an identifier; once, however often it does.
  mutating func add(_ identifier: String, to set: IdentifierSetID) -> IdentifierKey {
    if identifier.utf8.elementsEqual(CollectionOfOne(0x2A)) {
      holders.add(set, to: HolderTable.wildcard)
      return Self.wildcard
    }
    let folded = FoldedText(identifier)
    guard !folded.isEmpty else { return Self.nothing }
    let node = trie.insert(folded.bytes.span)
    if searching != nil { noteNewcomer(folded, node, of: set) }
    switch trie.holders(of: node) {
    case .none: trie.setHolders(of: node, .single(set))
    case .group(let group): holders.add(set, to: group)
    case .single(let present) where present != set:
      let isShared = holders.isLive(present)
      trie.setHolders(of: node, isShared ? .group(holders.makeGroup(present, set)) : .single(set))
    case .single: break
    }
    return IdentifierKey(index: node)
  }

  /// Ends a set: none of its identifiers is found by it any longer, nor may its keys be used.
  ///
  /// The identifiers are taken out by ``tidy(effort:)``.
  mutating func retire(_ set: RegisteredIdentifiers) {
    holders.retire(set.id)
    retired.append(set)
  }

  /// Ends an owner with its sets, as each of them would be ended: all that it has, those that are ended aside.
  ///
  /// Costs a few steps for each crowd that it is in, however many of its sets are there.
  mutating func retire(_ owner: SetOwnerID, with sets: some Sequence<RegisteredIdentifiers>) {
    holders.retire(owner)
    retired.append(contentsOf: sets)
  }

  /// Whether there is nothing for ``tidy(effort:)`` to do.
  var isTidy: Bool { retired.isEmpty && !holders.hasSmallCrowds }

  /// Takes identifiers of retired sets out, of the last one first; returns whether there are more.
  ///
  /// `effort` is how much to do at most: one for each identifier, and one for every 256 bytes.
  @discardableResult
  mutating func tidy(effort: Int) -> Bool {
    var effort = effort
    while effort > 0, holders.hasSmallCrowds {
      effort -= 16
      holders.disbandSmallCrowd()
    }
    while effort > 0, let last = retired.indices.last {
      effort -= 1
      let set = retired[last].id
      if let key = retired[last].takeLastKey() {
        effort -= length(key) / 256
        remove(key, from: set)
      } else {
        holders.free(set)
        retired.removeLast()
      }
    }
    return !isTidy
  }

  /// Takes an identifier of a retired set out, unless it gave way to another set, or is out already.
  private mutating func remove(_ key: IdentifierKey, from set: IdentifierSetID) {
    switch self.holders(of: key) {
    case .none: break
    case .single(let present): if present == set { trie.setHolders(of: key.index, .none) }
    case .group(let group):
      let left = holders.remove(set, from: group)
      if left != .group(group) { trie.setHolders(of: key.index, left) }
    }
    // Its number may be given to another.
    if self.holders(of: key) == .none { searching?.widespread.remove(key) }
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
    case Self.found: .group(HolderTable.found)
    default: .none
    }
  }

  /// The identifiers that the text of an event contains, and `*` as the last; `nil` if that takes more than `steps`.
  mutating func matches(in text: FoldedText?, steps: inout Int) -> [IdentifierKey]? {
    guard let text, trie.count > 0 else { return [Self.wildcard] }
    var keys: [IdentifierKey] = []
    keys.reserveCapacity(8)
    let search = trie.beginSearch()
    _ = trie.forEachMatch(in: text.bytes.span, of: search, steps: &steps) { node, _ in
      keys.append(IdentifierKey(index: node))
    }
    // The sets of a single one are not worth counting.
    if keys.count > 1 {
      for key in keys { steps -= holders.listedCount(of: trie.holders(of: key.index)) }
    }
    guard steps > 0 else { return nil }
    keys.append(Self.wildcard)
    return keys
  }

  /// Whether one identifier matches, told by its text alone; the definition that ``matches(in:steps:)`` has to agree with.
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

// MARK: - Searching in steps

extension IdentifierTable {
  /// How many bytes of the text become known at a time, when there are newcomers.
  private static let bytesToLearn = 64
  /// What it takes for each of them.
  private static let stepsToLearn = 10

  /// Goes on with a search for so many steps, or a few more; returns whether it is done.
  ///
  /// It is done until identifiers are added: ``matches(of:)`` tells what was found. Those that are added before
  /// ``endSearch()`` are looked for at last. So that this has an end, the parts of the text become known then, and
  /// later ones are looked up when they are added.
  mutating func goOn(with search: inout IdentifierSearch, steps: Int) -> Bool {
    if searching?.ticket != search.ticket { begin(&search) }
    var steps = steps
    while !isDone(search) {
      guard steps > 0 else { return false }
      advance(&search, &steps)
    }
    return true
  }

  /// What a search has found and is still held: ``found`` for all but the identifiers of crowds, and `*` as the last;
  /// `nil` unless the search is done.
  func matches(of search: IdentifierSearch) -> [IdentifierKey]? {
    guard let searching, isDone(search) else { return nil }
    return [Self.found] + searching.widespread + [Self.wildcard]
  }

  /// The most specific identifier for which ``found`` stands with the sets of one kind of a candidate that was found.
  func mostSpecific(_ kind: IdentifierSetKind, of candidate: Candidate, in text: FoldedText) -> IdentifierKey?
  {
    holders.mostSpecific(kind, of: candidate, in: text)
  }

  /// Ends the search that is under way, done or not.
  mutating func endSearch() {
    searching = nil
    holders.endSearch()
  }

  private mutating func begin(_ search: inout IdentifierSearch) {
    lastTicket += 1
    search.begin(lastTicket, trie.beginSearch())
    holders.beginSearch()
    searching = Searching(ticket: lastTicket, text: search.text, newcomerVisits: trie.beginSearch())
  }

  private func isDone(_ search: IdentifierSearch) -> Bool {
    searching?.ticket == search.ticket && search.isOver && searching?.newcomers.count == 0
  }

  private mutating func advance(_ search: inout IdentifierSearch, _ steps: inout Int) {
    if let range = search.takeFound() {
      // Since it was found it may be gone; what has come meanwhile is a newcomer.
      steps -= 30 + range.count / 64
      if let node = node(of: range, in: search.text) { note(node, in: range, &steps) }
    } else if !search.isOver {
      search.findMore(in: &trie, &steps)
    } else if let unknownCount = searching?.unknownCount, unknownCount > 0 {
      searching?.learnParts(Self.bytesToLearn, seed: seed)
      steps -= Self.bytesToLearn * Self.stepsToLearn
    } else if let node = searching?.newcomers.removeLast() {
      steps -= 30 + trie.length(of: node)
      guard trie.holders(of: node) != .none else { return }
      let range = trie.withText(of: node) { searching?.parts?.firstOccurrence(of: $0) }
      if let range { note(node, in: range, &steps) }
    }
  }

  /// The node that holds a part of a text.
  private func node(of range: Range<Int>, in text: FoldedText) -> Int32? {
    trie.heldNode(of: text.bytes.span.extracting(range))
  }

  /// Notes where the identifier of a node occurs in the text, with the sets that hold it, if there are any.
  private mutating func note(_ node: Int32, in range: Range<Int>, _ steps: inout Int) {
    guard let text = searching?.text else { return }
    let key = IdentifierKey(index: node)
    if holders.note(Occurrence(key, in: range), of: trie.holders(of: node), in: text, &steps) { return }
    searching?.widespread.insert(key)
  }

  /// Looks an identifier up that a set gets, or leaves it for later.
  private mutating func noteNewcomer(_ newcomer: FoldedText, _ node: Int32, of set: IdentifierSetID) {
    // Without a copy of the search, so that what is appended to stays where it is.
    guard let text = searching?.text, newcomer.bytes.count <= text.bytes.count else { return }
    if let visits = searching?.newcomerVisits, let unknownCount = searching?.unknownCount, unknownCount > 0 {
      if trie.visit(node, by: visits) { searching?.newcomers.append(node) }
    } else if let range = searching?.parts?.firstOccurrence(of: newcomer.bytes.span) {
      var steps = 0
      let occurrence = Occurrence(IdentifierKey(index: node), in: range)
      _ = holders.note(occurrence, of: .single(set), in: text, &steps)
    }
  }
}
