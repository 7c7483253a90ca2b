public import UnixSocket
public import Varlink

/// The reason why a call has no usable reply.
public enum VarlinkClientError: Error, Equatable {
  /// The service cannot be reached.
  case cannotConnect(SocketError)
  /// The program that carries the connection reached no service; the string is a sentence that says why.
  case noBridge(String)
  /// The connection failed for a reason on this machine, and is closed.
  case connectionFailed(SocketError)
  /// The service closed the connection; `insideMessage` says whether its last message was incomplete.
  case closedByService(insideMessage: Bool)
  /// This side closed the connection.
  case closed
  /// The calling task was cancelled, or the cancellation of another task closed the connection.
  ///
  /// If a task is cancelled in ``VarlinkReplies/next()``, the connection is closed.
  case cancelled
  /// The service has not answered within the given time.
  case noAnswer(within: Duration)
  /// The service sent data that is not Varlink. The connection is closed.
  case protocolViolation(ProtocolViolation)
  /// The call was not sent, because it is longer than the longest message that a service takes.
  ///
  /// The number is the length of the call in bytes, without its NUL.
  case callTooLong(Int)
  /// The reply does not have the expected type. The connection stays open.
  case unreadableReply(ParameterError)
  /// The call ended with an error reply.
  case errorReply(ErrorMessage)
}

extension VarlinkClientError {
  /// Whether the service or a failure ended the connection.
  var isLoss: Bool {
    switch self {
    case .connectionFailed, .closedByService: true
    default: false
    }
  }
}

extension VarlinkClientError: CustomStringConvertible {
  /// A sentence that describes the error.
  public var description: String {
    switch self {
    case .cannotConnect(let error), .connectionFailed(let error): error.description
    case .noBridge(let sentence): sentence
    case .closedByService(insideMessage: false): "The service closed the connection."
    case .closedByService(insideMessage: true):
      "The service closed the connection in the middle of a message."
    case .closed: "The connection was closed."
    case .cancelled: "The call was cancelled."
    case .noAnswer(let limit): "The service has not answered within \(limit)."
    case .protocolViolation(.messageTooLong):
      "The service sent a message longer than \(ReplyReader.messageLimit) bytes."
    case .protocolViolation(let violation): "The service does not keep to the protocol. \(violation)"
    case .callTooLong(let count):
      "The call has \(count) bytes; a service takes \(FrameSplitter.messageLimit) at most."
    case .unreadableReply(let error): "The reply of the service does not fit its interface. \(error)"
    case .errorReply(let message): "The service answered with the error '\(message.name)'."
    }
  }
}
