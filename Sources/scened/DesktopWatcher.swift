import Dispatch
import Launching
import Logging
import SystemPackage
import UnixSocket

/// Reports that files of the desktop have changed, and have settled.
///
/// It belongs to the queue on which it reports.
final class DesktopWatcher {
  private let inotify: Inotify
  private let source: any DispatchSourceRead
  private let timer: any DispatchSourceTimer
  private let log: Logger
  private let changed: () -> Void
  private var names: [Inotify.Watch: WatchedNames] = [:]
  private var settling = Settling()
  /// Why directories are not watched, as it was logged.
  private var failure: String?

  /// Watches nothing yet; nil if the system has no room for it, which is logged.
  ///
  /// Changes that come before the end of a report are in the next one.
  init?(on queue: DispatchQueue, log: Logger, changed: @escaping () -> Void) {
    do throws(SocketError) {
      inotify = try Inotify()
    } catch {
      log.warning("Changes of desktop entries are only taken in by a reload. \(error)")
      return nil
    }
    (self.log, self.changed) = (log, changed)
    timer = DispatchSource.makeTimerSource(queue: queue)
    source = DispatchSource.makeReadSource(fileDescriptor: inotify.descriptor.rawValue, queue: queue)
    source.setEventHandler { [weak self] in self?.takeChanges() }
    timer.setEventHandler { [weak self] in self?.reportWhenSettled() }
    source.activate()
    timer.activate()
  }

  /// Watches the directories of some places, and no others any longer.
  func watch(_ places: DesktopPlaces) {
    var failure: String?
    while true {
      var found: [Inotify.Watch: WatchedNames] = [:]
      for (path, names) in places.watchedDirectories {
        switch inotify.watch(path) {
        case .success(let watch): found[watch, default: names].formUnion(names)
        // Above it is one that is there, where it would appear.
        case .failure(.noSuchFileOrDirectory), .failure(.notDirectory): break
        case .failure(let error): failure = "\(error)"
        }
      }
      let isComplete = found.keys == names.keys
      for watch in names.keys where found[watch] == nil { inotify.remove(watch) }
      names = found
      // Until they are watched, others can appear in them.
      if isComplete { break }
    }
    if let failure, failure != self.failure {
      log.warning(
        "Some directories of desktop entries are not watched, so that changes there need a reload: \(failure)."
      )
    }
    self.failure = failure
  }

  private func takeChanges() {
    let isRelevant = inotify.takeChanges().contains { change in
      guard let watch = change.watch else { return true }
      guard let names = names[watch] else { return false }
      return change.name.map { names.contains($0) } ?? true
    }
    guard isRelevant, settling.note(at: .now) else { return }
    reportWhenSettled()
  }

  private func reportWhenSettled() {
    guard let deadline = settling.deadline else { return }
    let rest = deadline - .now
    if rest > .zero {
      timer.schedule(deadline: .now() + .nanoseconds(Int(rest / .nanoseconds(1))))
    } else {
      settling = Settling()
      changed()
    }
  }
}
