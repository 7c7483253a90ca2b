public import UnixSocket
public import Varlink

/// Why a call has no reply, or none that was asked for.
public enum VarlinkClientError: Error, Equatable {
  /// The service cannot be reached.
  case cannotConnect(SocketError)
  /// The program through which to connect does not lead to a service; a sentence says why.
  case noBridge(String)
  /// The connection failed for a cause on this machine, and is closed.
  case connectionFailed(SocketError)
  /// The service closed the connection.
  case closedByService(insideMessage: Bool)
  /// This side closed the connection.
  case closed
  /// The task that waited was cancelled.
  case cancelled
  /// The service has not answered within this time.
  case noAnswer(within: Duration)
  /// What the service sent is no Varlink; the connection is closed.
  case protocolViolation(ProtocolViolation)
  /// The call was not sent, as the service would not take so many bytes.
  case callTooLong(Int)
  /// The reply does not have the type expected; the connection stays open.
  case unreadableReply(ParameterError)
  /// The call ended in an error.
  case errorReply(ErrorMessage)
}

extension VarlinkClientError: CustomStringConvertible {
  /// A sentence that says what is wrong.
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
