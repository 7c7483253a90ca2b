import Logging
import SceneRouting
import VarlinkServer

extension RouterService {
  /// Holds events after a restart, for at most two seconds.
  ///
  /// The last run of the service wrote the number of its scenes and declarations to the page. The wait ends when the
  /// same number of scenes and declarations are open. From now on, ``restartPage`` keeps the number for the next run.
  /// If the page cannot be opened, the reason is logged, and no event is held.
  func awaitReturn(in directory: String) {
    do throws(StateFileError) {
      let page = try RestartPage(in: directory)
      router.awaitReturn(of: page.count, now: MonotonicClock.now)
      restartPage = consume page
      noteOpen()
    } catch {
      log.warning("After a restart, events do not wait for the scenes that were open: \(error)")
    }
  }

  /// Writes the number of scenes and declarations for which the next run of the service has to wait.
  func noteOpen() { restartPage?.write(router.countToReturn) }

  /// Refuses new events from now on, and ends each event that has not been shown to a scene or a program.
  ///
  /// Events that have been shown can be settled for ``settlingUSec`` more.
  func prepareToStop() {
    refusals.finish()
    settlesUntil = MonotonicClock.now + Self.settlingUSec
    carryOut(router.beginShutDown(now: MonotonicClock.now))
  }

  /// Whether every event has ended and been reported, or the time for settlements is over.
  var isReadyToStop: Bool {
    !router.hasEventsUnderWay && !hasWork || settlesUntil.map { $0 <= MonotonicClock.now } ?? false
  }

  /// The time for settlements while the service stops: 2 s, in microseconds.
  private static let settlingUSec: UInt64 = 2_000_000
}
