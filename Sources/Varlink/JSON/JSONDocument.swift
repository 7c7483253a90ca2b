/// A parser of JSON text (RFC 8259, strictly) that can be used over and over.
///
/// Parsing checks the whole text and notes on a flat tape where each value is; nothing is copied, as a ``JSONValue``
/// reads the text itself. The next text reuses the memory of the tape. Time and memory are linear in the length of the
/// text, whatever it holds.
package struct JSONDocument: ~Copyable {
  /// How deeply arrays and objects may be nested by default; the outermost is level 1.
  package static let nestingLimit = 64

  private var tape = JSONTape()

  /// Makes a document without memory.
  package init() {}

  /// Checks `bytes`, and returns their value.
  ///
  /// The value is valid as long as the bytes are, and until the next text is parsed.
  @_lifetime(&self, copy bytes)
  package mutating func parse(
    _ bytes: Span<UInt8>,
    nestingLimit: Int = JSONDocument.nestingLimit
  ) throws(JSONError) -> JSONValue {
    guard bytes.count < UInt32.max else { throw JSONError(.tooLong, at: bytes.count) }
    tape.removeAll()
    try build(from: bytes, nestingLimit: nestingLimit)
    return JSONValue(bytes: bytes, nodes: tape.nodes)
  }
}

// MARK: - Building the tape

extension JSONDocument {
  /// Stands for the index of an array or object where there is none around.
  private static let none = UInt32.max

  /// Reads one value, behind which the text has to end.
  ///
  /// The arrays and objects around the position are a list, innermost first, linked by `next`.
  private mutating func build(from bytes: Span<UInt8>, nestingLimit: Int) throws(JSONError) {
    var scanner = JSONScanner(bytes)
    var container = Self.none
    var kind = JSONKind.null
    var depth = 0
    scanner.skipWhitespace()
    guard scanner.byte != nil else { throw JSONError(.empty, at: scanner.position) }
    while true {
      if kind == .object { try appendName(from: &scanner) }
      if try appendValue(from: &scanner, in: container) {
        container = UInt32(tape.count - 1)
        kind = self.kind(of: container)
        depth += 1
        guard depth <= nestingLimit else { throw JSONError(.nestedTooDeeply, at: scanner.position - 1) }
        scanner.skipWhitespace()
        if scanner.byte != closingBracket(of: kind) { continue }
      }
      while true {
        scanner.skipWhitespace()
        guard container != Self.none else {
          guard scanner.byte == nil else { throw JSONError(.trailingGarbage, at: scanner.position) }
          return
        }
        guard let byte = scanner.byte, byte == UInt8(ascii: ",") || byte == closingBracket(of: kind)
        else {
          throw scanner.error(.separatorExpected)
        }
        scanner.advance()
        if byte == UInt8(ascii: ",") { break }
        container = try close(container, at: scanner.position, of: bytes)
        kind = self.kind(of: container)
        depth -= 1
      }
      scanner.skipWhitespace()
    }
  }

  /// Appends a scalar, or the start of an array or object; returns true for the latter.
  private mutating func appendValue(
    from scanner: inout JSONScanner,
    in container: UInt32
  ) throws(JSONError) -> Bool {
    guard let byte = scanner.byte else { throw scanner.error(.valueExpected) }
    let start = scanner.position
    let kind: JSONKind
    var hasEscapes = false
    switch byte {
    case UInt8(ascii: "\""):
      kind = .string
      hasEscapes = try scanner.scanString()
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let kind = byte == UInt8(ascii: "{") ? JSONKind.object : .array
      tape.append(JSONNode(kind: kind, start: start, end: start, next: Int(container)))
      scanner.advance()
      return true
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      kind = try scanner.scanNumber()
    case UInt8(ascii: "t"):
      kind = .bool
      try scanner.scanLiteral("true")
    case UInt8(ascii: "f"):
      kind = .bool
      try scanner.scanLiteral("false")
    case UInt8(ascii: "n"):
      kind = .null
      try scanner.scanLiteral("null")
    default:
      throw scanner.error(.valueExpected)
    }
    append(kind, hasEscapes: hasEscapes, from: start, to: scanner.position)
    return false
  }

  /// Appends the name of a member and leaves the position at the start of its value.
  private mutating func appendName(from scanner: inout JSONScanner) throws(JSONError) {
    guard scanner.byte == UInt8(ascii: "\"") else { throw scanner.error(.nameExpected) }
    let start = scanner.position
    let hasEscapes = try scanner.scanString()
    append(.string, hasEscapes: hasEscapes, from: start, to: scanner.position)
    scanner.skipWhitespace()
    guard scanner.byte == UInt8(ascii: ":") else { throw scanner.error(.colonExpected) }
    scanner.advance()
    scanner.skipWhitespace()
  }

  /// Appends what is neither an array nor an object.
  @inline(__always)
  private mutating func append(_ kind: JSONKind, hasEscapes: Bool, from start: Int, to end: Int) {
    tape.append(
      JSONNode(kind: kind, hasEscapes: hasEscapes, start: start, end: end, next: tape.count + 1)
    )
  }

  /// Completes the innermost array or object and returns the one around it.
  private mutating func close(
    _ container: UInt32,
    at end: Int,
    of bytes: Span<UInt8>
  ) throws(JSONError) -> UInt32 {
    let outer = tape[Int(container)].next
    tape[Int(container)].end = UInt32(end)
    tape[Int(container)].next = UInt32(tape.count)
    if kind(of: container) == .object {
      let names = MemberNames(of: Int(container), nodes: tape.nodes, bytes: bytes)
      if let duplicate = names.duplicate { throw JSONError(.duplicateName, at: duplicate) }
    }
    return outer
  }

  /// What an array or object is; `null` if there is none.
  @inline(__always)
  private func kind(of container: UInt32) -> JSONKind {
    container == Self.none ? .null : tape[Int(container)].kind
  }

  @inline(__always)
  private func closingBracket(of kind: JSONKind) -> UInt8 {
    kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")
  }
}
