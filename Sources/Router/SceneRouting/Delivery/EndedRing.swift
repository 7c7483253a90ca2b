/// Remembers how the most recent deliveries or open requests ended.
///
/// A client that answers too late gets an error reply, which says how the delivery or request ended.
///
/// An id is stored at the index that is the id modulo ``size``. A new id replaces the older id at the same index.
struct EndedRing<Value: Sendable>: Sendable {
  private struct Place {
    var id: UInt64
    var value: Value
  }

  /// The number of ids that the ring has room for.
  ///
  /// This is far more than the deliveries or requests that a client usually has under way. The ring takes up to 100 KB
  /// of memory.
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
