/// Applications that are considered together.
struct ApplicationSet: Equatable {
  /// In ascending order; searching a few slots is faster than hashing.
  private var slots: [Slot]

  /// `slots` must be in ascending order.
  init(_ slots: [Slot] = []) { self.slots = slots }

  init(only slot: Slot) { slots = [slot] }

  var count: Int { slots.count }

  /// `nil` if there is no application or several.
  var only: Slot? { slots.count == 1 ? slots[0] : nil }

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

  func intersection(_ other: ApplicationSet) -> ApplicationSet { filter(other.contains) }

  func filter(_ isIncluded: (Slot) -> Bool) -> ApplicationSet { ApplicationSet(slots.filter(isIncluded)) }

  mutating func formUnion(_ other: ApplicationSet) { for slot in other.slots { insert(slot) } }

  @inline(__always)
  private func place(of slot: Slot) -> Int { slots.partitionIndex { $0 < slot } }
}
