package import UnixSocket
package import Varlink

/// A number that the server never uses twice.
package struct ConnectionID: Hashable, Sendable {
  /// The slot in the server's table in the lower 32 bits; above it, how many connections the slot has held so far.
  package let rawValue: UInt64

  var slot: Int { Int(truncatingIfNeeded: rawValue & 0xFFFF_FFFF) }
}

package struct CallID: Sendable {
  package let connection: ConnectionID
  let ticket: CallTicket

  package var mode: CallMode { ticket.mode }
}

package enum Admission: Equatable, Sendable {
  case admitted
  /// Each call is answered with `PermissionDenied`.
  case denied
  /// The first call is answered with the limit, and the connection ends.
  case tooMany(ConnectionLimit)
}

/// The limit for which a connection is refused.
package enum ConnectionLimit: Equatable, Sendable {
  case connectionsPerUser(Int)
  /// The descriptors that the process may open, of which connections may take only a part.
  case descriptors(Int)
}

/// A service that a ``VarlinkServer`` serves on a socket.
///
/// All methods are called on the server's queue. Replies go through the ``ReplyPort`` that the service is made with, at
/// any time, in any order. A call is carried out as soon as it is read. Work that concerns many events or connections
/// is split into pieces, which the server runs between calls.
package protocol VarlinkService: AnyObject {
  var serviceInterface: ServiceInterface { get }

  /// When the server calls ``advance(to:)`` next; the service may then have nothing to do.
  var nextDeadline: UInt64? { get }

  /// The server itself checks the limits on the number of connections.
  func admission(of peer: PeerCredentials) -> Admission

  /// Whether calls may be carried out; asked before the server reads calls.
  ///
  /// If not, the server reads nothing until ``holdsCalls`` is false. The service then has to be reached by
  /// ``VarlinkServer/perform(_:)``, or by ``advance(to:)``.
  func takesCalls(at now: UInt64) -> Bool

  /// Whether the service has refused to take calls, and still does.
  var holdsCalls: Bool { get }

  func dispatch(_ call: borrowing Call, _ id: CallID) -> Bool

  /// Answers the first call over a connection that exceeds a limit with an error; the connection then ends.
  func refuseConnection(_ id: CallID, _ limit: ConnectionLimit)

  func connectionViolated(_ violation: ProtocolViolation, _ peer: PeerCredentials)

  /// A connection and all its open calls have ended; effects on other clients can be left to later pieces of work.
  func connectionEnded(_ connection: ConnectionID)

  /// Charges a user for memory; a negative number gives bytes back.
  ///
  /// - Returns: Whether the user is within the limits. The bytes are charged in any case.
  func charge(_ bytes: Int, toUser user: UInt32) -> Bool

  /// Called once after ``ReplyPort/noticeDrain(of:)``, however often that was.
  func outputDrained(_ connection: ConnectionID)

  var hasWork: Bool { get }

  /// Pieces for ended connections come before all others.
  var hasConnectionEnds: Bool { get }

  /// Does one piece of work, in about a millisecond at most.
  func work()

  func advance(to now: UInt64)

  /// The server accepts no more connections; calls are carried out until ``stop()``.
  func prepareToStop()

  /// Read after each pass while the server shuts down; if it becomes true at a certain time, ``nextDeadline`` must not
  /// be later.
  var isReadyToStop: Bool { get }

  func stop()
}

extension VarlinkService {
  package func takesCalls(at now: UInt64) -> Bool { true }

  package var holdsCalls: Bool { false }

  package var hasWork: Bool { false }

  package var hasConnectionEnds: Bool { true }

  package func work() {}

  package func prepareToStop() {}

  package var isReadyToStop: Bool { true }
}
