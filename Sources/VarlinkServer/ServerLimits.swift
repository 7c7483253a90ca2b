/// What one peer may cost a server; the numbers are those of the contract.
package struct ServerLimits: Sendable {
  /// Descriptors that are no connections, apart from a quarter of them for those that are refused: the program's own.
  static let reservedDescriptors = 32

  /// Connections of all users; one more is refused.
  package var connections: Int
  /// Connections of one user; one more is refused.
  package var connectionsPerUser = 20_000
  /// Bytes queued for one connection; past it the connection ends (16 MiB, as in sd-varlink).
  package var queuedOutput = 16 << 20
  /// Bytes of a message of a peer that is not admitted, and of replies that it does not read: 4 KiB.
  package var deniedPeerBytes = 4 << 10
  /// How long the server stays in its loop before timers and signals get their turn, in microseconds.
  ///
  /// As long it works at what concerns many at once before it looks what has come in. Timers and signals wait for two
  /// stretches at most, and may be 10 ms late.
  package var stretchUSec: UInt64 = 5000
  /// How long at the end it waits for peers to read their last replies, in microseconds.
  package var drainUSec: UInt64 = 1_000_000

  /// The limits of the contract, for a process that may have so many descriptors, which are at least 64.
  package init(descriptors: Int) {
    connections = min(descriptors * 3 / 4, descriptors - Self.reservedDescriptors)
  }
}
