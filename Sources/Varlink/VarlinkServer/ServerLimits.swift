/// What one peer may cost a server; the numbers are those of the contract.
package struct ServerLimits: Sendable {
  /// Descriptors that connections never take, but for a quarter of them while connections are refused.
  static let reservedDescriptors = 32

  /// Connections of all users; one more is refused.
  package var connections: Int
  /// Connections of one user; one more is refused.
  package var connectionsPerUser = 20_000
  /// Bytes queued for one connection; past it the connection ends (16 MiB, as in sd-varlink).
  package var queuedOutput = 16 << 20
  /// Bytes of a message of a peer that is not admitted, and of replies that it does not read: 4 KiB.
  package var deniedPeerBytes = 4 << 10
  /// How long the loop runs before timers and signals are handled, in microseconds: these may be 10 ms late.
  ///
  /// It is also how long the service works at most before the loop reads again.
  package var stretchUSec: UInt64 = 5000
  /// How long it waits at the end until peers have read their last replies, in microseconds.
  package var drainUSec: UInt64 = 1_000_000

  /// The limits of the contract, for a process that may have so many descriptors, which are at least 64.
  package init(descriptors: Int) {
    connections = min(descriptors * 3 / 4, descriptors - Self.reservedDescriptors)
  }
}
