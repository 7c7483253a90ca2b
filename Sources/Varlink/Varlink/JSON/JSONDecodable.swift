/// A type that can be read from parsed JSON.
public protocol JSONDecodable {
  /// Reads `value`; if a part of it does not fit the type, the error has the path of this part.
  init(from value: JSONValue) throws(ParameterError)
}

/// A type that is read from a JSON object with certain members.
///
///     extension Withdrawal: ObjectDecodable {
///       init(from object: inout ObjectReader) throws(ParameterError) {
///         deliveryID = try object.optional("deliveryId")
///         reason = try object.required("reason")
///       }
///     }
public protocol ObjectDecodable: JSONDecodable {
  /// Reads the members that the type has; the reader refuses or ignores all others.
  init(from object: inout ObjectReader) throws(ParameterError)
}

// The methods of extensions that are called for each message are inlinable, because a call of generic code in another
// module takes several times as long.
extension JSONDecodable {
  /// Reads a value that is there; nil if `value` is nil.
  @inlinable public init?(ifPresent value: JSONValue?) throws(ParameterError) {
    guard let value else { return nil }
    try self.init(from: value)
  }
}

extension ObjectDecodable {
  /// Reads an object.
  @inlinable public init(from value: JSONValue) throws(ParameterError) {
    var object = try ObjectReader(value)
    try self.init(from: &object)
    try object.finish()
  }
}

extension JSONDecodable where Self: RawRepresentable, RawValue == String {
  /// Reads a string, which must be one of the raw values: the cases of an enumeration in the interface description.
  public init(from value: JSONValue) throws(ParameterError) {
    guard let known = Self(rawValue: try String(from: value)) else { throw value.error(.notAllowed) }
    self = known
  }
}

// MARK: - The types of an interface description

extension Bool: JSONDecodable {
  /// Reads a bool.
  public init(from value: JSONValue) throws(ParameterError) {
    guard let bool = value.boolValue else { throw value.error(.wrongType) }
    self = bool
  }
}

extension Int64: JSONDecodable {
  /// Reads an int.
  public init(from value: JSONValue) throws(ParameterError) {
    guard let integer = value.integerValue else {
      throw value.error(value.kind == .integer ? .notAllowed : .wrongType)
    }
    self = integer
  }
}

extension Double: JSONDecodable {
  /// Reads a float.
  public init(from value: JSONValue) throws(ParameterError) {
    guard let double = value.doubleValue else { throw value.error(.wrongType) }
    self = double
  }
}

extension String: JSONDecodable {
  /// Reads a string; refuses a string with more than 128 combining marks in a row.
  public init(from value: JSONValue) throws(ParameterError) {
    guard let string = value.stringValue else { throw value.error(.wrongType) }
    guard !string.hasTooManyMarksInARow else { throw value.error(.notAllowed) }
    self = string
  }
}

extension Array: JSONDecodable where Element: JSONDecodable {
  /// Reads an array.
  public init(from value: JSONValue) throws(ParameterError) {
    guard value.kind == .array else { throw value.error(.wrongType) }
    self = []
    var elements = value.elements
    while let element = elements.next() { append(try Element(from: element)) }
  }
}

extension Dictionary: JSONDecodable where Key == String, Value: JSONDecodable {
  /// Reads a map; of several members with canonically equivalent names, which Swift strings treat as equal, the last
  /// counts.
  public init(from value: JSONValue) throws(ParameterError) {
    guard value.kind == .object else { throw value.error(.wrongType) }
    self = [:]
    var members = value.members
    while let member = members.next() {
      self[try String(from: member.name)] = try Value(from: member.value)
    }
  }
}

extension Optional: JSONDecodable where Wrapped: JSONDecodable {
  /// Reads a value, or reads null as nil, also as an element of an array or a map.
  public init(from value: JSONValue) throws(ParameterError) {
    self = value.isNull ? nil : try Wrapped(from: value)
  }
}

/// A JSON object that is passed on unchanged, byte for byte.
public struct RawObject: Sendable, Hashable {
  /// The text of the object, from brace to brace.
  public let bytes: [UInt8]

  /// Takes the text of a JSON object, which is not checked.
  public init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}

extension RawObject: JSONDecodable {
  /// Copies the text of an object.
  public init(from value: JSONValue) throws(ParameterError) {
    guard value.kind == .object else { throw value.error(.wrongType) }
    bytes = unsafe value.rawBytes.withUnsafeBufferPointer { unsafe Array($0) }
  }
}
