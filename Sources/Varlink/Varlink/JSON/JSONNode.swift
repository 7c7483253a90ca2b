/// The kind of a JSON value; a number is an integer by its spelling, so `1.0` and `1e0` are not.
package enum JSONKind: UInt8, Sendable, BitwiseCopyable {
  case null
  case bool
  case integer
  case double
  case string
  case array
  case object
}

/// One value, or one member name, on the tape of a ``JSONDocument``.
///
/// The nodes are in the order of the text. The node of an array is followed by those of its elements, the node of an
/// object by two for each member: the name, which is a string, and the value.
package struct JSONNode: Sendable, BitwiseCopyable {
  package var kind: JSONKind
  package var hasEscapes = false
  /// The offset of the first byte; a string's is its opening quotation mark.
  package var start: UInt32
  package var end: UInt32
  /// The index on the tape after this value and all values nested in it.
  package var next: UInt32

  /// The numbers fit in 32 bits, because ``JSONDocument`` refuses texts of 4 GiB or more.
  init(kind: JSONKind, hasEscapes: Bool = false, start: Int, end: Int, next: Int) {
    self.kind = kind
    self.hasEscapes = hasEscapes
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.next = UInt32(truncatingIfNeeded: next)
  }
}
