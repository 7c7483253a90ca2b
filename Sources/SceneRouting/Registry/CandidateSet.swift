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
}

/// Which applications an event may go to.
enum Scope {
  /// One, because it was named, or is the only one left.
  case only(Slot)
  /// Those that claim the event.
  case claiming(Set<Slot>)
  /// All without claims.
  case unclaiming
  /// Those of the first, without the one that had its turn.
  indirect case others(Scope, than: Slot)
}

/// The candidates that share one reason to be chosen (one identifier of one kind of set, for instance).
struct CandidateSet {
  /// Sorted by order; no two have the same.
  private(set) var sorted: [Candidate] = []

  var isEmpty: Bool { sorted.isEmpty }

  mutating func insert(_ candidate: Candidate) {
    sorted.insert(candidate, at: firstIndex(from: candidate.order))
  }

  mutating func remove(_ candidate: Candidate) {
    let index = firstIndex(from: candidate.order)
    if index < sorted.count, sorted[index] == candidate { sorted.remove(at: index) }
  }

  /// The first candidate for which `accepts` holds.
  func first(where accepts: (Candidate) -> Bool) -> Candidate? {
    sorted.first(where: accepts)
  }

  private func firstIndex(from order: Int64) -> Int {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].order < order { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
