import Glibc

/// The clock of all deadlines: microseconds that never go back and do not count while the machine sleeps.
package enum MonotonicClock {
  /// The time now.
  package static var now: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
  }
}
