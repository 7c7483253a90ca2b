import Varlink

/// A JSON value that can be compared or sent back.
enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  init(parsing text: some StringProtocol) throws {
    let bytes = Array(text.utf8)
    var document = JSONDocument()
    try self.init(from: document.parse(bytes.span))
  }

  /// The member of an object; null if the member is missing or the value is no object.
  subscript(name: String) -> JSON {
    guard case .object(let members) = self else { return .null }
    return members[name] ?? .null
  }
}

extension JSON: JSONDecodable {
  init(from value: JSONValue) throws(ParameterError) {
    self =
      switch value.kind {
      case .null: .null
      case .bool: .bool(try Bool(from: value))
      case .integer: .integer(try Int64(from: value))
      case .double: .double(try Double(from: value))
      case .string: .string(try String(from: value))
      case .array: .array(try [JSON](from: value))
      case .object: .object(try [String: JSON](from: value))
      }
  }
}

extension JSON: JSONEncodable {
  func encode(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let bool): writer.value(bool)
    case .integer(let integer): writer.value(integer)
    case .double(let double): writer.value(double)
    case .string(let string): writer.value(string)
    case .array(let elements): elements.encode(to: &writer)
    case .object(let members): members.encode(to: &writer)
    }
  }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  init(nilLiteral: ()) { self = .null }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int64) { self = .integer(value) }
  init(floatLiteral value: Double) { self = .double(value) }
  init(stringLiteral value: String) { self = .string(value) }
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object([String: JSON](uniqueKeysWithValues: elements))
  }
}

extension JSON {
  /// Makes the JSON object that encodes a value.
  init(of value: some ObjectEncodable) {
    let text = String(decoding: RawObject(of: value).bytes, as: UTF8.self)
    do { try self.init(parsing: text) } catch { preconditionFailure("\(text): \(error)") }
  }
}

extension RawObject {
  /// Makes the bytes of the JSON object that encodes a value.
  init(of value: some ObjectEncodable) {
    var writer = JSONWriter()
    value.encode(to: &writer)
    self.init(bytes: writer.takeBytes())
  }
}
