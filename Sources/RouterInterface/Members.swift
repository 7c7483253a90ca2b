import Varlink

extension ObjectReader {
  /// Copies the text of a member that is an object, or gives nil if it is absent or null.
  mutating func optionalObject(_ name: StaticString) throws(ParameterError) -> [UInt8]? {
    let object: RawObject? = try optional(name)
    return object?.bytes
  }

  /// Reads an int that may be absent or null but not less than `minimum`.
  mutating func optional(_ name: StaticString, atLeast minimum: Int64) throws(ParameterError) -> Int64? {
    guard let value = member(name) else { return nil }
    let number = try Int64(from: value)
    guard number >= minimum else { throw value.error(.notAllowed) }
    return number
  }
}

extension JSONWriter {
  /// Writes a member that is an object, as it came, unless it is nil.
  mutating func member(_ name: StaticString, ifPresentObject object: [UInt8]?) {
    guard let object else { return }
    self.name(name)
    rawValue(object.span)
  }
}
