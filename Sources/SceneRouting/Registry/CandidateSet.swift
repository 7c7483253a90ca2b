/// A place in the registry's tables of applications and scenes, reused after its owner is gone.
typealias Slot = Int32

/// A scene or a declaration that may take an event, and its place among all others of its kind.
struct Candidate: Hashable {
  /// The smallest comes first.
  var order: Int64
  /// The application it belongs to.
  var application: Slot
  /// The slot of a scene; the index of a declaration in its application.
  var index: Int32
  /// The owner of sets of identifiers for which it stands; 0 where it stands for itself.
  var part: Int32 = 0

  func hasSamePlace(as other: Candidate) -> Bool { order == other.order && part == other.part }

  func precedes(_ other: Candidate) -> Bool {
    order == other.order ? part < other.part : order < other.order
  }

  func inPart(_ part: Int32) -> Candidate {
    var candidate = self
    candidate.part = part
    return candidate
  }

  /// The declaration that comes so many after this one, which is its application's first.
  func advanced(by distance: Int32) -> Candidate {
    var candidate = self
    candidate.order += Int64(distance)
    candidate.index += distance
    return candidate
  }
}

/// Which applications an event may go to.
enum Scope {
  /// One, because it was named, or is the only one left.
  case only(Slot)
  /// Those that claim the event, in several sets that may overlap.
  case claiming([Set<Slot>])
  /// All without claims.
  case unclaiming
  /// Those of the first, without the one that had its turn.
  indirect case others(Scope, than: Slot)

  /// Whether an application is one of them, told whether it takes part in what nobody claims.
  func contains(_ application: Slot, takesUnclaimed: Bool) -> Bool {
    switch self {
    case .only(let slot): application == slot
    case .claiming(let claimants): claimants.contains { $0.contains(application) }
    case .unclaiming: takesUnclaimed
    case .others(let scope, let than):
      application != than && scope.contains(application, takesUnclaimed: takesUnclaimed)
    }
  }
}

/// The candidates that share one reason to be chosen (one identifier of one kind of set, for instance).
///
/// Kept by application, so that the first one in a scope is found without a walk over those of others, and an
/// application changes sides without a walk over its own.
struct CandidateSet {
  private var byApplication: [Slot: SortedCandidates] = [:]
  /// The first of each application that takes part in what nobody claims.
  private var unclaiming = SortedCandidates()
  /// The first of each other application.
  private var others = SortedCandidates()

  /// How far to look for an application that claims the event before each of them is asked.
  private static var patience: Int { 64 }

  var isEmpty: Bool { byApplication.isEmpty }

  /// Adds a candidate if it is not there; `takesUnclaimed` tells of its application, and is what it was told before.
  mutating func insert(_ candidate: Candidate, takesUnclaimed: Bool) {
    let first = byApplication[candidate.application]?.first
    byApplication[candidate.application, default: SortedCandidates()].insert(candidate)
    if let first {
      guard candidate.precedes(first) else { return }
      removeFirst(first)
    }
    insertFirst(candidate, takesUnclaimed)
  }

  /// Adds all candidates of an application that has none here.
  mutating func insert(_ candidates: SortedCandidates, of application: Slot, takesUnclaimed: Bool) {
    guard let first = candidates.first else { return }
    byApplication[application] = candidates
    insertFirst(first, takesUnclaimed)
  }

  /// Takes out a candidate if it is there.
  mutating func remove(_ candidate: Candidate) {
    guard let first = byApplication[candidate.application]?.first,
      byApplication[candidate.application]?.remove(candidate) == true, first.hasSamePlace(as: candidate)
    else { return }
    let takesUnclaimed = removeFirst(first)
    if let next = byApplication[candidate.application]?.first {
      insertFirst(next, takesUnclaimed)
    } else {
      byApplication[candidate.application] = nil
    }
  }

  /// Gives a candidate that is there another place among those of its application.
  mutating func move(_ candidate: Candidate, to moved: Candidate) {
    guard let index = byApplication.index(forKey: candidate.application),
      let first = byApplication.values[index].first, byApplication.values[index].remove(candidate)
    else { return }
    byApplication.values[index].insert(moved)
    guard let next = byApplication.values[index].first, !next.hasSamePlace(as: first) else { return }
    insertFirst(next, removeFirst(first))
  }

  /// Takes out all candidates of an application.
  mutating func removeAll(of application: Slot) {
    guard let first = byApplication.removeValue(forKey: application)?.first else { return }
    removeFirst(first)
  }

  /// Notes whether an application takes part in what nobody claims.
  mutating func setTakesUnclaimed(_ takesUnclaimed: Bool, of application: Slot) {
    guard let first = byApplication[application]?.first else { return }
    removeFirst(first)
    insertFirst(first, takesUnclaimed)
  }

  private mutating func insertFirst(_ candidate: Candidate, _ takesUnclaimed: Bool) {
    if takesUnclaimed { unclaiming.insert(candidate) } else { others.insert(candidate) }
  }

  /// Returns where it was.
  @discardableResult
  private mutating func removeFirst(_ candidate: Candidate) -> Bool {
    if unclaiming.remove(candidate) { return true }
    others.remove(candidate)
    return false
  }

  /// Calls `body` with each candidate, in no order.
  func forEach(_ body: (Candidate) -> Void) {
    for candidates in byApplication.values { candidates.forEach(body) }
  }

  /// The first candidate in a scope.
  func first(in scope: Scope) -> Candidate? { firstOfApplication(in: scope, after: nil) }

  /// The first candidate in a scope of those that are accepted; each is asked once at most, in their order, and only
  /// if its application is open.
  func first(
    in scope: Scope,
    ofApplications isOpen: (Slot) -> Bool = { _ in true },
    where isAccepted: (Candidate) -> Bool
  ) -> Candidate? {
    var nextOfNew = first(in: scope)
    // Of each application of which all that were asked have been rejected the next one, the first of all at the end.
    var followers: [Candidate] = []
    while let candidate = Self.earlier(nextOfNew, followers.last) {
      if candidate == nextOfNew {
        nextOfNew = firstOfApplication(in: scope, after: candidate)
        guard isOpen(candidate.application) else { continue }
      } else {
        followers.removeLast()
      }
      if isAccepted(candidate) { return candidate }
      guard let next = byApplication[candidate.application]?.first(after: candidate) else { continue }
      followers.insert(next, at: (followers.lastIndex { next.precedes($0) } ?? -1) + 1)
    }
    return nil
  }

  private static func earlier(_ left: Candidate?, _ right: Candidate?) -> Candidate? {
    guard let left, let right else { return left ?? right }
    return right.precedes(left) ? right : left
  }

  /// The first of those in a scope that are the first of their applications, or the first after another.
  private func firstOfApplication(in scope: Scope, after place: Candidate?) -> Candidate? {
    switch scope {
    case .unclaiming: return unclaiming.first(after: place)
    case .only(let application): return place == nil ? byApplication[application]?.first : nil
    case .others(let scope, let application):
      let next = firstOfApplication(in: scope, after: place)
      guard let next, next.application == application else { return next }
      return firstOfApplication(in: scope, after: next)
    case .claiming(let claimants):
      var place = place
      for _ in 0..<Self.patience {
        guard let candidate = others.first(after: place) else { return nil }
        if claimants.contains(where: { $0.contains(candidate.application) }) { return candidate }
        place = candidate
      }
      return firstOfEach(claimants, after: place)
    }
  }

  private func firstOfEach(_ claimants: [Set<Slot>], after place: Candidate?) -> Candidate? {
    var best: Candidate?
    func consider(_ application: Slot) {
      guard let first = byApplication[application]?.first, place?.precedes(first) ?? true else { return }
      if best.map({ first.precedes($0) }) ?? true { best = first }
    }
    if byApplication.count < claimants.reduce(0, { $0 + $1.count }) {
      for application in byApplication.keys where claimants.contains(where: { $0.contains(application) }) {
        consider(application)
      }
    } else {
      for application in claimants.joined() { consider(application) }
    }
    return best
  }
}
