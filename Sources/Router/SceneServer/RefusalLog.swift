import Logging
import SceneRouting
import UnixSocket
import Varlink

/// Logs the first refusal of a peer for a reason at once, and later ones as a count.
struct RefusalLog {
  /// In microseconds; a peer that is refused thousands of times a second must not fill the log.
  private static let interval: UInt64 = 1_000_000

  /// `what` follows "A client" in the log line.
  private struct Refusal: Hashable {
    var peer: PeerCredentials
    var what: String
  }

  private struct Recent {
    /// Since the last line.
    var count = 0
    var nextLine: UInt64
  }

  private let log: Logger
  private var refusals: [Refusal: Recent] = [:]
  /// In microseconds; `nil` if no refusal is kept.
  private(set) var nextReport: UInt64?

  init(_ log: Logger) { self.log = log }

  mutating func note(_ violation: ProtocolViolation, of peer: PeerCredentials, at now: UInt64) {
    note("broke the rules of the protocol and was cut off", peer, at: now, detail: "\(violation)")
  }

  mutating func note(_ limit: Limit, maximum: Int, of peer: PeerCredentials, at now: UInt64) {
    note("was refused a call, because the limit '\(limit.rawValue)' is \(maximum)", peer, at: now)
  }

  mutating func noteDenied(_ peer: PeerCredentials, at now: UInt64) {
    note("was refused, because this service is for another user", peer, at: now)
  }

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

  /// A refusal that has not occurred again gets no line and is forgotten.
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

  /// For the stop of the service.
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
