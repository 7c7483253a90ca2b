/// A table of values whose keys are ids.
///
/// The router makes the ids, so that clients cannot choose them. The ids are ascending numbers other than 0, or random
/// numbers.
///
/// The table uses open addressing. A dictionary would be slower, because its hash protects against keys that attackers
/// choose. That hash costs more than all other work with an id.
///
/// The table is public and inlinable. Otherwise the compiler would not specialise the table for values of other
/// modules.
public struct IDTable<Value> {
  @inlinable static var emptyPlace: UInt64 { 0 }

  /// The value that is stored in each empty place of the table.
  @usableFromInline let vacant: Value
  @usableFromInline let seed: UInt64
  @usableFromInline var ids: [UInt64]
  @usableFromInline var values: [Value]
  /// The number of ids with a value.
  @usableFromInline var count = 0

  /// Makes an empty table.
  ///
  /// The `seed` should be random, so that clients cannot predict which ids collide.
  @inlinable public init(vacant: Value, seed: UInt64) {
    self.vacant = vacant
    self.seed = seed
    ids = [UInt64](repeating: Self.emptyPlace, count: 16)
    values = [Value](repeating: vacant, count: ids.count)
  }

  /// The value of an id; `nil` if the id has no value.
  @inlinable public subscript(id: UInt64) -> Value? {
    guard let place = place(of: id) else { return nil }
    return values[place]
  }

  /// The value at a place.
  @inlinable public subscript(place place: Int) -> Value {
    @inline(__always) _read { yield values[place] }
    @inline(__always) _modify { yield &values[place] }
  }

  /// The place of an id's value; `nil` if the id has no value.
  ///
  /// The place is valid until the next change of the table.
  @inlinable public func place(of id: UInt64) -> Int? {
    guard id != Self.emptyPlace else { return nil }
    var place = home(of: id)
    while ids[place] != id {
      guard ids[place] != Self.emptyPlace else { return nil }
      place = after(place)
    }
    return place
  }

  /// Adds a value for an id that has no value.
  @inlinable public mutating func insert(_ value: Value, for id: UInt64) {
    if 2 * (count + 1) > ids.count { grow() }
    put(value, for: id)
    count += 1
  }

  /// Removes the value of an id and returns the value; `nil` if the id has no value.
  @discardableResult @inlinable public mutating func remove(_ id: UInt64) -> Value? {
    guard var hole = place(of: id) else { return nil }
    let value = values[hole]
    // The removal leaves a hole. A search stops at the first empty place, so it would miss the values behind the hole.
    // The loop therefore moves such a value into the hole, and the value's old place becomes the next hole. A value
    // stays if the search for its id begins behind the hole, because that search never reaches the hole.
    var place = after(hole)
    while ids[place] != Self.emptyPlace {
      if distance(from: home(of: ids[place]), to: place) >= distance(from: hole, to: place) {
        (ids[hole], values[hole]) = (ids[place], values[place])
        hole = place
      }
      place = after(place)
    }
    (ids[hole], values[hole]) = (Self.emptyPlace, vacant)
    count -= 1
    return value
  }

  /// All values, in no order.
  var all: [Value] { ids.indices.filter { ids[$0] != Self.emptyPlace }.map { values[$0] } }

  /// Removes all values.
  @inlinable public mutating func removeAll() { self = IDTable(vacant: vacant, seed: seed) }

  @inlinable mutating func grow() {
    let (oldIDs, oldValues) = (ids, values)
    ids = [UInt64](repeating: Self.emptyPlace, count: 2 * oldIDs.count)
    values = [Value](repeating: vacant, count: ids.count)
    for place in oldIDs.indices where oldIDs[place] != Self.emptyPlace {
      put(oldValues[place], for: oldIDs[place])
    }
  }

  @inlinable mutating func put(_ value: Value, for id: UInt64) {
    var place = home(of: id)
    while ids[place] != Self.emptyPlace { place = after(place) }
    (ids[place], values[place]) = (id, value)
  }

  /// The place where the search for an id begins.
  ///
  /// The places of consecutive ids lie apart (Knuth's multiplicative hashing).
  @inlinable func home(of id: UInt64) -> Int {
    Int(truncatingIfNeeded: ((id ^ seed) &* 0x9E37_79B9_7F4A_7C15) >> 32) & (ids.count - 1)
  }

  @inlinable func after(_ place: Int) -> Int { (place + 1) & (ids.count - 1) }

  @inlinable func distance(from start: Int, to end: Int) -> Int { (end - start) & (ids.count - 1) }
}

extension IDTable: Sendable where Value: Sendable {}
