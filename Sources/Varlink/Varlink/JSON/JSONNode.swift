/// The kind of a JSON value.
///
/// The kind of a number depends on its spelling: `1.0` and `1e0` are not integers.
package enum JSONKind: UInt8, Sendable, BitwiseCopyable {
  /// The literal `null`.
  case null
  /// The literal `true` or `false`.
  case bool
  /// A number of any size without a fraction or an exponent.
  case integer
  /// A number with a fraction or an exponent.
  case double
  /// A string.
  case string
  /// An array.
  case array
  /// An object.
  case object
}

/// One value, or one member name, on the tape of a ``JSONDocument``.
///
/// The tape is a list of nodes in the order of the text. The node of an array is followed by the nodes of its elements.
/// The node of an object is followed by two nodes for each member: the name, which is a string, and the value.
package struct JSONNode: Sendable, BitwiseCopyable {
  /// The kind of the value.
  package var kind: JSONKind
  /// Whether a string has an escape sequence.
  package var hasEscapes = false
  /// The offset of the first byte; a string's first byte is the opening quotation mark.
  package var start: UInt32
  /// The offset after the last byte.
  package var end: UInt32
  /// The index, on the tape, of the node after this value and all values nested in this value.
  package var next: UInt32

  /// Makes a node.
  ///
  /// `start`, `end` and `next` fit in 32 bits, because ``JSONDocument`` refuses texts of 4 GiB or more.
  init(kind: JSONKind, hasEscapes: Bool = false, start: Int, end: Int, next: Int) {
    self.kind = kind
    self.hasEscapes = hasEscapes
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.next = UInt32(truncatingIfNeeded: next)
  }
}
