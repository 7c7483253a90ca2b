/// Reads the members of one object by name.
///
/// Reading is fastest in the order in which the members stand in the JSON text, because each read then compares one
/// name.
public struct ObjectReader: ~Escapable {
  /// If the object is absent, this is the value that should contain it.
  package let object: JSONValue
  private let end: Int
  private var cursor: Place
  /// One bit for each of the first 64 members that was read.
  private var found: UInt64 = 0
  /// One bit for the length, modulo 64, of each name that the cursor has passed.
  ///
  /// Once the cursor has passed all names, a name whose bit is not set is certainly absent, and needs no search.
  private var lengths: UInt64 = 0

  private struct Place {
    var index: Int
    var ordinal = 0
  }

  /// Starts to read an object.
  @_lifetime(copy value)
  public init(_ value: JSONValue) throws(ParameterError) {
    guard value.kind == .object else { throw value.error(.wrongType) }
    object = value
    end = Int(value.node.next)
    cursor = Place(index: value.index + 1)
  }

  @_lifetime(copy value)
  init(absentFrom value: JSONValue) {
    object = value
    end = 0
    cursor = Place(index: 0)
  }

  /// Returns the value of a member; nil if the member is absent or null.
  @_lifetime(copy self)
  public mutating func member(_ name: StaticString) -> JSONValue? {
    guard let index = find(name) else { return nil }
    let value = object.value(at: index + 1)
    return value.isNull ? nil : value
  }

  /// Throws an error if the object has a member that was not read; does nothing if unknown members are ignored.
  public func finish() throws(ParameterError) {
    guard object.unknownMembers == .refused else { return }
    var place = Place(index: object.index + 1)
    while place.index < end {
      // For a member after the first 64, the shift gives 0. Such a member is unknown, because the first 64 were read,
      // and no type has more than 64 members.
      guard found & 1 << place.ordinal != 0 else { throw object.value(at: place.index).error(.unknown) }
      place = following(place)
    }
  }

  @inline(__always)
  private mutating func find(_ name: StaticString) -> Int? {
    if cursor.index >= end, lengths & 1 << (name.utf8CodeUnitCount & 63) == 0 { return nil }
    return search(name)
  }

  @inline(never)
  private mutating func search(_ name: StaticString) -> Int? {
    let start = cursor
    while cursor.index < end {
      if let index = take(name) { return index }
    }
    cursor = Place(index: object.index + 1)
    while cursor.index < start.index {
      if let index = take(name) { return index }
    }
    return nil
  }

  private mutating func take(_ name: StaticString) -> Int? {
    let place = cursor
    cursor = following(place)
    let node = object.nodes[place.index]
    lengths |= node.hasEscapes ? .max : 1 << UInt64((node.end &- node.start &- 2) & 63)
    guard object.equals(name, at: place.index) else { return nil }
    found |= 1 << place.ordinal
    return place.index
  }

  private func following(_ place: Place) -> Place {
    Place(index: Int(object.nodes[place.index + 1].next), ordinal: place.ordinal + 1)
  }
}
