import Logging
import SceneRouting
import VarlinkServer

extension RouterService {
  /// Holds events for two seconds, or until as many scenes and declarations are open again as the last run wrote to a
  /// file.
  ///
  /// If the file cannot be opened, no event is held.
  func awaitReturn(in directory: String) {
    do throws(StateFileError) {
      let page = try RestartPage(in: directory)
      router.awaitReturn(of: page.count, now: MonotonicClock.now)
      restartPage = consume page
      writeOpenCount()
    } catch {
      log.warning("After a restart, events do not wait for the scenes that were open: \(error)")
    }
  }

  func writeOpenCount() { restartPage?.write(router.countToReturn) }

  /// Refuses new events, and ends each event that has not been shown to a scene or a program.
  func prepareToStop() {
    refusals.finish()
    settlesUntil = MonotonicClock.now + Self.settlingUSec
    apply(router.prepareToStop(now: MonotonicClock.now))
  }

  var isReadyToStop: Bool {
    !router.hasEventsUnderWay && !hasWork || settlesUntil.map { $0 <= MonotonicClock.now } ?? false
  }

  /// In this time, clients can settle events that have been shown to them.
  private static let settlingUSec: UInt64 = 2_000_000
}
