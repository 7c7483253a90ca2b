import Logging
import SceneRouting
import UnixSocket
import Varlink

/// Logs that peers were refused, with at most one line a second for the same peer and reason.
///
/// The first refusal is logged immediately. Later refusals are counted, and the next line has their count.
struct RefusalLog {
  /// The shortest time between two log lines about the same peer and reason, in microseconds.
  ///
  /// Without this limit, a peer that is refused thousands of times a second could fill the log.
  private static let interval: UInt64 = 1_000_000

  /// The refused peer, and the words that follow "A client" in the log line about the refusal.
  private struct Refusal: Hashable {
    var peer: PeerCredentials
    var what: String
  }

  /// The state of a refusal that was logged less than a second ago.
  private struct Recent {
    /// The number of refusals since the last log line about the same peer and reason.
    var count = 0
    /// The earliest time of the next line.
    var nextLine: UInt64
  }

  private let log: Logger
  private var refusals: [Refusal: Recent] = [:]
  /// The time at which ``report(at:)`` is to be called, in microseconds; `nil` if no refusal is kept.
  private(set) var nextReport: UInt64?

  init(_ log: Logger) { self.log = log }

  /// Logs that a peer broke the rules of the protocol.
  mutating func note(_ violation: ProtocolViolation, of peer: PeerCredentials, at now: UInt64) {
    note("broke the rules of the protocol and was cut off", peer, at: now, detail: "\(violation)")
  }

  /// Logs the refusal of a peer's call that exceeds a limit.
  mutating func note(_ limit: Limit, maximum: Int, of peer: PeerCredentials, at now: UInt64) {
    note("was refused a call, because the limit '\(limit.rawValue)' is \(maximum)", peer, at: now)
  }

  /// Logs that a peer was refused because the service is for another user.
  mutating func noteDenied(_ peer: PeerCredentials, at now: UInt64) {
    note("was refused, because this service is for another user", peer, at: now)
  }

  /// Logs a refusal.
  ///
  /// If the log has a line about the same peer and reason from the last second, the refusal is only counted.
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

  /// Logs how often each refusal has occurred since its last line, if that line is at least a second old.
  ///
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

  /// Logs all counts that no line has reported yet; called when the service stops.
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
