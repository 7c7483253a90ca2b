// Common types have their own overloads, because a call of a generic function in another module takes several times as
// long.
extension ObjectReader {
  /// Reads a required member.
  public mutating func required<Value: JSONDecodable>(_ name: StaticString) throws(ParameterError) -> Value {
    try Value(from: requiredMember(name))
  }

  /// Reads a required string.
  public mutating func required(_ name: StaticString) throws(ParameterError) -> String {
    try String(from: requiredMember(name))
  }

  /// Reads a required integer.
  public mutating func required(_ name: StaticString) throws(ParameterError) -> Int64 {
    try Int64(from: requiredMember(name))
  }

  /// Reads a required truth value.
  public mutating func required(_ name: StaticString) throws(ParameterError) -> Bool {
    try Bool(from: requiredMember(name))
  }

  /// Reads a member that may be absent or null.
  public mutating func optional<Value: JSONDecodable>(_ name: StaticString) throws(ParameterError) -> Value? {
    guard let value = member(name) else { return nil }
    return try Value(from: value)
  }

  /// Reads a string that may be absent or null.
  public mutating func optional(_ name: StaticString) throws(ParameterError) -> String? {
    guard let value = member(name) else { return nil }
    return try String(from: value)
  }

  /// Reads an integer that may be absent or null.
  public mutating func optional(_ name: StaticString) throws(ParameterError) -> Int64? {
    guard let value = member(name) else { return nil }
    return try Int64(from: value)
  }

  /// Reads an array, which is empty if the member is absent or null.
  public mutating func array<Element: JSONDecodable>(_ name: StaticString) throws(ParameterError) -> [Element]
  {
    guard let value = member(name) else { return [] }
    return try [Element](from: value)
  }

  package mutating func optional(
    _ name: StaticString,
    atLeast minimum: Int64
  ) throws(ParameterError) -> Int64? {
    guard let value = member(name) else { return nil }
    let integer = try Int64(from: value)
    guard integer >= minimum else { throw value.error(.notAllowed) }
    return integer
  }

  /// Reads a truth value that may be absent or null.
  public mutating func optional(_ name: StaticString) throws(ParameterError) -> Bool? {
    guard let value = member(name) else { return nil }
    return try Bool(from: value)
  }

  /// Returns the value of a required member.
  @_lifetime(copy self)
  public mutating func requiredMember(_ name: StaticString) throws(ParameterError) -> JSONValue {
    guard let value = member(name) else { throw object.error(.missing, member: name) }
    return value
  }
}
