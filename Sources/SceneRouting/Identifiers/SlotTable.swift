/// Values by small numbers, which are given again once their values are gone.
struct SlotTable<Element> {
  private var elements = PagedArray<Element?>()
  private var free = PagedArray<Int32>()

  /// How many values there are.
  var count: Int { elements.count - free.count }

  subscript(slot: Int32) -> Element? {
    @inline(__always) _read { yield elements[Int(slot)] }
    @inline(__always) _modify { yield &elements[Int(slot)] }
  }

  /// The numbers that may have values.
  var slots: Range<Int32> { 0..<Int32(elements.count) }

  mutating func insert(_ element: Element) -> Int32 {
    guard free.count > 0 else {
      elements.append(element)
      return Int32(elements.count - 1)
    }
    let slot = free.removeLast()
    elements[Int(slot)] = element
    return slot
  }

  mutating func remove(_ slot: Int32) {
    elements[Int(slot)] = nil
    free.append(slot)
    guard count == 0 else { return }
    (elements, free) = (PagedArray(), PagedArray())
  }
}

extension SlotTable: Sendable where Element: Sendable {}
