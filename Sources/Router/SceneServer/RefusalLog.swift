import Logging
import SceneRouting
import UnixSocket
import Varlink

/// Logs who is refused something, and why: the first time at once, then how often, at most one line a second, peer and
/// reason.
struct RefusalLog {
  /// A second: a peer that is cut off and connects again breaks the rules thousands of times.
  private static let interval: UInt64 = 1_000_000

  /// Who, and what has been done to it: a verb and what follows it.
  private struct Refusal: Hashable {
    var peer: PeerCredentials
    var what: String
  }

  /// What is known of a refusal in the last second.
  private struct Recent {
    /// How often since the last line.
    var count = 0
    /// When the next line may follow.
    var nextLine: UInt64
  }

  private let log: Logger
  private var refusals: [Refusal: Recent] = [:]
  /// When ``report(at:)`` has something to do, in microseconds; `nil` if nothing.
  private(set) var nextReport: UInt64?

  init(_ log: Logger) { self.log = log }

  /// Logs that a peer broke the rules of the protocol.
  mutating func note(_ violation: ProtocolViolation, of peer: PeerCredentials, at now: UInt64) {
    note("broke the rules of the protocol and was cut off", peer, at: now, detail: "\(violation)")
  }

  /// Logs that a peer met a limit.
  mutating func note(_ limit: Limit, maximum: Int, of peer: PeerCredentials, at now: UInt64) {
    note("was refused a call, as '\(limit.rawValue)' is \(maximum) at most", peer, at: now)
  }

  /// Logs that a peer may not use the service.
  mutating func noteDenied(_ peer: PeerCredentials, at now: UInt64) {
    note("was refused, as this service is for another user", peer, at: now)
  }

  /// Logs it, or counts it if a line about the same was logged less than a second ago.
  private mutating func note(
    _ what: String,
    _ peer: PeerCredentials,
    at now: UInt64,
    detail: String? = nil
  ) {
    let refusal = Refusal(peer: peer, what: what)
    if refusals[refusal] != nil {
      refusals[refusal]?.count += 1
    } else {
      log.notice("A client \(what) (\(describe(peer))).")
      if let detail { log.debug("\(detail)") }
      refusals[refusal] = Recent(nextLine: now + Self.interval)
      nextReport = nextReport ?? now + Self.interval
    }
  }

  /// Logs what was counted and may be logged by now.
  mutating func report(at now: UInt64) {
    guard let due = nextReport, due <= now else { return }
    for (refusal, recent) in refusals where recent.nextLine <= now {
      if recent.count == 0 {
        refusals[refusal] = nil
      } else {
        logCount(recent.count, of: refusal)
        refusals[refusal] = Recent(nextLine: now + Self.interval)
      }
    }
    nextReport = refusals.values.map(\.nextLine).min()
  }

  /// Logs what was counted, as nothing will be logged any more.
  mutating func finish() {
    for (refusal, recent) in refusals where recent.count > 0 { logCount(recent.count, of: refusal) }
    refusals = [:]
    nextReport = nil
  }

  private func logCount(_ count: Int, of refusal: Refusal) {
    log.notice("A client \(refusal.what), \(count) more times (\(describe(refusal.peer))).")
  }

  private func describe(_ peer: PeerCredentials) -> String {
    peer.processID.map { "process \($0) of user \(peer.userID)" } ?? "user \(peer.userID)"
  }
}
