import Dispatch
import Synchronization

/// The lines that the user types.
///
/// The end of the input becomes the line `quit`.
final class TypedLines: Sendable {
  private struct State {
    var lines: [String] = []
    var wakes: [ObjectIdentifier: AsyncStream<Void>.Continuation] = [:]
  }

  private let state = Mutex(State())

  /// Starts to read standard input on a separate queue, because reading blocks.
  func startReading() {
    DispatchQueue(label: "typed lines").async { [self] in
      while let line = readLine() { note(line) }
      note("quit")
    }
  }

  /// Returns the lines that were typed since the last call.
  func take() -> [String] {
    state.withLock { state in
      defer { state.lines = [] }
      return state.lines
    }
  }

  /// Registers the continuation that wakes a window after each new line; nil removes the registration.
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
