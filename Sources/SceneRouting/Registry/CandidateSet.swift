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
  /// Whether its application takes part in events that nobody claims.
  var takesUnclaimed: Bool

  func hasSamePlace(as other: Candidate) -> Bool { order == other.order && part == other.part }

  func precedes(_ other: Candidate) -> Bool {
    order == other.order ? part < other.part : order < other.order
  }

  func inPart(_ part: Int32) -> Candidate {
    var candidate = self
    candidate.part = part
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

  func contains(_ candidate: Candidate) -> Bool {
    switch self {
    case .only(let application): candidate.application == application
    case .claiming(let claimants): claimants.contains { $0.contains(candidate.application) }
    case .unclaiming: candidate.takesUnclaimed
    case .others(let scope, let application):
      candidate.application != application && scope.contains(candidate)
    }
  }
}

/// The candidates that share one reason to be chosen (one identifier of one kind of set, for instance).
///
/// Arranged so that the first one in a scope is found without a walk over those of other applications.
struct CandidateSet {
  private var unclaiming = SortedCandidates()
  private var others = SortedCandidates()
  /// All once more by application, if there are several.
  private var byApplication: [Slot: SortedCandidates] = [:]

  /// How far to look for an application that claims the event before each of them is asked.
  private static var patience: Int { 64 }

  var isEmpty: Bool { unclaiming.isEmpty && others.isEmpty }

  /// Adds a candidate if it is not there.
  mutating func insert(_ candidate: Candidate) {
    let first = unclaiming.first ?? others.first
    if byApplication.isEmpty, let first, first.application != candidate.application {
      byApplication[first.application] = first.takesUnclaimed ? unclaiming : others
    }
    let isNew = candidate.takesUnclaimed ? unclaiming.insert(candidate) : others.insert(candidate)
    guard isNew, !byApplication.isEmpty else { return }
    byApplication[candidate.application, default: SortedCandidates()].insert(candidate)
  }

  /// Takes out a candidate if it is there.
  mutating func remove(_ candidate: Candidate) {
    let wasPresent = candidate.takesUnclaimed ? unclaiming.remove(candidate) : others.remove(candidate)
    guard wasPresent, !byApplication.isEmpty else { return }
    byApplication[candidate.application]?.remove(candidate)
    guard byApplication[candidate.application]?.isEmpty == true else { return }
    byApplication[candidate.application] = nil
    if byApplication.count < 2 { byApplication = [:] }
  }

  /// The first candidate in a scope, or the first after another.
  func first(in scope: Scope, after place: Candidate? = nil) -> Candidate? {
    switch scope {
    case .unclaiming: return unclaiming.first(after: place)
    case .only(let application): return first(of: application, after: place)
    case .others(let scope, let application):
      // Few are passed over: all of that application's that may take the event would have taken it before.
      var next = first(in: scope, after: place)
      while let candidate = next, candidate.application == application {
        next = first(in: scope, after: candidate)
      }
      return next
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

  /// Calls `body` with each candidate, in no order.
  func forEach(_ body: (Candidate) -> Void) {
    unclaiming.forEach(body)
    others.forEach(body)
  }

  private func firstOfEach(_ claimants: [Set<Slot>], after place: Candidate?) -> Candidate? {
    var best: Candidate?
    func consider(_ application: Slot) {
      guard let first = first(of: application, after: place) else { return }
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

  private func first(of application: Slot, after place: Candidate?) -> Candidate? {
    if !byApplication.isEmpty { return byApplication[application]?.first(after: place) }
    guard let first = unclaiming.first ?? others.first, first.application == application else { return nil }
    return first.takesUnclaimed ? unclaiming.first(after: place) : others.first(after: place)
  }
}
