import SceneClient
import Synchronization
import Testing

/// Events that are sent one after the other; every second event has an id, which is also in its URL.
final class EventFlow: Sendable {
  /// The numbers of events by outcome.
  struct Count {
    var taken = 0
    var failed = 0
    var unknown = 0

    static func += (count: inout Count, other: Count) {
      count.taken += other.taken
      count.failed += other.failed
      count.unknown += other.unknown
    }
  }

  /// Yields when an event is about to be sent; at most one signal is kept.
  let starts: AsyncStream<Void>
  private let started: AsyncStream<Void>.Continuation
  private let ends = Atomic(false)
  private let count = Mutex(Count())
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ router: RouterConnection, name: String, to targets: [String]) {
    (starts, started) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      var number = 0
      while !ends.load(ordering: .relaxed) {
        number += 1
        let id = number.isMultiple(of: 2) ? "\(name)-\(number)" : nil
        await send(targets[number % targets.count], id: id, over: router)
      }
    }
    self.task.withLock { $0 = task }
  }

  /// Stops sending, and returns the counts after the end of each event.
  func end() async -> Count {
    ends.store(true, ordering: .relaxed)
    await task.withLock(\.self)?.value
    return count.withLock(\.self)
  }

  private func send(_ target: String, id: String?, over router: RouterConnection) async {
    started.yield()
    do {
      let outcome = try await router.send(
        Event(url: target + "&id=" + (id ?? "none")),
        // An event that arrives before a window is back must not open another window.
        to: RoutingScope(allowsNewScene: false),
        options: SendOptions(eventID: id)
      )
      count.withLock { if outcome.isTaken { $0.taken += 1 } else { $0.failed += 1 } }
    } catch {
      #expect(error.code == .outcomeUnknown && id == nil, "\(target) with the id \(id ?? "none"): \(error)")
      if error.code != .outcomeUnknown { ends.store(true, ordering: .relaxed) }
      count.withLock { $0.unknown += 1 }
    }
  }
}
