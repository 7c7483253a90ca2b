/// The reason why this module does not accept a text as JSON, with the position of the fault.
public struct JSONError: Error, Equatable, CustomStringConvertible {
  package enum Reason: Sendable, Equatable {
    case empty
    case unexpectedEnd
    case valueExpected
    case nameExpected
    case colonExpected
    case separatorExpected
    case malformedNumber
    case malformedLiteral
    case controlCharacter
    /// A sequence that RFC 8259, section 7 does not allow, or half a surrogate pair.
    case malformedEscape
    case malformedUTF8
    case duplicateName
    case nestedTooDeeply
    case trailingGarbage
    /// A position in the text might not fit into 32 bits.
    case tooLong
  }

  package var reason: Reason
  package var offset: Int

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
