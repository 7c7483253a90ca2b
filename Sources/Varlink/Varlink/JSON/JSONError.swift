/// The reason why this module does not accept a text as JSON, with the position of the fault.
public struct JSONError: Error, Equatable, CustomStringConvertible {
  /// The kinds of faults.
  package enum Reason: Sendable, Equatable {
    /// The text has nothing but white space.
    case empty
    /// The text ends inside a value.
    case unexpectedEnd
    /// A value is expected, but the next byte cannot start a value.
    case valueExpected
    /// A member name in quotation marks is missing.
    case nameExpected
    /// The colon after a member name is missing.
    case colonExpected
    /// The comma or the closing bracket after a value is missing.
    case separatorExpected
    /// A number breaks the grammar of RFC 8259, section 6.
    case malformedNumber
    /// A literal is not `true`, `false` or `null`.
    case malformedLiteral
    /// A string has a control character that is not escaped.
    case controlCharacter
    /// An escape sequence is not allowed by RFC 8259, section 7, or encodes half a surrogate pair.
    case malformedEscape
    /// A string is not UTF-8. Overlong forms and encoded surrogates are not UTF-8 either.
    case malformedUTF8
    /// An object has two members of the same name.
    case duplicateName
    /// Arrays and objects are nested too deeply.
    case nestedTooDeeply
    /// Something other than white space follows the value.
    case trailingGarbage
    /// The text is so long that a position in it might not fit into 32 bits.
    case tooLong
  }

  /// The fault.
  package var reason: Reason
  /// The position of the fault, in bytes from the start.
  package var offset: Int

  /// Makes an error.
  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// A sentence with the fault and its position.
  public var description: String { "The JSON is invalid at byte \(offset): \(reason.explanation)." }
}

extension JSONError.Reason {
  fileprivate var explanation: String {
    switch self {
    case .empty: "there is no value"
    case .unexpectedEnd: "it ends inside a value"
    case .valueExpected: "a value is expected"
    case .nameExpected: "a member name is expected"
    case .colonExpected: "a colon is expected"
    case .separatorExpected: "a comma or a closing bracket is expected"
    case .malformedNumber: "the number is malformed"
    case .malformedLiteral: "the literal is malformed"
    case .controlCharacter: "a string has an unescaped control character"
    case .malformedEscape: "an escape sequence is malformed"
    case .malformedUTF8: "a string is not UTF-8"
    case .duplicateName: "an object has two members of this name"
    case .nestedTooDeeply: "arrays and objects are nested too deeply"
    case .trailingGarbage: "something follows the value"
    case .tooLong: "it is too long"
    }
  }
}
