package import UnixSocket
package import Varlink

/// Identifies a connection; no other gets the same as long as the server lives.
package struct ConnectionID: Hashable, Sendable {
  /// The slot in the connection table and how often it was used before.
  package let rawValue: UInt64

  var slot: Int { Int(truncatingIfNeeded: rawValue & 0xFFFF_FFFF) }
}

/// Identifies a call that is being carried out, for its reply.
package struct CallID: Sendable {
  /// The connection it came over.
  package let connection: ConnectionID
  let ticket: CallTicket

  /// Which replies the caller expects.
  package var mode: CallMode { ticket.mode }
}

/// What the server does for a peer.
package enum Admission: Equatable, Sendable {
  /// Its calls are carried out.
  case admitted
  /// Each of its calls is answered with `PermissionDenied`.
  case denied
  /// Its first call is answered with the maximum number of connections, which there are already, and is its last.
  case tooMany(maximum: Int)
}

/// A service behind a socket: what a ``VarlinkServer`` serves.
///
/// All methods are called on the server's queue, one after the other. Replies go through the ``ReplyPort`` that
/// the service is made with, then or later, in any order.
///
/// A call is carried out at once. What concerns many events or connections at once is work: the loop has it done in
/// whole pieces, between what comes in.
package protocol VarlinkService: AnyObject {
  /// `org.varlink.service` for this service, with its other interfaces.
  var serviceInterface: ServiceInterface { get }

  /// When ``advance(to:)`` has to be called next, by ``MonotonicClock``; may be early.
  var nextDeadline: UInt64? { get }

  /// Decides what is done for a peer that has just connected; the limits of the server are its own matter.
  func admission(of peer: PeerCredentials) -> Admission

  /// Carries a call out; false if the service has no such method.
  func carryOut(_ call: borrowing Call, _ id: CallID) -> Bool

  /// Answers the only call of a peer that has too many connections; `maximum` is how many it may have.
  func refuseConnection(_ id: CallID, maximum: Int)

  /// A peer broke the rules of the wire; its connection is about to end.
  func connectionViolated(_ violation: ProtocolViolation, _ peer: PeerCredentials)

  /// Notes that a connection has ended, with all calls that were open on it; what follows from it is work.
  func connectionEnded(_ connection: ConnectionID)

  /// Charges a user for bytes of memory that a connection takes, or gives them back if negative.
  ///
  /// - Returns: whether the user is within the limits; the bytes are charged in any case.
  func charge(_ bytes: Int, toUser user: UInt32) -> Bool

  /// Notifies that all output of a connection has been written, once for each ``ReplyPort/noticeDrain(of:)``.
  func outputDrained(_ connection: ConnectionID)

  /// Whether there is work.
  var hasWork: Bool { get }

  /// Whether the next piece of work is for the end of a connection; these come before all others.
  var hasConnectionEnds: Bool { get }

  /// Does one piece of work, which takes about a millisecond at most.
  func work()

  /// Does what is due at the time `now`, or makes it work.
  func advance(to now: UInt64)

  /// Gives every open call its last reply, as the server shuts down.
  func stop()
}

extension VarlinkService {
  /// There is none: everything is done at once.
  package var hasWork: Bool { false }

  /// It may be.
  package var hasConnectionEnds: Bool { true }

  /// Nothing.
  package func work() {}
}
