import Glibc

/// Measures the time of short operations, in batches of calls.
enum Stopwatch {
  private static let batchCount = 15
  private static let batchNanoseconds: UInt64 = 2_000_000

  /// Returns the time of one call of `body` in nanoseconds: the median of 15 batches, each of at least 2 ms.
  ///
  /// `body` gets a running number, with which it can choose among inputs.
  static func nanoseconds(_ body: (Int) -> Void) -> Double {
    var number = 0
    var size = 1
    while time(size, &number, body) < batchNanoseconds { size *= 2 }
    return median((0..<batchCount).map { _ in Double(time(size, &number, body)) / Double(size) })
  }

  private static func time(_ count: Int, _ number: inout Int, _ body: (Int) -> Void) -> UInt64 {
    let start = now()
    for _ in 0..<count {
      body(number)
      number += 1
    }
    return now() - start
  }

  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
