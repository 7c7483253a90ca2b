/// The event that an action is called with.
public struct ExternalEvent: Sendable {
  /// What has become of an event in this window.
  enum Verdict: Sendable {
    case taken
    case declined(reason: String)
    case withdrawn
  }

  @TaskLocal static var current: ExternalEvent?

  private let verdicts = AsyncStream.makeStream(of: Verdict.self)

  /// Says that the window takes the event whose action this is, before the action returns.
  ///
  /// For actions that take long: the event's time no longer counts, and the next event may come. Outside of an action
  /// this does nothing.
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

  /// Calls the actions, one after the other, and decides.
  func perform(_ actions: [() async throws -> Void]) async {
    var reason: String?
    for action in actions {
      do {
        try await action()
        decide(.taken)
      } catch {
        reason = reason ?? "\(error)"
      }
    }
    decide(.declined(reason: reason ?? "no view of the window handles such an event"))
  }
}
