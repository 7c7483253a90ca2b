import CLinux
import Glibc

/// A timer that runs once, with a descriptor for epoll (timerfd_create(2)); it stands still while the machine sleeps.
package struct Timer: ~Copyable, Sendable {
  package let descriptor: OwnedDescriptor

  package init(_ duration: Duration) throws(SocketError) {
    // TFD_CLOEXEC and TFD_NONBLOCK have the same values.
    let flags = O_CLOEXEC | O_NONBLOCK
    let number = try systemCall { timerfd_create(CLOCK_MONOTONIC, flags) }.get("timerfd_create")
    let timer = OwnedDescriptor(number)
    // `timerfd_settime` would stop the timer if the time were zero.
    let parts = max(duration, .nanoseconds(1)).components
    let value = timespec(tv_sec: time_t(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
    var setting = itimerspec(it_interval: timespec(), it_value: value)
    try systemCall { unsafe timerfd_settime(number, 0, &setting, nil) }
      .get("timerfd_settime", about: .descriptor(number))
    descriptor = timer
  }

  /// Returns whether the time has passed, true only once.
  package borrowing func takeEnd() -> Bool {
    var count: UInt64 = 0
    let size = MemoryLayout.size(ofValue: count)
    return (try? systemCall { unsafe read(descriptor.rawValue, &count, size) }.get()) == size
  }
}
