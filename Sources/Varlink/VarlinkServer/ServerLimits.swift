/// Limits on the resources that peers may take from a server.
///
/// The numbers of connections and bytes are from the contracts `routing` and `varlink`.
package struct ServerLimits: Sendable {
  /// The number of descriptors that admitted connections never take.
  ///
  /// Connections that are being refused may take a quarter of these descriptors.
  static let reservedDescriptors = 32

  /// The most connections of all users; any further connection is refused.
  package var connections: Int
  /// The most connections of one user; any further connection is refused.
  package var connectionsPerUser = 20_000
  /// The most bytes queued for one connection: 16 MiB, as in sd-varlink.
  ///
  /// A connection that exceeds the limit ends.
  package var queuedOutput = 16 << 20
  /// The most bytes of a message, and of all unread replies, for a peer that is not admitted: 4 KiB.
  package var deniedPeerBytes = 4 << 10
  /// The longest run of the loop before timers and signals are handled, in microseconds.
  ///
  /// The limit keeps timers and signals less than 10 ms late. The service also works no longer than this time between
  /// two reads of the loop.
  package var stretchUSec: UInt64 = 5000
  /// The time in which the clients of a stopping server can read their last replies, in microseconds.
  package var drainUSec: UInt64 = 1_000_000

  /// Makes the limits for a process that may open `descriptors` descriptors.
  ///
  /// `descriptors` must be 64 or more.
  package init(descriptors: Int) {
    connections = min(descriptors * 3 / 4, descriptors - Self.reservedDescriptors)
  }
}
