/// Names a set of identifiers; given again only when none of its identifiers is left in the table.
struct IdentifierSetID: Hashable {
  let slot: Int32
}

/// Names several sets that hold the same text.
struct HolderGroupID: Hashable {
  let slot: Int32
}

/// Who holds a text.
enum Holders: Equatable {
  case none
  case single(IdentifierSetID)
  case group(HolderGroupID)
}

/// The sets of identifiers, whose they are, and which of them hold the same text.
///
/// Up to a few hundred sets with the same text are a plain list, and the first of them is looked for when it is
/// asked for: a scene that becomes active costs nothing there. Only crowds are kept in order, and there are only so
/// many of them.
struct HolderTable {
  private struct HeldSet {
    /// The place of its owner among all of its kind, its part naming the set; `nil` once the set is gone.
    var place: Candidate?
    let kind: IdentifierSetKind
    /// The crowds that it is in.
    var crowds: Set<Int32> = []
  }

  private struct Group {
    /// The sets in no order, some perhaps gone; none if there is a crowd.
    var few: [IdentifierSetID]
    /// The slot of the crowd, or -1.
    var crowd: Int32 = -1
  }

  /// Sets that are in order; none of them is gone.
  private struct Crowd {
    let group: HolderGroupID
    var candidates = IdentifierSetKind.allCases.map { _ in CandidateSet() }
    /// How many there are; not counted for a search, whose crowd never becomes a list.
    var count = 0
  }

  /// All sets that hold `*`.
  static let wildcard = HolderGroupID(slot: 0)
  /// All sets in which the search that is under way has found something.
  static let found = HolderGroupID(slot: 1)

  /// How many sets a list has at least before it becomes a crowd: as many are searched in a microsecond.
  private static var few: Int { 256 }
  /// A crowd of so many becomes a list again.
  private static var fewAgain: Int { 128 }
  /// How many crowds there are at most, that of `*` and those that are many times as long as a list should be aside.
  ///
  /// Becoming active may cost as much as there are; other lists stay lists.
  private static var mostCrowds: Int { 256 }
  /// A list that is so many times as long as it should be becomes a crowd, however many there are.
  private static var manyTimes: Int { 8 }
  /// What it takes a search to put a set in its place among the others.
  private static var stepsToJoin: Int { 25 }

  private var sets = SlotTable<HeldSet>()
  private var groups = SlotTable<Group>()
  private var crowds = SlotTable<Crowd>()
  /// What the search that is under way has found.
  private var occurrences: Occurrences?

  init() { for _ in [Self.wildcard, Self.found] { _ = groups.insert(Group(few: [])) } }

  /// How many sets there are; those that are gone count until they are freed.
  var setCount: Int { sets.count }

  /// How many texts are held by several sets, `*` aside.
  var groupCount: Int { groups.count - 2 }

  /// How many texts are held by so many sets that these are kept in order.
  var crowdCount: Int { occurrences == nil ? crowds.count : crowds.count - 1 }
}

// MARK: - Sets

extension HolderTable {
  mutating func makeSet(of kind: IdentifierSetKind, for owner: Candidate) -> IdentifierSetID {
    let id = IdentifierSetID(slot: sets.insert(HeldSet(place: nil, kind: kind)))
    sets[id.slot]?.place = owner.inPart(id.slot)
    return id
  }

  /// Whether the set is not gone.
  func isLive(_ set: IdentifierSetID) -> Bool { sets[set.slot]?.place != nil }

  /// Gives a set another place.
  mutating func move(_ set: IdentifierSetID, to owner: Candidate) {
    guard let held = sets[set.slot], let place = held.place else { return }
    let moved = owner.inPart(set.slot)
    for crowd in held.crowds { replace(place, with: moved, held.kind, in: crowd) }
    if let crowd = searchedCrowd(of: set) { replace(place, with: moved, held.kind, in: crowd) }
    sets[set.slot]?.place = moved
  }

  /// Takes a place out of a crowd, and puts another in if there is one.
  private mutating func replace(
    _ place: Candidate,
    with moved: Candidate?,
    _ kind: IdentifierSetKind,
    in crowd: Int32
  ) {
    crowds[crowd]?.candidates[kind.rawValue].remove(place)
    if let moved { crowds[crowd]?.candidates[kind.rawValue].insert(moved) }
  }

  /// Notes that a set is gone, which costs a few steps for each crowd that it is in.
  mutating func retire(_ set: IdentifierSetID) {
    guard let held = sets[set.slot], let place = held.place else { return }
    sets[set.slot] = HeldSet(place: nil, kind: held.kind)
    for crowd in held.crowds {
      replace(place, with: nil, held.kind, in: crowd)
      crowds[crowd]?.count -= 1
      disbandIfSmall(crowd)
    }
    if let crowd = searchedCrowd(of: set) {
      replace(place, with: nil, held.kind, in: crowd)
      occurrences?[set] = nil
    }
  }

  /// Frees a set that is gone and has no text left.
  mutating func free(_ set: IdentifierSetID) { sets.remove(set.slot) }
}

// MARK: - Groups

extension HolderTable {
  mutating func makeGroup(_ first: IdentifierSetID, _ second: IdentifierSetID) -> HolderGroupID {
    HolderGroupID(slot: groups.insert(Group(few: [first, second])))
  }

  /// Adds a set to a group if it is not there.
  mutating func add(_ set: IdentifierSetID, to group: HolderGroupID) {
    let crowd = groups[group.slot]?.crowd ?? -1
    if crowd >= 0 {
      join(set, crowd)
      return
    }
    // A set's identifiers are added one after the other, so that none comes between.
    guard groups[group.slot]?.few.last != set else { return }
    groups[group.slot]?.few.append(set)
    // Lists become crowds at different lengths, so that scenes which share many texts never make many in one step.
    let most = Self.few + Int(group.slot) % Self.few
    guard let count = groups[group.slot]?.few.count, count > most,
      crowdCount < Self.mostCrowds || group == Self.wildcard || count > Self.manyTimes * most,
      let listed = groups[group.slot]?.few
    else { return }
    let live = listed.filter(isLive)
    groups[group.slot]?.few = live
    if live.count > Self.few { crowdTogether(live, group) }
  }

  /// Takes a set that is gone out of a group; returns who holds the text then.
  mutating func remove(_ set: IdentifierSetID, from group: HolderGroupID) -> Holders {
    guard let index = groups[group.slot]?.few.firstIndex(of: set) else { return .group(group) }
    groups[group.slot]?.few.remove(at: index)
    guard group != Self.wildcard, let left = groups[group.slot]?.few, left.count < 2 else {
      return .group(group)
    }
    groups.remove(group.slot)
    return left.first.map { .single($0) } ?? .none
  }

  private mutating func crowdTogether(_ members: [IdentifierSetID], _ group: HolderGroupID) {
    let crowd = crowds.insert(Crowd(group: group))
    groups[group.slot] = Group(few: [], crowd: crowd)
    for member in members { join(member, crowd) }
  }

  private mutating func join(_ set: IdentifierSetID, _ crowd: Int32) {
    guard let kind = sets[set.slot]?.kind, let place = sets[set.slot]?.place,
      sets[set.slot]?.crowds.insert(crowd).inserted == true
    else { return }
    crowds[crowd]?.candidates[kind.rawValue].insert(place)
    crowds[crowd]?.count += 1
  }

  private mutating func disbandIfSmall(_ crowd: Int32) {
    guard let count = crowds[crowd]?.count, count <= Self.fewAgain, let disbanded = crowds[crowd] else {
      return
    }
    crowds.remove(crowd)
    var members: [IdentifierSetID] = []
    for candidates in disbanded.candidates {
      candidates.forEach { members.append(IdentifierSetID(slot: $0.part)) }
    }
    for member in members { sets[member.slot]?.crowds.remove(crowd) }
    groups[disbanded.group.slot] = Group(few: members)
  }
}

// MARK: - Searching

extension HolderTable {
  /// Begins to collect the sets in which a search finds something, and forgets those of the last.
  mutating func beginSearch() {
    endSearch()
    let crowd = crowds.insert(Crowd(group: Self.found))
    groups[Self.found.slot]?.crowd = crowd
    occurrences = Occurrences(in: crowd)
  }

  mutating func endSearch() {
    guard let crowd = occurrences.take()?.crowd else { return }
    crowds.remove(crowd)
    groups[Self.found.slot]?.crowd = -1
  }

  /// Notes what occurs in a text with each set that holds it; false if they are a crowd.
  mutating func note(
    _ occurrence: Occurrence,
    of holders: Holders,
    in text: FoldedText,
    _ steps: inout Int
  ) -> Bool {
    switch holders {
    case .none: break
    case .single(let set): note(occurrence, of: set, in: text, &steps)
    case .group(let id):
      guard let group = groups[id.slot], group.crowd < 0 else { return false }
      for set in group.few { note(occurrence, of: set, in: text, &steps) }
    }
    return true
  }

  private mutating func note(
    _ occurrence: Occurrence,
    of set: IdentifierSetID,
    in text: FoldedText,
    _ steps: inout Int
  ) {
    steps -= 2
    guard let kind = sets[set.slot]?.kind, let place = sets[set.slot]?.place,
      let crowd = occurrences?.crowd
    else { return }
    guard let present = occurrences?[set] else {
      steps -= Self.stepsToJoin
      crowds[crowd]?.candidates[kind.rawValue].insert(place)
      occurrences?[set] = occurrence
      return
    }
    steps -= occurrence.comparedBytes(with: present) / 512
    if occurrence.isMoreSpecific(than: present, in: text) { occurrences?[set] = occurrence }
  }

  /// The crowd of the search if it has found something in a set.
  private func searchedCrowd(of set: IdentifierSetID) -> Int32? {
    occurrences?[set].flatMap { _ in occurrences?.crowd }
  }

  /// The most specific of what the search has found with an owner's sets of one kind.
  func mostSpecific(_ kind: IdentifierSetKind, of owner: Candidate, in text: FoldedText) -> IdentifierKey? {
    var best: Occurrence?
    forEachSet(kind, of: owner, .group(Self.found)) { set in
      guard let occurrence = occurrences?[set] else { return }
      if best.map({ occurrence.isMoreSpecific(than: $0, in: text) }) ?? true { best = occurrence }
    }
    return best?.key
  }
}

// MARK: - Asking

extension HolderTable {
  /// The first owner in a scope that holds a text by a set of one kind, of those that are accepted.
  ///
  /// Looks at each holder once at most.
  func first(
    _ kind: IdentifierSetKind,
    of holders: Holders,
    in scope: Scope,
    where isAccepted: (Candidate) -> Bool
  ) -> Candidate? {
    switch holders {
    case .none: return nil
    case .single(let set):
      return place(of: set, kind, in: scope).flatMap { isAccepted($0) ? $0 : nil }
    case .group(let id):
      guard let group = groups[id.slot] else { return nil }
      guard group.crowd < 0 else {
        var next = crowds[group.crowd]?.candidates[kind.rawValue].first(in: scope)
        while let rejected = next, !isAccepted(rejected) {
          let place = rejected.inPart(.max)
          next = crowds[group.crowd]?.candidates[kind.rawValue].first(in: scope, after: place)
        }
        return next
      }
      var first: Candidate?
      for set in group.few {
        guard let place = place(of: set, kind, in: scope) else { continue }
        if first.map({ place.precedes($0) }) ?? true, isAccepted(place) { first = place }
      }
      return first
    }
  }

  /// How many sets are gone through to find the first of those that hold a text.
  func listedCount(of holders: Holders) -> Int {
    guard case .group(let group) = holders else { return 1 }
    return groups[group.slot]?.few.count ?? 0
  }

  private func place(of set: IdentifierSetID, _ kind: IdentifierSetKind, in scope: Scope) -> Candidate? {
    guard sets[set.slot]?.kind == kind, let place = sets[set.slot]?.place, scope.contains(place) else {
      return nil
    }
    return place
  }

  /// Calls `body` with the sets of one kind by which an owner holds a text.
  func forEachSet(
    _ kind: IdentifierSetKind,
    of owner: Candidate,
    _ holders: Holders,
    _ body: (IdentifierSetID) -> Void
  ) {
    func callIfOwned(_ set: IdentifierSetID) {
      guard sets[set.slot]?.kind == kind, sets[set.slot]?.place?.order == owner.order else { return }
      body(set)
    }
    switch holders {
    case .none: break
    case .single(let set): callIfOwned(set)
    case .group(let id):
      guard let group = groups[id.slot] else { return }
      group.few.forEach(callIfOwned)
      guard group.crowd >= 0 else { return }
      crowds[group.crowd]?.candidates[kind.rawValue].forEachPart(of: owner) {
        body(IdentifierSetID(slot: $0))
      }
    }
  }
}
