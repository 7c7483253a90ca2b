/// How the last deliveries or requests ended, for the error replies to clients that answer too late.
///
/// The place of an id is the id modulo ``size``. A new id replaces an older id with the same place.
struct EndedRing<Value: Sendable>: Sendable {
  private struct Place {
    var id: UInt64
    var value: Value
  }

  /// The number of places.
  ///
  /// A client usually has far fewer deliveries or requests under way. The places take 100 KB.
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
