/// A fault that ends a connection without a reply.
///
/// The rules come from the Varlink specification (UAPI.20), "Messages". The limits come from this package.
public enum ProtocolViolation: Error, Equatable {
  /// A message is not JSON.
  case malformedMessage(JSONError)
  /// A message is not a JSON object.
  case messageNotObject
  /// A service sent a line of text instead of its first message; the string is this line, or the start of a long line.
  case strayText(String)
  /// A message, not counting its NUL, is longer than the limit of its ``FrameSplitter``.
  case messageTooLong
  /// A message has an unknown member, outside its parameters, whose name has no dot; a dot would mark a vendor
  /// extension, which is allowed.
  case unknownMember(String)
  /// A member of a message, such as `method` or `more`, has the wrong type.
  case memberOfWrongType(String)
  /// A call has no method.
  case methodMissing
  /// A call has more than one of the flags `oneway`, `more` and `upgrade`.
  case conflictingFlags
  /// While a call with `more` was open, the client sent too many further calls, or too many bytes of them, for
  /// ``CallSequence``.
  case tooManyWaitingCalls
  /// A reply has both `error` and `continues`.
  case errorContinues
  /// A reply has `continues`, but its call had no `more`.
  case unexpectedContinuation
  /// A reply came while no call was open.
  case unexpectedReply
}

extension ProtocolViolation: CustomStringConvertible {
  /// A sentence that describes the fault.
  public var description: String {
    switch self {
    case .malformedMessage(let error): error.description
    case .messageNotObject: "The message is not a JSON object."
    case .strayText(let text): "The received text is not a message: '\(text)'."
    case .messageTooLong: "The message is too long."
    case .unknownMember(let name): "The message has an unknown member '\(name)'."
    case .memberOfWrongType(let name): "The member '\(name)' of the message is of the wrong type."
    case .methodMissing: "The call has no method."
    case .conflictingFlags: "The call has more than one of the flags 'oneway', 'more' and 'upgrade'."
    case .tooManyWaitingCalls: "Too many calls were sent behind a call with the 'more' flag."
    case .errorContinues: "The reply has both 'error' and 'continues'."
    case .unexpectedContinuation: "The reply has 'continues', but its call had no 'more'."
    case .unexpectedReply: "The reply belongs to no call."
    }
  }
}
