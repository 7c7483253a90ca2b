import Dispatch
import Glibc
import Synchronization

/// The signals that ask the tool to end, for when it has programs to end first.
enum EndSignals {
  /// Runs `body`; a signal cancels it, and ends the tool when `body` has returned, a second one at once.
  static func cancelling(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task { try await body() }
    let first = FirstSignal()
    let sources = [SIGHUP, SIGINT, SIGTERM].filter { !isIgnored($0) }.map { number in
      // Otherwise the system ends the process before the source is asked.
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler {
        if first.note(number) { task.cancel() } else { end(by: number) }
      }
      source.resume()
      return source
    }
    let result = await task.result
    withExtendedLifetime(sources) {}
    if let number = first.number { end(by: number) }
    try result.get()
  }

  private final class FirstSignal: Sendable {
    private let state = Mutex<CInt?>(nil)

    var number: CInt? { state.withLock(\.self) }

    /// Whether there was none before.
    func note(_ number: CInt) -> Bool {
      state.withLock { state in
        defer { state = state ?? number }
        return state == nil
      }
    }
  }

  /// Whether whoever started the tool wants it to take no notice of a signal, as nohup(1) does.
  private static func isIgnored(_ number: CInt) -> Bool {
    var action = sigaction()
    unsafe sigaction(number, nil, &action)
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Ends this process as the signal does where nobody catches it, so that the status tells of it.
  private static func end(by number: CInt) {
    _ = signal(number, SIG_DFL)
    var signals = sigset_t()
    unsafe sigaddset(&signals, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
  }
}
