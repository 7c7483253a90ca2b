package import UnixSocket
package import Varlink

/// Names a connection for as long as the server lives; never given twice.
package struct ConnectionID: Hashable, Sendable {
  /// The slot in the connection table and how often it was used before.
  package let rawValue: UInt64

  var slot: Int { Int(truncatingIfNeeded: rawValue & 0xFFFF_FFFF) }
}

/// Names a call that is being carried out, for its reply.
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

  /// A connection is gone, with all calls that were open on it.
  func connectionEnded(_ connection: ConnectionID)

  /// Charges a user for bytes kept until a client reads them, or gives them back; false if that is too many.
  func charge(_ bytes: Int, toUser user: UInt32) -> Bool

  /// All output of a connection has been written, as ``ReplyPort/noticeDrain(of:)`` asked to be told.
  func outputDrained(_ connection: ConnectionID)

  /// Whether there is work that is done in steps, a call or what is left of one.
  var hasWork: Bool { get }

  /// Does the next step, which takes no longer than a millisecond or so; others get their turn in between.
  func work()

  /// Does what is due.
  func advance(to now: UInt64)

  /// Gives every open call its last reply, as the server is about to end.
  func stop()
}

extension VarlinkService {
  /// None: each call is carried out in one step.
  package var hasWork: Bool { false }

  /// Nothing.
  package func work() {}
}

/// What one peer may cost a server.
package struct ServerLimits: Sendable {
  /// Connections of one user.
  package var connectionsPerUser = 20_000
  /// Bytes queued for one connection; past it the connection ends (16 MiB, as in sd-varlink).
  package var queuedOutput = 16 << 20
  /// Calls carried out for one connection before others get their turn; fewer if the stretch ends before.
  package var callsPerTurn = 64
  /// How long at a stretch the server stays in its loop, in microseconds.
  ///
  /// Timers and signals wait for two stretches at most, and may be 10 ms late.
  package var stretchUSec: UInt64 = 3000
  /// How long at the end it waits for peers to read their last replies, in microseconds.
  package var drainUSec: UInt64 = 1_000_000

  /// The limits of the contract.
  package init() {}
}
