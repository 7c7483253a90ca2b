package import UnixSocket
package import Varlink

/// Identifies a connection for as long as the server lives; never given twice.
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

/// What a connection is let in to.
package enum Admission: Sendable {
  /// Everything.
  case admitted
  /// `PermissionDenied` as the answer to each call.
  case denied
}

/// A service behind a socket: what a ``VarlinkServer`` serves.
///
/// All methods are called on the server's queue, one after the other. Replies go through the ``ReplyPort`` that
/// the service is made with, then or later, in any order.
///
/// A call is carried out at once. What concerns many at once is done in pieces by ``work()``, between what comes in.
package protocol VarlinkService: AnyObject {
  /// `org.varlink.service` for this service, with its other interfaces.
  var serviceInterface: ServiceInterface { get }

  /// When ``advance(to:)`` has something to do, on the clock of ``MonotonicClock``; may be early.
  var nextDeadline: UInt64? { get }

  /// Decides about a peer that has just connected.
  func admission(of peer: PeerCredentials) -> Admission

  /// Carries a call out, or returns false if it has no such method.
  func carryOut(_ call: borrowing Call, _ id: CallID) -> Bool

  /// Answers the only call of a peer that has too many connections; `maximum` is how many it may have.
  func refuseConnection(_ id: CallID, maximum: Int)

  /// A peer broke the rules of the wire; its connection is about to end.
  func connectionViolated(_ violation: ProtocolViolation, _ peer: PeerCredentials)

  /// Notes that a connection has ended, with all calls that were open on it; what follows is a piece of work.
  func connectionEnded(_ connection: ConnectionID)

  /// Charges a user for memory held for a connection, or gives it back; false if the user holds too much.
  ///
  /// It is charged in both cases.
  func charge(_ bytes: Int, toUser user: UInt32) -> Bool

  /// All output of a connection has been written, as ``ReplyPort/noticeDrain(of:)`` asked to be notified.
  func outputDrained(_ connection: ConnectionID)

  /// Whether there is a piece of work.
  var hasWork: Bool { get }

  /// Whether the next piece is the end of a connection; those come before all others.
  var hasConnectionEnds: Bool { get }

  /// Does one whole piece of work.
  func work()

  /// Does what is due, or makes it pieces of work.
  func advance(to now: UInt64)

  /// Gives every open call its last reply, as the server is about to end.
  func stop()
}

extension VarlinkService {
  /// None: everything is done at once.
  package var hasWork: Bool { false }

  /// It may be.
  package var hasConnectionEnds: Bool { true }

  /// Nothing.
  package func work() {}
}
