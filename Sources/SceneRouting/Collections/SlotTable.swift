/// Values by small numbers, which are used again after their values have been removed.
struct SlotTable<Element> {
  private var elements: [Element?] = []
  private var free: [Int32] = []

  /// How many values there are.
  var count: Int { elements.count - free.count }

  subscript(slot: Int32) -> Element? {
    @inline(__always) _read { yield elements[Int(slot)] }
    @inline(__always) _modify { yield &elements[Int(slot)] }
  }

  /// The numbers that may have values.
  var slots: Range<Int32> { 0..<Int32(elements.count) }

  /// The number that the next value gets.
  var next: Int32 { free.last ?? Int32(elements.count) }

  @discardableResult
  mutating func insert(_ element: Element) -> Int32 {
    let slot = next
    if free.popLast() == nil { elements.append(element) } else { elements[Int(slot)] = element }
    return slot
  }

  mutating func remove(_ slot: Int32) {
    elements[Int(slot)] = nil
    free.append(slot)
    if count == 0 { (elements, free) = ([], []) }
  }
}

extension SlotTable: Sendable where Element: Sendable {}
