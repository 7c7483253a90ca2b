import UnixSocket
import VarlinkServer

/// Asks whether other files of the desktop count now; calls arrive in their order while the answer is awaited.
struct Refreshing {
  /// How long an answer counts.
  private static let lifetimeUSec: UInt64 = 1_000_000
  /// The pause after a question without an answer.
  private static let pauseUSec: UInt64 = 10_000_000
  /// Of calls, for an answer and a reading of changed files.
  private static let longestWaitUSec: UInt64 = 1_000_000

  /// Lets ``RouterService/refreshed(_:)`` be called at the end.
  let ask: () -> Void
  private var isAsking = false
  private var asksAgainAt: UInt64 = 0
  /// Nil if calls do not wait.
  private(set) var waitsUntil: UInt64?

  init(_ ask: @escaping () -> Void) { self.ask = ask }

  /// Asks if the last answer no longer counts and no question is open.
  mutating func isFresh(at now: UInt64) -> Bool {
    if !isAsking, now >= asksAgainAt {
      (isAsking, waitsUntil) = (true, now + Self.longestWaitUSec)
      ask()
    }
    advance(to: now)
    return waitsUntil == nil
  }

  mutating func advance(to now: UInt64) {
    if let end = waitsUntil, end <= now { waitsUntil = nil }
  }

  mutating func answered(_ isAnswered: Bool, at now: UInt64) {
    (isAsking, waitsUntil) = (false, nil)
    asksAgainAt = now + (isAnswered ? Self.lifetimeUSec : Self.pauseUSec)
  }
}

extension RouterService {
  func takesCalls(at now: UInt64) -> Bool { refreshing?.isFresh(at: now) ?? true }

  var holdsCalls: Bool { refreshing?.waitsUntil != nil }

  /// The files that count now are in force; `isAnswered` is false if nobody could say which these are.
  func refreshed(_ isAnswered: Bool) { refreshing?.answered(isAnswered, at: MonotonicClock.now) }
}
