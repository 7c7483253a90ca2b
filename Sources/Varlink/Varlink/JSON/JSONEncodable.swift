/// A type that can be written as JSON.
public protocol JSONEncodable {
  /// Writes this value to `writer`, as exactly one JSON value.
  func encode(to writer: inout JSONWriter)
}

/// A type that is written as a JSON object with certain members.
///
///     extension Withdrawal: ObjectEncodable {
///       func encodeMembers(to object: inout JSONWriter) {
///         object.member("deliveryId", ifPresent: deliveryID)
///         object.member("reason", reason)
///       }
///     }
public protocol ObjectEncodable: JSONEncodable {
  /// Writes all members of the object, and nothing else.
  func encodeMembers(to object: inout JSONWriter)
}

extension ObjectEncodable {
  /// Writes an object.
  @inlinable public func encode(to writer: inout JSONWriter) {
    writer.beginObject()
    encodeMembers(to: &writer)
    writer.endObject()
  }

  /// Writes the value as a member of an object.
  @inlinable public func encode(as name: StaticString, to object: inout JSONWriter) {
    object.name(name)
    encode(to: &object)
  }
}

extension JSONEncodable where Self: RawRepresentable, RawValue == String {
  /// Writes the raw value.
  public func encode(to writer: inout JSONWriter) {
    writer.value(rawValue)
  }
}

extension Bool: JSONEncodable {
  /// Writes a bool.
  public func encode(to writer: inout JSONWriter) {
    writer.value(self)
  }
}

extension Int64: JSONEncodable {
  /// Writes an int.
  public func encode(to writer: inout JSONWriter) {
    writer.value(self)
  }
}

extension Double: JSONEncodable {
  /// Writes a float.
  public func encode(to writer: inout JSONWriter) {
    writer.value(self)
  }
}

extension String: JSONEncodable {
  /// Writes a string.
  public func encode(to writer: inout JSONWriter) {
    writer.value(self)
  }
}

extension Array: JSONEncodable where Element: JSONEncodable {
  /// Writes an array.
  public func encode(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.encode(to: &writer) }
    writer.endArray()
  }
}

extension Dictionary: JSONEncodable where Key == String, Value: JSONEncodable {
  /// Writes a map, sorted by name.
  public func encode(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, value) in sorted(by: { $0.key < $1.key }) {
      writer.name(name)
      value.encode(to: &writer)
    }
    writer.endObject()
  }
}

extension Optional: JSONEncodable where Wrapped: JSONEncodable {
  /// Writes the value, or writes null for nil, also as an element of an array or a map.
  public func encode(to writer: inout JSONWriter) {
    if let self { self.encode(to: &writer) } else { writer.null() }
  }
}

extension RawObject: JSONEncodable {
  /// Writes the text in `bytes` unchanged.
  public func encode(to writer: inout JSONWriter) {
    writer.rawValue(bytes.span)
  }
}
