/// Ends are kept for the error reply to a client that answers too late; an id replaces an older id in the same place.
struct EndedRing<Value: Sendable>: Sendable {
  private struct Place {
    var id: UInt64
    var value: Value
  }

  /// Far more than a client usually has under way; the ring takes up to 100 KB of memory.
  private static var size: Int { 4096 }
  private var places: [Place?] = []

  subscript(id: UInt64) -> Value? {
    get {
      guard !places.isEmpty, let place = places[Int(id % UInt64(Self.size))], place.id == id else {
        return nil
      }
      return place.value
    }
    set {
      if places.isEmpty { places = [Place?](repeating: nil, count: Self.size) }
      places[Int(id % UInt64(Self.size))] = newValue.map { Place(id: id, value: $0) }
    }
  }
}
