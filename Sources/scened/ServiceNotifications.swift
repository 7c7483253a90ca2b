import CSystemd
import Dispatch
import Synchronization

/// Tells the service manager how the daemon is, on a queue of its own.
///
/// A manager that does not read lets sd_notify(3) wait; nobody else is to wait for that. What has not been told is
/// replaced by what is newer.
final class ServiceNotifications: Sendable {
  private struct Pending {
    var status: String?
    var isAlive = false
  }

  private let queue = DispatchQueue(label: "scened.notifications")
  private let pending = Mutex(Pending())

  /// Tells that clients are served.
  func ready(_ status: String) {
    queue.async { unsafe scened_notify_ready(status) }
  }

  /// Tells one line for people.
  func status(_ status: String) {
    let isFirst = pending.withLock { pending in
      defer { pending.status = status }
      return pending.status == nil
    }
    guard isFirst else { return }
    queue.async {
      if let status = self.pending.withLock({ $0.status.take() }) { unsafe scened_notify_status(status) }
    }
  }

  /// Tells that the daemon still gets its turn, as the watchdog wants to know.
  func alive() {
    let isFirst = pending.withLock { pending in
      defer { pending.isAlive = true }
      return !pending.isAlive
    }
    guard isFirst else { return }
    queue.async {
      self.pending.withLock { $0.isAlive = false }
      scened_notify_watchdog()
    }
  }

  /// Tells that the end has begun.
  func stopping() {
    queue.async { unsafe scened_notify_stopping("Stopping.") }
  }

  /// Waits until all has been told, but not for long.
  func finish() {
    let told = DispatchGroup()
    queue.async(group: told) {}
    _ = told.wait(timeout: .now() + .seconds(1))
  }
}
