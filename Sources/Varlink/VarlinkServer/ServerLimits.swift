/// Limits on the resources that peers may take from a server.
///
/// The numbers of connections and bytes are from the contracts `routing` and `varlink`.
package struct ServerLimits: Sendable {
  /// The minimum number of file descriptors that admitted connections leave free.
  ///
  /// Connections that exceed ``connections`` may use up to a quarter of these descriptors. The server answers calls on
  /// such connections only with errors.
  static let reservedDescriptors = 32

  /// The most descriptors that the process may open.
  let descriptors: Int
  /// The most connections of all users; any further connection is refused.
  package var connections: Int
  /// The most connections of one user; any further connection is refused.
  package var connectionsPerUser = 20_000
  /// The most bytes queued for one connection: 16 MiB, as in sd-varlink.
  ///
  /// A connection that exceeds the limit ends.
  package var queuedOutput = 16 << 20
  /// The most bytes of one message from a peer that is denied access: 4 KiB.
  ///
  /// The same number limits the bytes of all replies that the peer has not read.
  package var deniedPeerBytes = 4 << 10
  /// How long the loop may run before the server handles timers and signals, in microseconds.
  ///
  /// The loop looks at the time after each call and each piece of work, so it may run a little longer. The limit keeps
  /// timers and signals less than 10 ms late.
  package var stretchUSec: UInt64 = 5000
  /// The time in which the clients of a stopping server can read their last replies, in microseconds.
  package var drainUSec: UInt64 = 1_000_000

  /// Makes the limits for a process that may open `descriptors` descriptors.
  ///
  /// `descriptors` must be 64 or more.
  package init(descriptors: Int) {
    self.descriptors = descriptors
    connections = min(descriptors * 3 / 4, descriptors - Self.reservedDescriptors)
  }
}
