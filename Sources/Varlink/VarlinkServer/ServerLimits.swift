/// Limits on the resources that peers may take from a server.
///
/// The numbers of connections and bytes are from the contracts `routing` and `varlink`.
package struct ServerLimits: Sendable {
  /// The number of descriptors that admitted connections never take.
  ///
  /// Connections that are being refused may take a quarter of them.
  static let reservedDescriptors = 32

  /// The most connections of all users; one more is refused.
  package var connections: Int
  /// The most connections of one user; one more is refused.
  package var connectionsPerUser = 20_000
  /// The most bytes queued for one connection: 16 MiB, as in sd-varlink.
  ///
  /// A connection that exceeds it ends.
  package var queuedOutput = 16 << 20
  /// The limit for a peer that is not admitted, 4 KiB: for the bytes of a message, and for all unread replies.
  package var deniedPeerBytes = 4 << 10
  /// How long the loop runs before timers and signals are handled, in microseconds.
  ///
  /// The limit keeps timers and signals less than 10 ms late.
  ///
  /// This is also the longest time that the service works before the loop reads again.
  package var stretchUSec: UInt64 = 5000
  /// How long the server waits at shutdown until clients have read their last replies, in microseconds.
  package var drainUSec: UInt64 = 1_000_000

  /// Makes the limits for a process that may open `descriptors` descriptors, which must be 64 or more.
  package init(descriptors: Int) {
    connections = min(descriptors * 3 / 4, descriptors - Self.reservedDescriptors)
  }
}
