/// Limits on what peers may take; the numbers of connections and bytes are from the contracts `routing` and `varlink`.
package struct ServerLimits: Sendable {
  /// The descriptors that admitted connections leave free.
  ///
  /// Connections above ``connections``, which are answered only with errors, may use up to a quarter of them.
  static let reservedDescriptors = 32

  /// The most that the process may open.
  let descriptors: Int
  package var connections: Int
  package var connectionsPerUser = 20_000
  /// In bytes for one connection, 16 MiB as in sd-varlink; a connection that exceeds it ends.
  package var queuedOutput = 16 << 20
  /// For one message of a denied peer, and for all replies that it has not read.
  package var deniedPeerBytes = 4 << 10
  /// How long the loop runs before timers and signals are handled, which are then less than 10 ms late.
  package var stretchUSec: UInt64 = 5000
  package var drainUSec: UInt64 = 1_000_000

  /// `descriptors`, which the process may open, must be 64 or more.
  package init(descriptors: Int) {
    self.descriptors = descriptors
    connections = min(descriptors * 3 / 4, descriptors - Self.reservedDescriptors)
  }
}
