/// How the last deliveries or requests ended, to answer clients that are too late.
///
/// Ids count up, so an id finds its place without a search; an older one is overwritten.
struct EndedRing<Value: Sendable>: Sendable {
  private struct Place {
    var id: UInt64
    var value: Value
  }

  /// 4,096: many times what one client has under way, at 100 KB.
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
