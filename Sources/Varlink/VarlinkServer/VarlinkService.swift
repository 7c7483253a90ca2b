package import UnixSocket
package import Varlink

/// Identifies a connection.
///
/// The server never uses an identifier twice.
package struct ConnectionID: Hashable, Sendable {
  /// The slot in the connection table, and how many connections the slot has held so far.
  package let rawValue: UInt64

  var slot: Int { Int(truncatingIfNeeded: rawValue & 0xFFFF_FFFF) }
}

/// Identifies an open call, so that it can be answered.
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
  /// The first call of the peer is answered with that maximum. The connection then ends.
  case tooMany(maximum: Int)
}

/// A service that a ``VarlinkServer`` serves on a socket.
///
/// All methods are called on the server's queue, one after the other. Replies go through the ``ReplyPort`` that the
/// service is made with. They may come later and in any order.
///
/// A call is carried out as soon as it is read. A task that concerns many events or connections is split into pieces of
/// work. The loop has these pieces done between the calls that come in.
package protocol VarlinkService: AnyObject {
  /// `org.varlink.service` for this service, with its other interfaces.
  var serviceInterface: ServiceInterface { get }

  /// The time of ``MonotonicClock`` at which the server calls ``advance(to:)`` next.
  ///
  /// At this time the service does not always have something to do.
  var nextDeadline: UInt64? { get }

  /// Decides how a peer that has just connected is treated.
  ///
  /// The server itself checks the limits on the number of connections.
  func admission(of peer: PeerCredentials) -> Admission

  /// Carries out a call; returns false if the service has no such method.
  func carryOut(_ call: borrowing Call, _ id: CallID) -> Bool

  /// Answers the only call over a connection that exceeds `maximum`, the number of connections allowed.
  func refuseConnection(_ id: CallID, maximum: Int)

  /// Notes that a peer broke the rules of the protocol. Its connection is about to end.
  func connectionViolated(_ violation: ProtocolViolation, _ peer: PeerCredentials)

  /// Notes that a connection has ended, and with it all its open calls.
  ///
  /// The service deals with the consequences later, in pieces of work.
  func connectionEnded(_ connection: ConnectionID)

  /// Charges a user for bytes of memory that a connection takes. A negative number gives bytes back.
  ///
  /// - Returns: Whether the user is within the limits. The bytes are charged in any case.
  func charge(_ bytes: Int, toUser user: UInt32) -> Bool

  /// Notes that all output of a connection has been written. Called once for each ``ReplyPort/noticeDrain(of:)``.
  func outputDrained(_ connection: ConnectionID)

  /// Whether a piece of work is waiting.
  var hasWork: Bool { get }

  /// Whether the next piece of work follows from the end of a connection. Such pieces come before all others.
  var hasConnectionEnds: Bool { get }

  /// Does one piece of work, in about a millisecond at most.
  func work()

  /// Does everything that is due at the time `now`, or turns it into work.
  func advance(to now: UInt64)

  /// Notes that the server is about to shut down and accepts no more connections. Calls are carried out until
  /// ``stop()``.
  func prepareToStop()

  /// Whether the service is ready for ``stop()``. The server asks after each pass, because only a call, a piece of work
  /// or ``nextDeadline`` can make the service ready.
  var isReadyToStop: Bool { get }

  /// Gives every open call its last reply, because the server shuts down.
  func stop()
}

extension VarlinkService {
  /// Default: no deferred work.
  package var hasWork: Bool { false }

  /// Default: true.
  package var hasConnectionEnds: Bool { true }

  /// Default: does nothing.
  package func work() {}

  /// Default: does nothing.
  package func prepareToStop() {}

  /// Default: true.
  package var isReadyToStop: Bool { true }
}
