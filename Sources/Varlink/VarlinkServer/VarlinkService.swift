package import UnixSocket
package import Varlink

/// Identifies a connection.
///
/// The server never uses an identifier twice.
package struct ConnectionID: Hashable, Sendable {
  /// Two numbers: the connection's slot in the server's table, and how many connections the slot has held so far.
  ///
  /// The slot is in the lower 32 bits.
  package let rawValue: UInt64

  var slot: Int { Int(truncatingIfNeeded: rawValue & 0xFFFF_FFFF) }
}

/// Identifies an open call, so that the service can answer the call.
package struct CallID: Sendable {
  /// The connection that the call came over.
  package let connection: ConnectionID
  let ticket: CallTicket

  /// Which replies the caller expects.
  package var mode: CallMode { ticket.mode }
}

/// How the server treats a peer.
package enum Admission: Equatable, Sendable {
  /// The calls of the peer are carried out.
  case admitted
  /// Each call of the peer is answered with `PermissionDenied`.
  case denied
  /// The peer's user, or the server, already has the maximum number of connections.
  ///
  /// The first call of the peer is answered with the limit. The connection then ends.
  case tooMany(ConnectionLimit)
}

/// The limit for which a connection is refused.
package enum ConnectionLimit: Equatable, Sendable {
  /// The allowed number of connections of the peer's user.
  case connectionsPerUser(Int)
  /// The number of descriptors that the process may open, and of which connections may take only a part.
  case descriptors(Int)
}

/// A service that a ``VarlinkServer`` serves on a socket.
///
/// All methods are called on the server's queue, one after the other. Replies go through the ``ReplyPort`` that the
/// service is made with. The service may send replies later, in any order.
///
/// A call is carried out as soon as it is read. Work that concerns many events or connections is split into pieces. The
/// server runs these pieces, each by a call of ``work()``, between incoming calls.
package protocol VarlinkService: AnyObject {
  /// Answers calls of `org.varlink.service`, and knows the other interfaces of this service.
  var serviceInterface: ServiceInterface { get }

  /// The time of ``MonotonicClock`` at which the server calls ``advance(to:)`` next.
  ///
  /// The service may have nothing to do at this time.
  var nextDeadline: UInt64? { get }

  /// Decides how a peer that has just connected is treated.
  ///
  /// The server itself checks the limits on the number of connections.
  func admission(of peer: PeerCredentials) -> Admission

  /// Carries out a call; returns whether the service has the method that the call names.
  func carryOut(_ call: borrowing Call, _ id: CallID) -> Bool

  /// Answers the first call over a refused connection; the answer is an error.
  ///
  /// The server refuses a connection that exceeds a limit. The server ends the connection after the answer.
  func refuseConnection(_ id: CallID, _ limit: ConnectionLimit)

  /// Notes that a peer broke the rules of the protocol. The server is about to end the peer's connection.
  func connectionViolated(_ violation: ProtocolViolation, _ peer: PeerCredentials)

  /// Notes that a connection and all its open calls have ended.
  ///
  /// The service can leave the consequences, such as effects on other clients, to later pieces of work.
  func connectionEnded(_ connection: ConnectionID)

  /// Charges a user for bytes of memory that a connection takes. A negative number gives bytes back.
  ///
  /// - Returns: Whether the user is within the limits. The bytes are charged in any case.
  func charge(_ bytes: Int, toUser user: UInt32) -> Bool

  /// Notes that all output of a connection has been written.
  ///
  /// The server calls this method only if ``ReplyPort/noticeDrain(of:)`` has requested it. Several requests before the
  /// call lead to one call.
  func outputDrained(_ connection: ConnectionID)

  /// Whether a piece of work is waiting.
  var hasWork: Bool { get }

  /// Whether the next piece of work deals with a connection that has ended.
  ///
  /// Such pieces come before all other pieces.
  var hasConnectionEnds: Bool { get }

  /// Does one piece of work, in about a millisecond at most.
  func work()

  /// Does the tasks that are due at the time `now`, or turns these tasks into pieces of work.
  func advance(to now: UInt64)

  /// Notes that the server is about to shut down and accepts no more connections. Calls are carried out until
  /// ``stop()``.
  func prepareToStop()

  /// Whether the service is ready for ``stop()``.
  ///
  /// While the server shuts down, it reads this value after each pass of its loop. If the value becomes true at a
  /// certain time, ``nextDeadline`` must not be later than this time. Otherwise, the server might make no pass.
  var isReadyToStop: Bool { get }

  /// Gives every open call its last reply, because the server shuts down.
  func stop()
}

extension VarlinkService {
  /// By default, the service never has a piece of work.
  package var hasWork: Bool { false }

  /// By default, each piece of work counts as one that deals with an ended connection.
  package var hasConnectionEnds: Bool { true }

  /// Default: does nothing.
  package func work() {}

  /// Default: does nothing.
  package func prepareToStop() {}

  /// By default, the service is always ready to stop.
  package var isReadyToStop: Bool { true }
}
