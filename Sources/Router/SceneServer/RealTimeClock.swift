import Glibc

/// For all times that people see (`CLOCK_REALTIME`).
enum RealTimeClock {
  /// In microseconds from the start of 1970 (UTC).
  static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
