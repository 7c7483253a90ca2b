import Dispatch
import Installed
import Logging
import SystemPackage
import UnixSocket

/// Watches the files of the desktop and reports changes; changes in quick succession are reported together.
///
/// A watcher may be used only on the queue on which it reports changes.
final class DesktopWatcher {
  /// The largest number of steps behind symbolic links that are watched.
  ///
  /// There is a limit, because the system limits the watches of a user.
  private static let mostSteps = 4096

  private let inotify: Inotify
  private let source: any DispatchSourceRead
  private let timer: any DispatchSourceTimer
  private let log: Logger
  private let changed: () -> Void
  /// For each current watch, the names of the files and directories whose changes are reported.
  private var names: [Inotify.Watch: WatchedNames] = [:]
  /// The watches of the former places; ``removeOthers()`` ends the watches that the current places do not need.
  private var before: [Inotify.Watch: WatchedNames] = [:]
  /// The watched steps behind symbolic links.
  private var steps: Set<LinkStep> = []
  private var settling = Settling()
  /// The reason why a directory that exists could not be watched; nil if all existing directories are watched.
  private var failure: String?
  private var reported: String?

  /// Makes a watcher that watches no directory yet; nil if inotify fails.
  ///
  /// The failure is logged.
  ///
  /// The watcher reports by calling `changed`. A change that comes during a report leads to another report.
  init?(on queue: DispatchQueue, log: Logger, changed: @escaping () -> Void) {
    do throws(SocketError) {
      inotify = try Inotify()
    } catch {
      log.warning("Changes of desktop entries take effect only after a reload: \(error)")
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

  /// Watches the directories of the given places instead of the directories watched so far.
  func watch(_ places: DesktopPlaces) {
    (before, names, steps, failure) = (names, [:], [], nil)
    // The paths are sorted, so that a parent directory is watched before its subdirectories. The watch of the parent
    // then reports each subdirectory that appears later.
    for (path, names) in places.watchedDirectories.sorted(by: { $0.key < $1.key }) { watch(path, for: names) }
    for path in places.watchedPaths { followLink(path) }
  }

  /// Watches a directory of entries, or an entry; in both cases also what a symbolic link leads to, at every step.
  func watch(_ path: String) {
    watch(path, for: .all)
    followLink(path)
  }

  private func followLink(_ path: String) {
    for step in LinkStep.steps(ofLink: path) where !steps.contains(step) {
      guard steps.count < Self.mostSteps else {
        return failure = "symbolic links lead through more than \(Self.mostSteps) directories and files"
      }
      steps.insert(step)
      watch(step.directory, for: .some([step.name]))
    }
  }

  private func watch(_ path: String, for counting: WatchedNames) {
    switch inotify.watch(path) {
    case .success(let watch): names[watch, default: counting].formUnion(counting)
    // The directory is missing. The watch of its closest existing parent reports when the directory appears.
    case .failure(.noSuchFileOrDirectory), .failure(.notDirectory): break
    case .failure(let error): failure = "\(error)"
    }
  }

  /// Ends the watches that the current places no longer need.
  func removeOthers() {
    for watch in before.keys where names[watch] == nil { inotify.remove(watch) }
    before = [:]
    if let failure, failure != reported {
      log.warning(
        "Some directories of desktop entries are not watched; changes there need a reload: \(failure)."
      )
    }
    reported = failure
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
