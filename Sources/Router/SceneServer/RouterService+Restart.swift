import Logging
import SceneRouting
import VarlinkServer

extension RouterService {
  /// Holds events after a restart, for at most two seconds.
  ///
  /// The last run of the service wrote the number of its scenes and declarations to a file. The wait ends early when
  /// this number of scenes and declarations is open again. From now on, ``restartPage`` writes the number for the next
  /// run. If the file cannot be opened, the reason is logged, and no event is held.
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
  /// Clients get two more seconds (``settlingUSec``) to settle the events that have been shown to them.
  func prepareToStop() {
    refusals.finish()
    settlesUntil = MonotonicClock.now + Self.settlingUSec
    carryOut(router.beginShutDown(now: MonotonicClock.now))
  }

  /// Whether every event has ended and been reported, or the time in which clients can settle events has passed.
  var isReadyToStop: Bool {
    !router.hasEventsUnderWay && !hasWork || settlesUntil.map { $0 <= MonotonicClock.now } ?? false
  }

  /// How long clients can still settle events while the service stops: two seconds, in microseconds.
  private static let settlingUSec: UInt64 = 2_000_000
}
