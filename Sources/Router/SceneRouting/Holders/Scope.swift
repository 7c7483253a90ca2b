struct ApplicationSet: Equatable {
  /// In ascending order; searching a few slots is faster than hashing.
  private var slots: [Slot]

  init(_ slots: [Slot] = []) { self.slots = slots }

  var count: Int { slots.count }

  var first: Slot? { slots.first }

  @inline(__always)
  func contains(_ slot: Slot) -> Bool {
    let place = place(of: slot)
    return place < slots.count && slots[place] == slot
  }

  mutating func insert(_ slot: Slot) {
    let place = place(of: slot)
    if place == slots.count || slots[place] != slot { slots.insert(slot, at: place) }
  }

  mutating func remove(_ slot: Slot) {
    let place = place(of: slot)
    if place < slots.count, slots[place] == slot { slots.remove(at: place) }
  }

  mutating func subtract(_ other: ApplicationSet) { for slot in other.slots { remove(slot) } }

  mutating func formIntersection(_ other: ApplicationSet) { slots.removeAll { !other.contains($0) } }

  func filter(_ isIncluded: (Slot) -> Bool) -> ApplicationSet { ApplicationSet(slots.filter(isIncluded)) }

  mutating func formUnion(_ other: ApplicationSet) { for slot in other.slots { insert(slot) } }

  @inline(__always)
  private func place(of slot: Slot) -> Int {
    var low = 0
    var high = slots.count
    while low < high {
      let middle = (low + high) / 2
      if slots[middle] < slot { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

struct Scope {
  private var applications: ApplicationSet

  init(_ applications: ApplicationSet) { self.applications = applications }

  init(only application: Slot) { applications = ApplicationSet([application]) }

  /// `nil` if the scope has no application or several.
  var only: Slot? { applications.count == 1 ? applications.first : nil }

  @inline(__always)
  func contains(_ application: Slot) -> Bool { applications.contains(application) }

  mutating func remove(_ application: Slot) { applications.remove(application) }

  mutating func subtract(_ other: Scope) { applications.subtract(other.applications) }

  func filter(_ isIncluded: (Slot) -> Bool) -> Scope { Scope(applications.filter(isIncluded)) }

  func intersection(_ other: Scope) -> Scope {
    var scope = self
    scope.applications.formIntersection(other.applications)
    return scope
  }
}
