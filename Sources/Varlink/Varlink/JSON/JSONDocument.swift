/// A reusable strict parser of JSON text (RFC 8259).
///
/// It notes the position of each value in a flat list, the tape, and copies no values: a ``JSONValue`` reads its value
/// from the text. The next text reuses the memory of the tape. Time and memory grow linearly with the length of the
/// text.
package struct JSONDocument: ~Copyable {
  /// The outermost array or object is level 1.
  package static let nestingLimit = 64

  private var tape = JSONTape()

  package init() {}

  /// The value is valid as long as `bytes` is, and at most until the document parses another text.
  @_lifetime(&self, copy bytes)
  package mutating func parse(
    _ bytes: Span<UInt8>,
    nestingLimit: Int = JSONDocument.nestingLimit
  ) throws(JSONError) -> JSONValue {
    guard bytes.count < UInt32.max else { throw JSONError(.tooLong, at: bytes.count) }
    tape.removeAll()
    var scanner = JSONScanner(bytes)
    scanner.skipWhitespace()
    guard scanner.byte != nil else { throw JSONError(.empty, at: scanner.position) }
    try appendValue(from: &scanner, levels: nestingLimit)
    guard scanner.byte == nil else { throw JSONError(.trailingGarbage, at: scanner.position) }
    return JSONValue(bytes: bytes, nodes: tape.nodes)
  }
}

// MARK: - Building the tape

extension JSONDocument {
  private mutating func appendValue(from scanner: inout JSONScanner, levels: Int) throws(JSONError) {
    guard let byte = scanner.byte else { throw scanner.error(.valueExpected) }
    let start = scanner.position
    switch byte {
    case UInt8(ascii: "\""):
      let hasEscapes = try scanner.scanString()
      append(.string, hasEscapes: hasEscapes, from: start, to: scanner.position)
    case UInt8(ascii: "{"): try appendObject(from: &scanner, levels: levels)
    case UInt8(ascii: "["): try appendArray(from: &scanner, levels: levels)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let kind = try scanner.scanNumber()
      append(kind, from: start, to: scanner.position)
    case UInt8(ascii: "t"): try appendLiteral("true", .bool, from: &scanner)
    case UInt8(ascii: "f"): try appendLiteral("false", .bool, from: &scanner)
    case UInt8(ascii: "n"): try appendLiteral("null", .null, from: &scanner)
    default: throw scanner.error(.valueExpected)
    }
    scanner.skipWhitespace()
  }

  private mutating func appendObject(from scanner: inout JSONScanner, levels: Int) throws(JSONError) {
    let object = try begin(.object, at: &scanner, levels: levels)
    var count = 0
    var hasEscapes = false
    if scanner.byte == UInt8(ascii: "}") {
      scanner.advance()
    } else {
      repeat {
        count += 1
        if try appendName(from: &scanner) { hasEscapes = true }
        try appendValue(from: &scanner, levels: levels - 1)
      } while try scanner.skipSeparator(before: UInt8(ascii: "}"))
    }
    end(object, at: scanner.position)
    guard count > 1 else { return }
    let names = MemberNames(
      of: object,
      count,
      hasEscapes: hasEscapes,
      nodes: tape.nodes,
      bytes: scanner.bytes
    )
    if let duplicate = names.duplicate { throw JSONError(.duplicateName, at: duplicate) }
  }

  private mutating func appendArray(from scanner: inout JSONScanner, levels: Int) throws(JSONError) {
    let array = try begin(.array, at: &scanner, levels: levels)
    if scanner.byte == UInt8(ascii: "]") {
      scanner.advance()
    } else {
      repeat {
        try appendValue(from: &scanner, levels: levels - 1)
      } while try scanner.skipSeparator(before: UInt8(ascii: "]"))
    }
    end(array, at: scanner.position)
  }

  /// Appends a node whose end ``end(_:at:)`` sets later.
  private mutating func begin(
    _ kind: JSONKind,
    at scanner: inout JSONScanner,
    levels: Int
  ) throws(JSONError) -> Int {
    guard levels > 0 else { throw JSONError(.nestedTooDeeply, at: scanner.position) }
    let index = tape.count
    append(kind, from: scanner.position, to: scanner.position)
    scanner.advance()
    scanner.skipWhitespace()
    return index
  }

  private mutating func end(_ index: Int, at position: Int) {
    tape[index].end = UInt32(truncatingIfNeeded: position)
    tape[index].next = UInt32(truncatingIfNeeded: tape.count)
  }

  private mutating func appendName(from scanner: inout JSONScanner) throws(JSONError) -> Bool {
    guard scanner.byte == UInt8(ascii: "\"") else { throw scanner.error(.nameExpected) }
    let start = scanner.position
    let hasEscapes = try scanner.scanString()
    append(.string, hasEscapes: hasEscapes, from: start, to: scanner.position)
    scanner.skipWhitespace()
    guard scanner.skip(UInt8(ascii: ":")) else { throw scanner.error(.colonExpected) }
    return hasEscapes
  }

  private mutating func appendLiteral(
    _ literal: StaticString,
    _ kind: JSONKind,
    from scanner: inout JSONScanner
  ) throws(JSONError) {
    let start = scanner.position
    try scanner.scanLiteral(literal)
    append(kind, from: start, to: scanner.position)
  }

  @inline(__always)
  private mutating func append(_ kind: JSONKind, hasEscapes: Bool = false, from start: Int, to end: Int) {
    tape.append(
      JSONNode(kind: kind, hasEscapes: hasEscapes, start: start, end: end, next: tape.count + 1)
    )
  }
}
