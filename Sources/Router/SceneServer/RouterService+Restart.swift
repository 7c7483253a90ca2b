import Logging
import SceneRouting
import VarlinkServer

extension RouterService {
  /// Lets events wait for the scenes and declarations that the last run of the service had, and keeps their number for
  /// the next run.
  ///
  /// A page that cannot be used is logged. The service then waits for nothing.
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

  /// Keeps the number of scenes and declarations that are open.
  func noteOpen() { restartPage?.write(router.countToReturn) }

  /// Ends all events that nobody was shown, and takes no event any more; the other events have a while to be settled.
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
