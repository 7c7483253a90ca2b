/// Limits on the resources that peers may take from a server.
///
/// The numbers are from the contract.
package struct ServerLimits: Sendable {
  /// The descriptors that admitted connections never take; connections that are being refused may take a quarter.
  static let reservedDescriptors = 32

  /// The most connections of all users; one more is refused.
  package var connections: Int
  /// The most connections of one user; one more is refused.
  package var connectionsPerUser = 20_000
  /// The most bytes queued for one connection: 16 MiB, as in sd-varlink.
  ///
  /// A connection that exceeds it ends.
  package var queuedOutput = 16 << 20
  /// The most bytes in a message from a peer that is not admitted, and in its unread replies: 4 KiB.
  package var deniedPeerBytes = 4 << 10
  /// How long the loop runs before timers and signals are handled, in microseconds.
  ///
  /// They may be 10 ms late.
  ///
  /// It is also the longest time that the service works before the loop reads again.
  package var stretchUSec: UInt64 = 5000
  /// How long the server waits at shutdown until clients have read their last replies, in microseconds.
  package var drainUSec: UInt64 = 1_000_000

  /// Makes the limits of the contract for a process that may open `descriptors` descriptors, at least 64.
  package init(descriptors: Int) {
    connections = min(descriptors * 3 / 4, descriptors - Self.reservedDescriptors)
  }
}
