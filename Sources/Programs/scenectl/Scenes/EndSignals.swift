import Dispatch
import Glibc
import Synchronization

/// Handles SIGHUP, SIGINT and SIGTERM while the tool runs other programs, which end before the tool.
enum EndSignals {
  static func cancelling(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task { try await body() }
    let received = Atomic<CInt>(0)
    let sources = [SIGHUP, SIGINT, SIGTERM].filter { !isIgnored($0) }.map { number in
      // By default the kernel would end the process before the dispatch source runs.
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler {
        received.store(number, ordering: .relaxed)
        task.cancel()
      }
      source.resume()
      return source
    }
    let result = await task.result
    withExtendedLifetime(sources) {}
    let number = received.load(ordering: .relaxed)
    if number != 0 { end(by: number) }
    try result.get()
  }

  /// For example by nohup(1).
  private static func isIgnored(_ number: CInt) -> Bool {
    var action = sigaction()
    unsafe sigaction(number, nil, &action)
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// So the parent process sees which signal it was.
  private static func end(by number: CInt) {
    _ = signal(number, SIG_DFL)
    var signals = sigset_t()
    unsafe sigaddset(&signals, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
  }
}
