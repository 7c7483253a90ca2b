/// The sets of identifiers, whose they are, and which of them hold the same text.
///
/// Up to a few hundred sets with the same text are a plain list, and the first of them is looked for when it is
/// asked for: a scene that becomes active costs nothing there. Only of crowds are the owners kept in order, each once
/// however many of its sets are there, and there are only so many crowds.
struct HolderTable {
  private struct HeldSet {
    let kind: IdentifierSetKind
    /// Which of its owner's declarations it belongs to.
    let index: Int32
    var owner: SetOwnerID
    var isGone = false
    /// The crowds that it is in.
    var crowds: Set<Int32> = []

    /// Its owner, unless it is gone.
    var liveOwner: SetOwnerID? { isGone ? nil : owner }

    /// Its owner and which of the owner's it is, unless it is gone or of another kind.
    func liveOwner(_ kind: IdentifierSetKind) -> (SetOwnerID, index: Int32)? {
      kind == self.kind && !isGone ? (owner, index) : nil
    }
  }

  private struct Owner {
    /// The place of the scene, or of the application's first declaration, its part naming it here; `nil` once it is gone.
    var place: Candidate?
    /// How many sets it has; those that are gone count until they are freed.
    var setCount = 0
    /// Which of its sets are in the crowds that it is in, in the order in which they were made.
    var members: [Membership: [IdentifierSetID]] = [:]
  }

  /// In which of a crowd's orders an owner is.
  private struct Membership: Hashable {
    let crowd: Int32
    let kind: IdentifierSetKind
  }

  private struct Group {
    /// The sets, some perhaps gone, those of an owner in the order in which they were made; none if there is a crowd.
    var few: [IdentifierSetID]
    /// The slot of the crowd, or -1.
    var crowd: Int32 = -1
  }

  /// All sets that hold `*`.
  static let wildcard = HolderGroupID(slot: 0)

  /// How many sets a list has at least before it becomes a crowd: as many are searched in a microsecond.
  private static var few: Int { 256 }
  /// A crowd of so many becomes a list again.
  private static var fewAgain: Int { 128 }
  /// How many crowds there are at most, that of `*` and those that are many times as long as a list should be aside.
  ///
  /// Becoming active may cost as much as there are; other lists stay lists.
  private static var mostCrowds: Int { 256 }
  /// A list that is so many times as long as it should be becomes a crowd, where there are up to twice as many.
  private static var manyTimes: Int { 8 }
  /// How many sets may be put in order in one step, about; more with each set that is added.
  private static var mostCredit: Int { 1024 }

  private var owners = SlotTable<Owner>()
  private var sets = SlotTable<HeldSet>()
  private var groups = SlotTable<Group>()
  private var crowds = Crowds()
  /// How many sets may be put in order now.
  private var credit = mostCredit
  /// The crowds that may have become lists again.
  private var smallCrowds: [Int32] = []

  init() { _ = groups.insert(Group(few: [])) }

  /// How many owners there are; those that are gone count until their sets are freed.
  var ownerCount: Int { owners.count }

  /// How many sets there are; those that are gone count until they are freed.
  var setCount: Int { sets.count }

  /// How many texts are held by several sets, `*` aside.
  var groupCount: Int { groups.count - 1 }

  /// How many texts are held by so many sets that their owners are kept in order.
  var crowdCount: Int { crowds.count }
}

// MARK: - Owners

extension HolderTable {
  mutating func makeOwner(at place: Candidate) -> SetOwnerID {
    let id = SetOwnerID(slot: owners.insert(Owner()))
    owners[id.slot]?.place = place.inPart(id.slot)
    return id
  }

  /// Gives an owner another place, which costs a few steps for each crowd that it is in.
  mutating func move(_ owner: SetOwnerID, to place: Candidate) {
    guard let present = owners[owner.slot]?.place else { return }
    let moved = place.inPart(owner.slot)
    forEachOrder(of: owner) { crowds, kind, crowd in crowds.move(present, to: moved, kind, in: crowd) }
    owners[owner.slot]?.place = moved
  }

  /// Notes whether an application takes part in what nobody claims, which costs a few steps for each crowd.
  mutating func setTakesUnclaimed(_ takesUnclaimed: Bool, of application: Slot) {
    crowds.setTakesUnclaimed(takesUnclaimed, of: application)
  }

  /// Notes that an owner is gone with all its sets, which costs a few steps for each crowd that it is in.
  mutating func retire(_ owner: SetOwnerID) {
    guard let place = owners[owner.slot]?.place else { return }
    forEachOrder(of: owner) { crowds, kind, crowd in crowds.remove(place, kind, from: crowd) }
    let members = owners[owner.slot]?.members ?? [:]
    owners[owner.slot]?.place = nil
    owners[owner.slot]?.members = [:]
    for (membership, sets) in members { crowds[membership.crowd]?.count -= sets.count }
    for membership in members.keys { noteIfSmall(membership.crowd) }
    freeIfGone(owner)
  }

  /// Changes each order that an owner is in.
  private mutating func forEachOrder(
    of owner: SetOwnerID,
    _ change: (inout Crowds, IdentifierSetKind, _ crowd: Int32) -> Void
  ) {
    let memberships = owners[owner.slot]?.members.keys
    for membership in memberships ?? [:].keys { change(&crowds, membership.kind, membership.crowd) }
  }

  private mutating func freeIfGone(_ owner: SetOwnerID) {
    if owners[owner.slot]?.place == nil, owners[owner.slot]?.setCount == 0 { owners.remove(owner.slot) }
  }
}

// MARK: - Sets

extension HolderTable {
  /// Makes an empty set; those of an application have the indices of its declarations, and are made in their order.
  mutating func makeSet(of kind: IdentifierSetKind, at index: Int32, for owner: SetOwnerID) -> IdentifierSetID
  {
    owners[owner.slot]?.setCount += 1
    return IdentifierSetID(slot: sets.insert(HeldSet(kind: kind, index: index, owner: owner)))
  }

  /// Whether neither the set nor its owner is gone.
  func isLive(_ set: IdentifierSetID) -> Bool { place(of: set) != nil }

  /// Notes that a set is gone, which costs a few steps for each crowd that it is in.
  mutating func retire(_ set: IdentifierSetID) {
    guard isLive(set), let crowds = sets[set.slot]?.crowds else { return }
    for crowd in crowds {
      leave(crowd, set)
      noteIfSmall(crowd)
    }
    sets[set.slot]?.isGone = true
    sets[set.slot]?.crowds = []
  }

  /// Frees a set that is gone and has no text left.
  mutating func free(_ set: IdentifierSetID) {
    guard let owner = sets[set.slot]?.owner else { return }
    sets.remove(set.slot)
    owners[owner.slot]?.setCount -= 1
    freeIfGone(owner)
  }

  /// The place of a set's owner; `nil` if one of them is gone.
  private func place(of set: IdentifierSetID) -> Candidate? {
    guard let owner = sets[set.slot]?.liveOwner else { return nil }
    return owners[owner.slot]?.place
  }

  /// Puts a set into a crowd, and its owner in order if that is not there.
  private mutating func enter(_ crowd: Int32, _ set: IdentifierSetID) {
    guard let kind = sets[set.slot]?.kind, let owner = sets[set.slot]?.owner,
      let place = owners[owner.slot]?.place
    else { return }
    crowds[crowd]?.count += 1
    let membership = Membership(crowd: crowd, kind: kind)
    owners[owner.slot]?.members[membership, default: []].append(set)
    if owners[owner.slot]?.members[membership]?.count == 1 { crowds.insert(place, kind, into: crowd) }
  }

  /// Takes a set out of a crowd, and its owner if that has no other there.
  private mutating func leave(_ crowd: Int32, _ set: IdentifierSetID) {
    guard let kind = sets[set.slot]?.kind, let owner = sets[set.slot]?.owner,
      let place = owners[owner.slot]?.place
    else { return }
    crowds[crowd]?.count -= 1
    let membership = Membership(crowd: crowd, kind: kind)
    guard let index = owners[owner.slot]?.members[membership]?.firstIndex(of: set) else { return }
    owners[owner.slot]?.members[membership]?.remove(at: index)
    guard owners[owner.slot]?.members[membership]?.isEmpty == true else { return }
    owners[owner.slot]?.members[membership] = nil
    crowds.remove(place, kind, from: crowd)
  }
}

// MARK: - Groups

extension HolderTable {
  mutating func makeGroup(_ first: IdentifierSetID, _ second: IdentifierSetID) -> HolderGroupID {
    HolderGroupID(slot: groups.insert(Group(few: [first, second])))
  }

  /// Adds a set to a group if it is not there.
  mutating func add(_ set: IdentifierSetID, to group: HolderGroupID) {
    // For a list of any length more are added than it takes to put it in order.
    credit = min(credit + 4, Self.mostCredit)
    let crowd = groups[group.slot]?.crowd ?? -1
    if crowd >= 0 {
      join(set, crowd)
      return
    }
    // A set's identifiers nearly always are added one after the other.
    guard groups[group.slot]?.few.last != set else { return }
    groups[group.slot]?.few.append(set)
    // Lists become crowds at different lengths, so that scenes which share many texts seldom make many in one step.
    let most = Self.few + Int(group.slot) % Self.few
    guard let count = groups[group.slot]?.few.count, count > most, credit >= min(count, Self.mostCredit),
      crowdCount < Self.mostCrowds || group == Self.wildcard
        || crowdCount < 2 * Self.mostCrowds && count > Self.manyTimes * most,
      let listed = groups[group.slot]?.few
    else { return }
    let live = listed.filter(isLive)
    groups[group.slot]?.few = live
    if live.count > Self.few { crowdTogether(live, group) }
  }

  /// Takes a set that is gone out of a group; returns who holds the text then.
  ///
  /// It may be out already, with its owner: what is left of a crowd is a list without it.
  mutating func remove(_ set: IdentifierSetID, from group: HolderGroupID) -> Holders {
    if let index = groups[group.slot]?.few.firstIndex(of: set) { groups[group.slot]?.few.remove(at: index) }
    guard group != Self.wildcard, groups[group.slot]?.crowd ?? 0 < 0, let left = groups[group.slot]?.few,
      left.count < 2
    else { return .group(group) }
    groups.remove(group.slot)
    return left.first.map { .single($0) } ?? .none
  }

  private mutating func crowdTogether(_ members: [IdentifierSetID], _ group: HolderGroupID) {
    credit -= members.count
    let crowd = crowds.make(of: group)
    groups[group.slot] = Group(few: [], crowd: crowd)
    for member in members { join(member, crowd) }
  }

  private mutating func join(_ set: IdentifierSetID, _ crowd: Int32) {
    guard isLive(set), sets[set.slot]?.crowds.insert(crowd).inserted == true else { return }
    enter(crowd, set)
  }

  private mutating func noteIfSmall(_ crowd: Int32) {
    guard let count = crowds[crowd]?.count, count <= Self.fewAgain, crowds[crowd]?.isSmall == false else {
      return
    }
    crowds[crowd]?.isSmall = true
    smallCrowds.append(crowd)
  }

  /// Whether there are crowds to be disbanded, by which all is found as it is by lists.
  var hasSmallCrowds: Bool { !smallCrowds.isEmpty }

  /// Makes a list of a crowd that is small; has to be done with all before ``remove(_:from:)``.
  mutating func disbandSmallCrowd() {
    guard let crowd = smallCrowds.popLast(), let disbanded = crowds[crowd] else { return }
    crowds[crowd]?.isSmall = false
    guard disbanded.count <= Self.fewAgain else { return }
    crowds.remove(crowd)
    var members: [IdentifierSetID] = []
    for kind in IdentifierSetKind.allCases {
      let membership = Membership(crowd: crowd, kind: kind)
      disbanded.forEach(kind) { owner in
        members += owners[owner.part]?.members[membership] ?? []
        owners[owner.part]?.members[membership] = nil
      }
    }
    for member in members { sets[member.slot]?.crowds.remove(crowd) }
    groups[disbanded.group.slot] = Group(few: members)
  }
}

// MARK: - Asking

extension HolderTable {
  /// The first scene or declaration in a scope that holds a text by a set of one kind, of those that are accepted.
  ///
  /// Looks at each holder once at most, and at those of a crowd only if their applications are open.
  func first(
    _ kind: IdentifierSetKind,
    of holders: Holders,
    in scope: Scope,
    ofApplications isOpen: (Slot) -> Bool = { _ in true },
    where isAccepted: (Candidate) -> Bool
  ) -> Candidate? {
    switch holders {
    case .none: return nil
    case .single(let set):
      return place(of: set, kind, in: scope).flatMap { isAccepted($0) ? $0 : nil }
    case .group(let id):
      guard let group = groups[id.slot] else { return nil }
      if group.crowd >= 0 {
        return first(kind, ofCrowd: group.crowd, in: scope, ofApplications: isOpen, where: isAccepted)
      }
      var first: Candidate?
      for set in group.few {
        guard let place = place(of: set, kind, in: scope) else { continue }
        if first.map({ place.precedes($0) }) ?? true, isAccepted(place) { first = place }
      }
      return first
    }
  }

  private func first(
    _ kind: IdentifierSetKind,
    ofCrowd crowd: Int32,
    in scope: Scope,
    ofApplications isOpen: (Slot) -> Bool,
    where isAccepted: (Candidate) -> Bool
  ) -> Candidate? {
    // A scene stands for itself, however many sets it has there.
    guard kind == .matching else {
      return crowds.first(kind, of: crowd, in: scope, ofApplications: isOpen, where: isAccepted)
    }
    var first: Candidate?
    _ = crowds.first(kind, of: crowd, in: scope, ofApplications: isOpen) { application in
      first = firstDeclaration(of: application, inCrowd: crowd, where: isAccepted)
      return first != nil
    }
    return first
  }

  /// The first of an application's declarations in a crowd, of those that are accepted.
  private func firstDeclaration(
    of application: Candidate,
    inCrowd crowd: Int32,
    where isAccepted: (Candidate) -> Bool
  ) -> Candidate? {
    func declaration(_ set: IdentifierSetID) -> Candidate {
      application.advanced(by: sets[set.slot]?.index ?? 0)
    }
    let members = owners[application.part]?.members[Membership(crowd: crowd, kind: .matching)]
    return members?.lazy.map(declaration).first(where: isAccepted)
  }

  private func place(of set: IdentifierSetID, _ kind: IdentifierSetKind, in scope: Scope) -> Candidate? {
    guard let (owner, index) = sets[set.slot]?.liveOwner(kind), let place = owners[owner.slot]?.place,
      scope.contains(place.application, takesUnclaimed: crowds.takesUnclaimed(place.application))
    else { return nil }
    return place.advanced(by: index)
  }

  /// Calls `body` with the sets of one kind by which an owner holds a text.
  func forEachSet(
    _ kind: IdentifierSetKind,
    of owner: SetOwnerID,
    _ holders: Holders,
    _ body: (IdentifierSetID) -> Void
  ) {
    func callIfOwned(_ set: IdentifierSetID) { if sets[set.slot]?.liveOwner(kind)?.0 == owner { body(set) } }
    switch holders {
    case .none: break
    case .single(let set): callIfOwned(set)
    case .group(let id):
      guard let group = groups[id.slot] else { return }
      group.few.forEach(callIfOwned)
      owners[owner.slot]?.members[Membership(crowd: group.crowd, kind: kind)]?.forEach(body)
    }
  }
}
