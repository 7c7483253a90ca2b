/// What is found in an ``IDTable`` by a number of its own.
public protocol IDTableKey {
  /// Never 0, which is the empty place of a table.
  var tableKey: UInt64 { get }
}

/// A table whose keys the router makes: ascending numbers, or random numbers.
///
/// Clients cannot choose them, so no hash has to protect against chosen keys; that of a dictionary costs more than all
/// other work with an id. Public and inlinable, so that the compiler specialises the table for types of other modules.
public struct IDTable<ID: IDTableKey, Value> {
  @inlinable static var emptyPlace: UInt64 { 0 }

  @usableFromInline let vacant: Value
  @usableFromInline let seed: UInt64
  @usableFromInline var ids: [UInt64]
  @usableFromInline var values: [Value]
  @usableFromInline var count = 0

  /// Makes an empty table; a random `seed` keeps clients from predicting which ids collide.
  @inlinable public init(vacant: Value, seed: UInt64) {
    self.vacant = vacant
    self.seed = seed
    ids = [UInt64](repeating: Self.emptyPlace, count: 16)
    values = [Value](repeating: vacant, count: ids.count)
  }

  /// The value of an id; `nil` if the id has no value.
  @inlinable public subscript(id: ID) -> Value? {
    guard let place = place(of: id) else { return nil }
    return values[place]
  }

  /// The value at a place.
  @inlinable public subscript(place place: Int) -> Value {
    @inline(__always) _read { yield values[place] }
    @inline(__always) _modify { yield &values[place] }
  }

  /// The place of an id's value, valid until the next change of the table; `nil` if the id has no value.
  @inlinable public func place(of id: ID) -> Int? {
    let id = id.tableKey
    guard id != Self.emptyPlace else { return nil }
    var place = home(of: id)
    while ids[place] != id {
      guard ids[place] != Self.emptyPlace else { return nil }
      place = after(place)
    }
    return place
  }

  /// Adds a value for an id that has no value.
  @inlinable public mutating func insert(_ value: Value, for id: ID) {
    if 2 * (count + 1) > ids.count { grow() }
    put(value, for: id.tableKey)
    count += 1
  }

  /// Removes the value of an id and returns the value; `nil` if the id has no value.
  @discardableResult @inlinable public mutating func remove(_ id: ID) -> Value? {
    guard var hole = place(of: id) else { return nil }
    let value = values[hole]
    // A search stops at the first empty place and would miss the values behind the hole. Such a value moves into the
    // hole, unless the search for its id begins behind it; then its old place is the hole.
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

  /// The places of consecutive ids lie apart (Knuth's multiplicative hashing).
  @inlinable func home(of id: UInt64) -> Int {
    Int(truncatingIfNeeded: ((id ^ seed) &* 0x9E37_79B9_7F4A_7C15) >> 32) & (ids.count - 1)
  }

  @inlinable func after(_ place: Int) -> Int { (place + 1) & (ids.count - 1) }

  @inlinable func distance(from start: Int, to end: Int) -> Int { (end - start) & (ids.count - 1) }
}

extension IDTable: Sendable where Value: Sendable {}
