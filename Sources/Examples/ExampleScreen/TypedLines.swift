import Foundation
import Synchronization

/// What is typed, line by line; the end of it is the line `quit`.
final class TypedLines: Sendable {
  private struct State {
    var lines: [String] = []
    var wakes: [ObjectIdentifier: AsyncStream<Void>.Continuation] = [:]
  }

  private let state = Mutex(State())

  /// Reads on a thread of its own, as reading blocks.
  func startReading() {
    Thread.detachNewThread { [self] in
      while let line = readLine() { note(line) }
      note("quit")
    }
  }

  /// What has been typed and not been taken.
  func take() -> [String] {
    state.withLock { state in
      defer { state.lines = [] }
      return state.lines
    }
  }

  /// Wakes the loop of a window with each line from now on; or no longer, with nil.
  func wakes(with continuation: AsyncStream<Void>.Continuation?, for window: ObjectIdentifier) {
    state.withLock { $0.wakes[window] = continuation }
  }

  private func note(_ line: String) {
    let wakes = state.withLock { state in
      state.lines.append(line)
      return state.wakes.values
    }
    for wake in wakes { wake.yield() }
  }
}
