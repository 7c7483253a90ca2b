/// Values by ids that nobody chooses: numbers other than 0 that count up, or random ones.
///
/// An open table. A dictionary's hash is made for keys that anyone may choose, and costs more than all else that is done
/// with an id. The table is public and inlinable: only so is it compiled for the values of other modules.
public struct IDTable<Value> {
  @inlinable static var emptyPlace: UInt64 { 0 }

  /// What stands where there is no value.
  @usableFromInline let vacant: Value
  @usableFromInline let seed: UInt64
  @usableFromInline var ids: [UInt64]
  @usableFromInline var values: [Value]
  /// How many ids have a value.
  @usableFromInline var count = 0

  /// An empty table; nobody who does not know `seed` can choose which ids to keep so that they collide.
  @inlinable public init(vacant: Value, seed: UInt64) {
    self.vacant = vacant
    self.seed = seed
    ids = [UInt64](repeating: Self.emptyPlace, count: 16)
    values = [Value](repeating: vacant, count: ids.count)
  }

  /// The value of an id, if it has one.
  @inlinable public subscript(id: UInt64) -> Value? {
    guard let place = place(of: id) else { return nil }
    return values[place]
  }

  /// The value at a place.
  @inlinable public subscript(place place: Int) -> Value {
    @inline(__always) _read { yield values[place] }
    @inline(__always) _modify { yield &values[place] }
  }

  /// Where the value of an id stands until the next change of the table.
  @inlinable public func place(of id: UInt64) -> Int? {
    guard id != Self.emptyPlace else { return nil }
    var place = home(of: id)
    while ids[place] != id {
      guard ids[place] != Self.emptyPlace else { return nil }
      place = after(place)
    }
    return place
  }

  /// Gives a value to an id that has none.
  @inlinable public mutating func insert(_ value: Value, for id: UInt64) {
    if 2 * (count + 1) > ids.count { grow() }
    put(value, for: id)
    count += 1
  }

  /// Takes the value of an id, if it has one.
  @discardableResult @inlinable public mutating func remove(_ id: UInt64) -> Value? {
    guard var hole = place(of: id) else { return nil }
    let value = values[hole]
    // Values behind the hole that belong further up move into it: a search ends at the first gap.
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

  /// Takes out all values.
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

  /// Where an id belongs: consecutive ones lie apart (Knuth's multiplicative hashing).
  @inlinable func home(of id: UInt64) -> Int {
    Int(truncatingIfNeeded: ((id ^ seed) &* 0x9E37_79B9_7F4A_7C15) >> 32) & (ids.count - 1)
  }

  @inlinable func after(_ place: Int) -> Int { (place + 1) & (ids.count - 1) }

  @inlinable func distance(from start: Int, to end: Int) -> Int { (end - start) & (ids.count - 1) }
}

extension IDTable: Sendable where Value: Sendable {}
