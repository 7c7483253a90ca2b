import CLinux
import Glibc

/// A timer that runs once, to be waited on together with other descriptors (timerfd_create(2)).
package struct Timer: ~Copyable, Sendable {
  /// Readable from when the time has passed.
  package let descriptor: OwnedDescriptor

  /// Starts a timer that runs for `duration`, which counts as 1 ns if it is not positive.
  ///
  /// The time for which the machine is suspended does not count.
  package init(_ duration: Duration) throws(SocketError) {
    // TFD_CLOEXEC and TFD_NONBLOCK have the values of these.
    let flags = O_CLOEXEC | O_NONBLOCK
    let number = try systemCall { timerfd_create(CLOCK_MONOTONIC, flags) }.get("timerfd_create")
    let timer = OwnedDescriptor(number)
    // All zero would stop the timer.
    let parts = max(duration, .nanoseconds(1)).components
    let value = timespec(tv_sec: time_t(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
    var setting = itimerspec(it_interval: timespec(), it_value: value)
    try systemCall { unsafe timerfd_settime(number, 0, &setting, nil) }
      .get("timerfd_settime", about: .descriptor(number))
    descriptor = timer
  }

  /// Whether the time has passed and this was not asked since.
  package borrowing func takeEnd() -> Bool {
    var count: UInt64 = 0
    let size = MemoryLayout.size(ofValue: count)
    return (try? systemCall { unsafe read(descriptor.rawValue, &count, size) }.get()) == size
  }
}
