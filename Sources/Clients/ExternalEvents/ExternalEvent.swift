/// The event that an action is called with.
public struct ExternalEvent: Sendable {
  /// What has become of an event in this window.
  enum Verdict: Sendable {
    case taken
    /// No action handles such an event.
    case unhandled
    /// Each action has thrown, the first with this text.
    case refused(String)
    case withdrawn

    /// Notes that an action has thrown; the first error is the reason, if no action takes the event.
    mutating func note(_ error: any Error) {
      if case .unhandled = self { self = .refused("\(error)") }
    }
  }

  @TaskLocal static var current: ExternalEvent?

  private let verdicts = AsyncStream.makeStream(of: Verdict.self)

  /// Says that the window takes the event whose action this is, before the action returns.
  ///
  /// For actions that take long: the event's time no longer counts, and the next event may come. Outside of an action
  /// that is `async` this does nothing.
  public static func accept() {
    current?.decide(.taken)
  }

  /// Notes what has become of the event, if nothing has yet.
  func decide(_ verdict: Verdict) {
    verdicts.continuation.yield(verdict)
    verdicts.continuation.finish()
  }

  /// What becomes of the event.
  var verdict: Verdict {
    get async {
      for await verdict in verdicts.stream { return verdict }
      return .withdrawn
    }
  }
}
