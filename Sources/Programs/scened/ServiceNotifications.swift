import CSystemd
import Dispatch
import Synchronization

/// Reports the daemon's state to the service manager, on a separate dispatch queue.
///
/// The queue is separate, because sd_notify(3) blocks while the manager does not read, and other work must not wait for
/// the manager. A newer status replaces a status that has not been sent yet.
final class ServiceNotifications: Sendable {
  private struct Pending {
    var status: String?
    var isAlive = false
  }

  private let queue = DispatchQueue(label: "scened.notifications")
  private let pending = Mutex(Pending())

  /// Reports that the daemon serves clients.
  func ready(_ status: String) {
    queue.async { unsafe scened_notify_ready(status) }
  }

  /// Reports the status line, which is for people.
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

  /// Reports to the watchdog that the daemon is alive.
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

  /// Reports that a reload of the files has begun; ``reloaded()`` reports its end.
  func reloading() {
    queue.async { scened_notify_reloading() }
  }

  /// Reports that the declarations from the files are in force.
  func reloaded() {
    queue.async { scened_notify_ready(nil) }
  }

  /// Reports that the shutdown has begun.
  func stopping() {
    queue.async { unsafe scened_notify_stopping("Stopping.") }
  }

  /// Waits until all reports are sent, one second at most.
  func finish() {
    let sent = DispatchGroup()
    queue.async(group: sent) {}
    _ = sent.wait(timeout: .now() + .seconds(1))
  }
}
