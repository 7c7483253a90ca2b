import Dispatch
import Installed
import Logging
import SystemPackage
import UnixSocket

/// Watches the files of the desktop, and reports changes in quick succession together.
///
/// It may be used only on the queue on which it reports.
final class DesktopWatcher {
  /// The system limits the watches of a user.
  private static let mostSteps = 4096

  private let inotify: Inotify
  private let source: any DispatchSourceRead
  private let timer: any DispatchSourceTimer
  private let log: Logger
  private let changed: () -> Void
  /// The files and directories whose changes are reported.
  private var names: [Inotify.Watch: WatchedNames] = [:]
  /// Of the former places; ``removeOthers()`` ends those that the current places do not need.
  private var before: [Inotify.Watch: WatchedNames] = [:]
  private var steps: Set<LinkStep> = []
  private var settling = Settling()
  /// Why a directory that exists could not be watched.
  private var failure: String?
  private var reported: String?

  /// Watches no directory yet; nil, with a line in the log, if inotify fails.
  ///
  /// A change that comes during a call of `changed` leads to another call.
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

  func watch(_ places: DesktopPlaces) {
    (before, names, steps, failure) = (names, [:], [], nil)
    // A parent comes before its subdirectories, and its watch then reports each one that appears later.
    for (path, names) in places.watchedDirectories.sorted(by: { $0.key < $1.key }) { watch(path, for: names) }
    for path in places.watchedPaths { followLink(path) }
  }

  /// A directory of entries, or an entry; in both cases also what a symbolic link leads to, at every step.
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
    // The watch of its closest existing parent reports when the directory appears.
    case .failure(.noSuchFileOrDirectory), .failure(.notDirectory): break
    case .failure(let error): failure = "\(error)"
    }
  }

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
