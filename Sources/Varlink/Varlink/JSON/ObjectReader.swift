/// Reads the members of one object by name.
///
/// Asking for the members in the order the sender has them costs one comparison each.
public struct ObjectReader: ~Escapable {
  /// The object that is read; if it is absent, the one that it is absent from.
  package let object: JSONValue
  /// Index on the tape after the last member.
  private let end: Int
  /// The place to look at first, after the member found last.
  private var cursor: Place
  /// One bit for each of the first 64 members; set if it was asked for.
  private var found: UInt64 = 0
  /// One bit for each length, modulo 64, of the names that the cursor has passed.
  ///
  /// When it has passed all, a name whose bit is not set is absent; most absent ones need no other search.
  private var lengths: UInt64 = 0

  private struct Place {
    /// Index on the tape of the name.
    var index: Int
    /// How many members come before.
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

  /// Reads an object without members, which stands for one that is absent from `value`.
  @_lifetime(copy value)
  init(absentFrom value: JSONValue) {
    object = value
    end = 0
    cursor = Place(index: 0)
  }

  /// The value of a member, or nil if it is absent or null.
  @_lifetime(copy self)
  public mutating func member(_ name: StaticString) -> JSONValue? {
    guard let index = find(name) else { return nil }
    let value = object.value(at: index + 1)
    return value.isNull ? nil : value
  }

  /// Refuses the members not asked for, unless unknown members are ignored.
  public func finish() throws(ParameterError) {
    guard object.unknownMembers == .refused else { return }
    var place = Place(index: object.index + 1)
    while place.index < end {
      // No type has a 65th member, which would be without a bit.
      guard found & 1 << place.ordinal != 0 else { throw object.value(at: place.index).error(.unknown) }
      place = following(place)
    }
  }

  /// Index of the name of a member, or nil if it is absent.
  @inline(__always)
  private mutating func find(_ name: StaticString) -> Int? {
    if cursor.index >= end, lengths & 1 << (name.utf8CodeUnitCount & 63) == 0 { return nil }
    return search(name)
  }

  /// Looks for a member from the cursor to the end, and then from the start to the cursor.
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

  /// Moves the cursor over one member; returns its index if it has the name.
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
