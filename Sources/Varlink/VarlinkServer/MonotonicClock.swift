import Glibc

/// The clock of all deadlines: microseconds that never go back and do not count while the machine sleeps.
package enum MonotonicClock {
  /// The time now.
  package static var now: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
  }

  /// The earlier of two times, either of which may not come.
  package static func earliest(_ one: UInt64?, _ other: UInt64?) -> UInt64? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}
