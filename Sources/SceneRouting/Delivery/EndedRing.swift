/// How the newest of what has ended did so, for those who ask about it too late.
///
/// Ids count up, so an id finds its place without a search; an older one is overwritten.
struct EndedRing<Value: Sendable>: Sendable {
  private struct Slot {
    var id: UInt64
    var value: Value
  }

  /// 4,096: many times what one client has under way, at 100 KB.
  private static var size: Int { 4096 }
  private var slots: [Slot?] = []

  subscript(id: UInt64) -> Value? {
    get {
      guard !slots.isEmpty, let slot = slots[Int(id % UInt64(Self.size))], slot.id == id else { return nil }
      return slot.value
    }
    set {
      if slots.isEmpty { slots = [Slot?](repeating: nil, count: Self.size) }
      slots[Int(id % UInt64(Self.size))] = newValue.map { Slot(id: id, value: $0) }
    }
  }
}
