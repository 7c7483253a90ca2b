// Common types of values have their own overloads, because a call of a generic function in another module takes several
// times as long.
extension JSONWriter {
  /// Writes a member.
  public mutating func member(_ name: StaticString, _ value: some JSONEncodable) {
    self.name(name)
    value.encode(to: &self)
  }

  /// Writes a member.
  @inline(never)
  public mutating func member(_ name: StaticString, _ value: String) {
    appendName(name)
    let isWritten: Void? = unsafe value.utf8.withContiguousStorageIfAvailable {
      unsafe appendValue(utf8: $0.span)
    }
    if isWritten == nil { appendValue(utf8: value.utf8Span.span) }
  }

  /// Writes a member.
  public mutating func member(_ name: StaticString, _ value: [String]) {
    beginArray(name)
    for element in value { self.value(element) }
    endArray()
  }

  /// Writes a member.
  public mutating func member(_ name: StaticString, _ value: Int64) {
    self.name(name)
    self.value(value)
  }

  /// Writes a member.
  public mutating func member(_ name: StaticString, _ value: Bool) {
    self.name(name)
    self.value(value)
  }

  /// Writes a member unless its value is nil.
  public mutating func member(_ name: StaticString, ifPresent value: (some JSONEncodable)?) {
    if let value { member(name, value) }
  }

  /// Writes a member unless its value is nil.
  public mutating func member(_ name: StaticString, ifPresent value: String?) {
    if let value { member(name, value) }
  }

  /// Writes a member unless its value is nil.
  public mutating func member(_ name: StaticString, ifPresent value: Int64?) {
    if let value { member(name, value) }
  }

  /// Writes a member unless its value is nil.
  public mutating func member(_ name: StaticString, ifPresent value: Bool?) {
    if let value { member(name, value) }
  }

  /// Writes a member unless its value is nil.
  public mutating func member(_ name: StaticString, ifPresent value: [String]?) {
    if let value { member(name, value) }
  }

  /// Writes a member unless its array is empty.
  public mutating func member(_ name: StaticString, unlessEmpty value: [some JSONEncodable]) {
    if !value.isEmpty { member(name, value) }
  }

  /// Writes a member unless its array is empty.
  public mutating func member(_ name: StaticString, unlessEmpty value: [String]) {
    if !value.isEmpty { member(name, value) }
  }
}
