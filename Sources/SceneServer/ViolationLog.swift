import Logging
import UnixSocket
import Varlink

/// Logs who breaks the rules of the protocol: the first time at once, then how often, at most one line a second and peer.
struct ViolationLog {
  /// A second: a peer that is cut off and connects again breaks them thousands of times.
  private static let interval: UInt64 = 1_000_000

  /// What is known of a peer that broke the rules in the last second.
  private struct Peer {
    /// How often since the last line.
    var count = 0
    /// When the next line may follow.
    var nextLine: UInt64
  }

  private let log: Logger
  private var peers: [PeerCredentials: Peer] = [:]
  /// When ``report(at:)`` has something to do, in microseconds; `nil` if nothing.
  private(set) var nextReport: UInt64?

  init(_ log: Logger) { self.log = log }

  /// Logs a violation, or counts it if a line about the same peer was logged less than a second ago.
  mutating func note(_ violation: ProtocolViolation, of peer: PeerCredentials, at now: UInt64) {
    if peers[peer] != nil {
      peers[peer]?.count += 1
    } else {
      log.notice("A client broke the rules of the protocol and was cut off (\(describe(peer))).")
      log.debug("\(violation)")
      peers[peer] = Peer(nextLine: now + Self.interval)
      nextReport = nextReport ?? now + Self.interval
    }
  }

  /// Logs what was counted and may be logged by now.
  mutating func report(at now: UInt64) {
    guard let due = nextReport, due <= now else { return }
    for (peer, known) in peers where known.nextLine <= now {
      if known.count == 0 {
        peers[peer] = nil
      } else {
        logCount(known.count, of: peer)
        peers[peer] = Peer(nextLine: now + Self.interval)
      }
    }
    nextReport = peers.values.map(\.nextLine).min()
  }

  /// Logs what was counted, as nothing will be logged any more.
  mutating func finish() {
    for (peer, known) in peers where known.count > 0 { logCount(known.count, of: peer) }
    peers = [:]
    nextReport = nil
  }

  private func logCount(_ count: Int, of peer: PeerCredentials) {
    log.notice(
      "A client broke the rules of the protocol and was cut off \(count) more times (\(describe(peer)))."
    )
  }

  private func describe(_ peer: PeerCredentials) -> String {
    peer.processID.map { "process \($0) of user \(peer.userID)" } ?? "user \(peer.userID)"
  }
}
