import Dispatch
import Synchronization

/// Threads that count under a lock; if the program has an argument, the threads also count without a lock.
@main struct PlantedRace {
  nonisolated(unsafe) static var unguarded = 0

  static func main() {
    let guarded = Mutex(0)
    let isRacing = CommandLine.arguments.count > 1
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<20_000 {
        guarded.withLock { $0 += 1 }
        if isRacing { unguarded += 1 }
      }
    }
  }
}
