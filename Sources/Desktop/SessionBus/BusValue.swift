/// A value in a D-Bus message.
package indirect enum BusValue: Hashable, Sendable {
  /// `b`.
  case boolean(Bool)
  /// `y`.
  case byte(UInt8)
  /// `n`.
  case int16(Int16)
  /// `q`.
  case uint16(UInt16)
  /// `i`.
  case int32(Int32)
  /// `u`.
  case uint32(UInt32)
  /// `x`.
  case int64(Int64)
  /// `t`.
  case uint64(UInt64)
  /// `d`.
  case double(Double)
  /// `s`.
  case string(String)
  /// `o`.
  case objectPath(String)
  /// `g`.
  case signature(String)
  /// An array (`a`), with the signature of each element.
  case array(of: String, [BusValue])
  /// `(…)`.
  case structure([BusValue])
  /// A key and a value (`{…}`), only as an element of an array.
  case entry(BusValue, BusValue)
  /// A variant (`v`), which holds one value of any type.
  case variant(BusValue)

  /// Makes an array of strings.
  package static func strings(_ texts: [String]) -> BusValue {
    .array(of: "s", texts.map(BusValue.string))
  }

  /// Makes an array `a{sv}`, whose elements are pairs of a name and a variant.
  package static func dictionary(_ values: KeyValuePairs<String, BusValue>) -> BusValue {
    .array(of: "{sv}", values.map { .entry(.string($0.key), .variant($0.value)) })
  }

  /// The text of a string or an object path; nil for other values.
  package var text: String? {
    switch self {
    case .string(let text), .objectPath(let text): text
    default: nil
    }
  }

  /// The elements of an array; nil for other values.
  package var elements: [BusValue]? {
    if case .array(_, let elements) = self { elements } else { nil }
  }

  /// The signature of the value's type.
  var signature: String {
    switch self {
    case .boolean: "b"
    case .byte: "y"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .array(let element, _): "a" + element
    case .structure(let members): "(" + members.map(\.signature).joined() + ")"
    case .entry(let key, let value): "{" + key.signature + value.signature + "}"
    case .variant: "v"
    }
  }
}
