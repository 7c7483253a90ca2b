/// One value in a parsed JSON text.
///
/// The value copies nothing, but refers to the text and to the positions that the parser noted.
public struct JSONValue: ~Escapable, BitwiseCopyable {
  let bytes: Span<UInt8>
  let nodes: Span<JSONNode>
  let index: Int
  /// The index of the value at which the path in an error starts.
  let pathRoot: Int
  let unknownMembers: UnknownMembers

  /// Calls refuse members that the Swift type does not have; replies ignore them.
  package enum UnknownMembers: Sendable, BitwiseCopyable {
    case refused
    case ignored
  }

  @_lifetime(copy bytes, copy nodes)
  init(
    bytes: Span<UInt8>,
    nodes: Span<JSONNode>,
    index: Int = 0,
    pathRoot: Int = 0,
    unknownMembers: UnknownMembers = .refused
  ) {
    self.bytes = bytes
    self.nodes = nodes
    self.index = index
    self.pathRoot = pathRoot
    self.unknownMembers = unknownMembers
  }

  @_lifetime(copy self)
  func value(at index: Int) -> JSONValue {
    JSONValue(
      bytes: bytes,
      nodes: nodes,
      index: index,
      pathRoot: pathRoot,
      unknownMembers: unknownMembers
    )
  }

  /// The path in an error then starts at this value.
  @_lifetime(copy self)
  package func decoding(_ unknownMembers: UnknownMembers) -> JSONValue {
    JSONValue(bytes: bytes, nodes: nodes, index: index, pathRoot: index, unknownMembers: unknownMembers)
  }

  var node: JSONNode { nodes[index] }

  package var kind: JSONKind { node.kind }

  package var isNull: Bool { kind == .null }

  package var rawBytes: Span<UInt8> {
    @_lifetime(copy self)
    get { bytes.extracting(Int(node.start)..<Int(node.end)) }
  }

  package var boolValue: Bool? {
    kind == .bool ? bytes[Int(node.start)] == UInt8(ascii: "t") : nil
  }

  package var integerValue: Int64? {
    guard kind == .integer else { return nil }
    let isNegative = bytes[Int(node.start)] == UInt8(ascii: "-")
    var value: Int64 = 0
    for position in Int(node.start) + (isNegative ? 1 : 0)..<Int(node.end) {
      let digit = Int64(bytes[position] & 0x0F)
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflows) =
        isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      guard !isTooLarge, !overflows else { return nil }
      value = sum
    }
    return value
  }

  package var doubleValue: Double? {
    guard kind == .double || kind == .integer, let value = Double(String(copying: rawBytes)),
      value.isFinite
    else { return nil }
    return value
  }
}

// MARK: - Strings

extension JSONValue {
  /// The string; nil if the value is not a string.
  public var stringValue: String? {
    guard kind == .string else { return nil }
    guard node.hasEscapes else { return String(copying: textBytes) }
    var buffer: [UInt8] = []
    buffer.appendUnescaped(textBytes)
    return String(copying: buffer.span)
  }

  package func appendUTF8(to buffer: inout [UInt8]) -> Bool {
    guard kind == .string else { return false }
    if node.hasEscapes {
      buffer.appendUnescaped(textBytes)
    } else {
      buffer.append(contentsOf: textBytes)
    }
    return true
  }

  package func equals(_ string: StaticString) -> Bool { equals(string, at: index) }

  @inline(__always)
  func equals(_ string: StaticString, at index: Int) -> Bool {
    let node = nodes[index]
    guard node.kind == .string else { return false }
    guard !node.hasEscapes else { return value(at: index).equalsUnescaped(string) }
    guard Int(node.end &- node.start) - 2 == string.utf8CodeUnitCount else { return false }
    return string.matches(bytes, at: Int(node.start) + 1)
  }

  @inline(never)
  private func equalsUnescaped(_ string: StaticString) -> Bool {
    var buffer: [UInt8] = []
    buffer.appendUnescaped(textBytes)
    return buffer.count == string.utf8CodeUnitCount && string.matches(buffer.span, at: 0)
  }

  private var textBytes: Span<UInt8> {
    @_lifetime(copy self)
    @inline(__always)
    get { bytes.extracting(Int(node.start) + 1..<Int(node.end) - 1) }
  }
}

extension String {
  // The parser has checked that the bytes are UTF-8.
  fileprivate init(copying bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

// MARK: - Arrays and objects

extension JSONValue {
  package var elements: Elements {
    @_lifetime(copy self)
    get { Elements(next: value(at: index + 1), end: kind == .array ? Int(node.next) : 0) }
  }

  package var members: Members {
    @_lifetime(copy self)
    get { Members(next: value(at: index + 1), end: kind == .object ? Int(node.next) : 0) }
  }

  package struct Elements: ~Escapable {
    private var upcoming: JSONValue
    private let end: Int

    @_lifetime(copy next)
    fileprivate init(next: JSONValue, end: Int) {
      upcoming = next
      self.end = end
    }

    @_lifetime(copy self)
    package mutating func next() -> JSONValue? {
      guard upcoming.index < end else { return nil }
      let element = upcoming
      upcoming = element.value(at: Int(element.node.next))
      return element
    }
  }

  package struct Members: ~Escapable {
    private var upcoming: JSONValue
    private let end: Int

    @_lifetime(copy next)
    fileprivate init(next: JSONValue, end: Int) {
      upcoming = next
      self.end = end
    }

    @_lifetime(copy self)
    package mutating func next() -> Member? {
      guard upcoming.index < end else { return nil }
      let member = Member(name: upcoming)
      upcoming = upcoming.value(at: Int(member.value.node.next))
      return member
    }
  }

  package struct Member: ~Escapable {
    package let name: JSONValue

    @_lifetime(copy name)
    fileprivate init(name: JSONValue) {
      self.name = name
    }

    package var value: JSONValue {
      @_lifetime(copy self)
      get { name.value(at: name.index + 1) }
    }

    @inline(__always)
    package func nameEquals(_ string: StaticString) -> Bool {
      name.equals(string, at: name.index)
    }
  }
}
