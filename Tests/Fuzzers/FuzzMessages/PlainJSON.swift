import Varlink

/// A JSON value, read by the simplest code that follows RFC 8259.
///
/// The varlink contract adds two rules. A name occurs only once in an object, and values nest 64 levels at most.
/// Numbers are kept as written.
indirect enum PlainJSON: Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String.UnicodeScalarView)
  case array([PlainJSON])
  case object([Member])

  struct Member: Equatable {
    let name: String.UnicodeScalarView
    let value: PlainJSON

    static func == (one: Member, other: Member) -> Bool {
      one.name.elementsEqual(other.name) && one.value == other.value
    }
  }

  // Two strings are the same if their scalars are the same. Canonically equivalent texts can therefore differ.
  static func == (one: PlainJSON, other: PlainJSON) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.number(let one), .number(let other)): one == other
    case (.string(let one), .string(let other)): one.elementsEqual(other)
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)): one == other
    default: false
    }
  }
}

// MARK: - A plain parser

extension PlainJSON {
  /// Reads a text; nil if it is not JSON.
  init?(parsing bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var rest = text.unicodeScalars[...]
    guard let value = Self.value(&rest, levels: 64), rest.isEmpty else { return nil }
    self = value
  }

  private static func value(_ rest: inout Substring.UnicodeScalarView, levels: Int) -> PlainJSON? {
    skipSpace(&rest)
    defer { skipSpace(&rest) }
    switch rest.first {
    case "n": return take("null", &rest) ? .null : nil
    case "t": return take("true", &rest) ? .bool(true) : nil
    case "f": return take("false", &rest) ? .bool(false) : nil
    case "\"": return string(&rest).map { .string($0) }
    case "[": return levels > 0 ? array(&rest, levels: levels - 1) : nil
    case "{": return levels > 0 ? object(&rest, levels: levels - 1) : nil
    default:
      return number(&rest).map { .number($0) }
    }
  }

  private static func number(_ rest: inout Substring.UnicodeScalarView) -> String? {
    let start = rest
    if rest.first == "-" { rest.removeFirst() }
    if rest.first == "0" {
      rest.removeFirst()
    } else if !takeDigits(&rest) {
      return nil
    }
    if rest.first == "." {
      rest.removeFirst()
      guard takeDigits(&rest) else { return nil }
    }
    if rest.first == "e" || rest.first == "E" {
      rest.removeFirst()
      if rest.first == "+" || rest.first == "-" { rest.removeFirst() }
      guard takeDigits(&rest) else { return nil }
    }
    return String(start[..<rest.startIndex])
  }

  private static func takeDigits(_ rest: inout Substring.UnicodeScalarView) -> Bool {
    let digits = rest.prefix { ("0"..."9").contains($0) }
    rest = rest.dropFirst(digits.count)
    return !digits.isEmpty
  }

  private static func array(_ rest: inout Substring.UnicodeScalarView, levels: Int) -> PlainJSON? {
    rest.removeFirst()
    skipSpace(&rest)
    if take("]", &rest) { return .array([]) }
    var elements: [PlainJSON] = []
    repeat {
      guard let element = value(&rest, levels: levels) else { return nil }
      elements.append(element)
    } while take(",", &rest)
    return take("]", &rest) ? .array(elements) : nil
  }

  private static func object(_ rest: inout Substring.UnicodeScalarView, levels: Int) -> PlainJSON? {
    rest.removeFirst()
    skipSpace(&rest)
    if take("}", &rest) { return .object([]) }
    var members: [Member] = []
    repeat {
      skipSpace(&rest)
      guard rest.first == "\"", let name = string(&rest) else { return nil }
      skipSpace(&rest)
      guard take(":", &rest), let value = value(&rest, levels: levels) else { return nil }
      guard !members.contains(where: { $0.name.elementsEqual(name) }) else { return nil }
      members.append(Member(name: name, value: value))
    } while take(",", &rest)
    return take("}", &rest) ? .object(members) : nil
  }

  private static func string(_ rest: inout Substring.UnicodeScalarView) -> String.UnicodeScalarView? {
    rest.removeFirst()
    var units: [UInt16] = []
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"":
        // The text is valid only if all surrogates come in pairs.
        return String(validating: units, as: UTF16.self)?.unicodeScalars
      case "\\":
        guard let unit = escaped(&rest) else { return nil }
        units.append(unit)
      case "\0"..<" ": return nil
      default: units += String(scalar).utf16
      }
    }
    return nil
  }

  private static func escaped(_ rest: inout Substring.UnicodeScalarView) -> UInt16? {
    switch rest.popFirst() {
    case "\"": return 0x22
    case "\\": return 0x5C
    case "/": return 0x2F
    case "b": return 0x08
    case "f": return 0x0C
    case "n": return 0x0A
    case "r": return 0x0D
    case "t": return 0x09
    case "u":
      let digits = rest.prefix(4)
      guard digits.count == 4, digits.allSatisfy({ $0.isASCII && $0.properties.isHexDigit }) else {
        return nil
      }
      rest = rest.dropFirst(4)
      return UInt16(String(digits), radix: 16)
    default: return nil
    }
  }

  private static func skipSpace(_ rest: inout Substring.UnicodeScalarView) {
    rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
  }

  private static func take(_ word: String, _ rest: inout Substring.UnicodeScalarView) -> Bool {
    guard rest.starts(with: word.unicodeScalars) else { return false }
    rest = rest.dropFirst(word.unicodeScalars.count)
    return true
  }
}

// MARK: - The parser of the library

extension PlainJSON {
  /// Copies a value that the library has read.
  init(_ value: JSONValue) {
    switch value.kind {
    case .null: self = .null
    case .bool: self = .bool(value.boolValue == true)
    case .integer, .double:
      let raw = value.rawBytes
      var text = ""
      for index in raw.indices { text.unicodeScalars.append(Unicode.Scalar(raw[index])) }
      self = .number(text)
    case .string: self = .string(Self.scalars(of: value))
    case .array:
      var elements: [PlainJSON] = []
      var next = value.elements
      while let element = next.next() { elements.append(PlainJSON(element)) }
      self = .array(elements)
    case .object:
      var members: [Member] = []
      var next = value.members
      while let member = next.next() {
        members.append(Member(name: Self.scalars(of: member.name), value: PlainJSON(member.value)))
      }
      self = .object(members)
    }
  }

  private static func scalars(of value: JSONValue) -> String.UnicodeScalarView {
    (value.stringValue ?? "").unicodeScalars
  }

  /// Writes the value with the library's writer.
  func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let bool): writer.value(bool)
    case .number(let text): writer.rawValue(Array(text.utf8).span)
    case .string(let scalars): writer.value(String(scalars))
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.name(String(member.name))
        member.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}
