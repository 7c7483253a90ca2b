import Glibc

/// The clock of all deadlines, in microseconds; it never goes back, and stops while the machine sleeps.
package enum MonotonicClock {
  package static var now: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
  }

  package static func earliest(_ one: UInt64?, _ other: UInt64?) -> UInt64? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}
