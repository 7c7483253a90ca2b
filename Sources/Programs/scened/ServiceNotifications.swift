import CSystemd
import Dispatch
import Synchronization

/// Reports the daemon's state to the service manager, on a queue of its own, because sd_notify(3) blocks while the
/// manager does not read.
///
/// A newer status replaces one that has not been sent yet.
final class ServiceNotifications: Sendable {
  private struct Pending {
    var status: String?
    var isAlive = false
  }

  private let queue = DispatchQueue(label: "scened.notifications")
  private let pending = Mutex(Pending())

  func ready(_ status: String) {
    queue.async { unsafe scened_notify_ready(status) }
  }

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

  func reloading() {
    queue.async { scened_notify_reloading() }
  }

  func reloaded() {
    queue.async { scened_notify_ready(nil) }
  }

  func stopping() {
    queue.async { unsafe scened_notify_stopping("Stopping.") }
  }

  /// Otherwise the process could end before the last notification is sent.
  func finish() {
    let sent = DispatchGroup()
    queue.async(group: sent) {}
    _ = sent.wait(timeout: .now() + .seconds(1))
  }
}
