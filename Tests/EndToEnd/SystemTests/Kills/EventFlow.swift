import SceneClient
import Synchronization
import Testing

/// Events that are sent one after the other.
///
/// Every second event has an id that the sender sets.
final class EventFlow: Sendable {
  /// The fate of the events.
  struct Result {
    /// The URLs of all events that were taken.
    var taken: [String] = []
    /// A description of each event that was not taken.
    var failures: [String] = []
    /// The longest time from the sending of an event to its end.
    var longest = Duration.zero
  }

  /// Yields a value just before each event is sent; at most one unread value is kept.
  let starts: AsyncStream<Void>
  private let started: AsyncStream<Void>.Continuation
  private let ends = Atomic(false)
  private let result = Mutex(Result())
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ router: RouterConnection, name: String, to targets: [String]) {
    (starts, started) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      var number = 0
      while !ends.load(ordering: .relaxed) {
        number += 1
        let id = number.isMultiple(of: 2) ? "\(name)-\(number)" : nil
        await send("\(targets[number % targets.count])\(name)-\(number)&", id: id, over: router)
      }
    }
    self.task.withLock { $0 = task }
  }

  /// Stops sending, waits for the end of the last event, and returns the fate of all events.
  func end() async -> Result {
    ends.store(true, ordering: .relaxed)
    await task.withLock(\.self)?.value
    return result.withLock(\.self)
  }

  private func send(_ url: String, id: String?, over router: RouterConnection) async {
    started.yield()
    let start = ContinuousClock.now
    do {
      let outcome = try await router.send(
        Event(url: url),
        // An event that arrives before a window is back must not open another window.
        to: RoutingScope(allowsNewScene: false),
        // On a busy machine, the default timeout of an event could pass before the window's program takes the event.
        options: SendOptions(eventID: id, timeout: .seconds(600))
      )
      let time = start.duration(to: .now)
      result.withLock { result in
        result.longest = max(result.longest, time)
        if outcome.isTaken { result.taken.append(url) } else { result.failures.append("\(url): \(outcome)") }
      }
    } catch {
      result.withLock { $0.failures.append("\(url): \(error)") }
    }
  }
}
