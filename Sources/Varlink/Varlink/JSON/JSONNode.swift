/// What a JSON value is.
///
/// What a number is depends on how it is written: `1.0` and `1e0` are no integers.
package enum JSONKind: UInt8, Sendable, BitwiseCopyable {
  /// The literal `null`.
  case null
  /// The literal `true` or `false`.
  case bool
  /// A number without fraction and exponent, of any size.
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
/// The tape has the values in the order of the text. The node of an array is followed by its elements, that of an
/// object by the names (strings) and values of its members in turn.
package struct JSONNode: Sendable, BitwiseCopyable {
  /// What it is.
  package var kind: JSONKind
  /// Whether a string has an escape sequence.
  package var hasEscapes = false
  /// Offset of the first byte, for a string that of the quotation mark.
  package var start: UInt32
  /// Offset after the last byte.
  package var end: UInt32
  /// Index on the tape of the first node after this value and all within it.
  package var next: UInt32

  /// Makes a node of numbers below 2³², as the length of the text is.
  init(kind: JSONKind, hasEscapes: Bool = false, start: Int, end: Int, next: Int) {
    self.kind = kind
    self.hasEscapes = hasEscapes
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.next = UInt32(truncatingIfNeeded: next)
  }
}
