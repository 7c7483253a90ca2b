import Glibc
import RouterInterface
import SystemPackage
import UnixSocket
import Varlink
import VarlinkClient

extension RouterError {
  static let unexpectedReply = RouterError(
    .protocolViolation,
    "The router's reply does not belong to the call."
  )

  static let cancelled = RouterError(.cancelled, "\(VarlinkClientError.cancelled)")
  static let closed = RouterError(VarlinkClientError.closed)

  static let serviceStopping = RouterError(.serviceStopping, EventOutcome.serviceStopping(nil).description)

  /// For a caller that waits for the outcome of an event: `outcomeUnknown` if the connection was lost.
  init(ofEvent error: VarlinkClientError, from peer: PeerCredentials?) {
    self.init(error, from: peer)
    switch error {
    case .connectionFailed, .closedByService:
      self.init(.outcomeUnknown, "\(description) The outcome of the event is not known.")
    default: break
    }
  }

  /// `peer` is the process that listens at the router's socket.
  init(_ error: VarlinkClientError, from peer: PeerCredentials? = nil) {
    switch error {
    case .cannotConnect(let error): self.init(error)
    case .noBridge(let sentence): self.init(.cannotConnect, "The router cannot be reached. \(sentence)")
    case .noAnswer(let limit): self.init(.noAnswer, "The router has not answered within \(limit).")
    case .connectionFailed, .closedByService, .closed:
      self.init(.connectionLost, "The connection to the router has ended. \(error)")
    case .cancelled: self.init(.cancelled, "\(error)")
    case .protocolViolation, .unreadableReply: self.init(.protocolViolation, "\(error)")
    case .callTooLong:
      let maximum = Int64(FrameSplitter.messageLimit)
      self.init(.limitExceeded(limit: "messageLength", maximum: maximum), "\(error)")
    case .errorReply(let message):
      guard let error = message.decoded({ Wire.RouterErrorReply($0) }) else {
        let sentence = "The service answered with the error '\(message.name)'."
        self.init(.unrecognized(message.name), sentence)
        return
      }
      if case .permissionDenied = error, let peer {
        self.init(.permissionDenied, "The router of user \(peer.userID) refuses user \(geteuid()).")
      } else {
        self.init(error)
      }
    }
  }

  private init(_ error: SocketError) {
    switch error.reason {
    case .call("connect", .noSuchFileOrDirectory), .call("connect", .connectionRefused):
      self.init(.nobodyListens, "The router cannot be reached. \(error)")
    case .call("connect", .permissionDenied):
      self.init(.permissionDenied, "The router cannot be reached\(Self.refusal(error) ?? ". \(error)")")
    default: self.init(.cannotConnect, "The router cannot be reached. \(error)")
    }
  }

  /// The end of a sentence about a user without permission: the file that refuses this user, and its owner.
  ///
  /// The file is the socket, or the last directory on its path that this user can see.
  private static func refusal(_ error: SocketError) -> String? {
    guard case .name(let socket)? = error.subject else { return nil }
    var file = FilePath(socket)
    var status = stat()
    while unsafe stat(file.string, &status) != 0 {
      guard file.removeLastComponent() else { return nil }
    }
    return " at '\(socket)': '\(file)' belongs to user \(status.st_uid) and refuses user \(geteuid())."
  }
}
