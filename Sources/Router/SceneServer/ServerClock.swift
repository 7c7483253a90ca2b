import Glibc
import VarlinkServer

/// Where the service takes the time from.
struct ServerClock {
  /// The clock of deadlines, in microseconds.
  func monotonic() -> UInt64 { MonotonicClock.now }

  /// `CLOCK_REALTIME`, in microseconds.
  func realTime() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
