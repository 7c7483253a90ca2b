public import SceneClient

/// The event that an action handles.
public struct ExternalEvent: Sendable {
  /// The line of the document at which the user wants to be, counted from 1.
  public var line: Int? { delivery.event.line }
  /// The column in the line, counted from 1.
  public var column: Int? { delivery.event.column }
  /// The MIME type of the document, if the sender knows a more exact type than the file name shows.
  public var contentType: String? { delivery.event.contentType }
  /// The program that sent the event, if the router knows the program.
  public var sender: Sender? { delivery.sender }

  let delivery: Delivery
  var content: Event.Content { delivery.event.content }

  enum Verdict: Sendable {
    case taken
    /// No action handles events of this kind.
    case unhandled
    /// All actions have thrown; the text describes the first error.
    case refused(String)
    case withdrawn

    mutating func note(_ error: any Error) {
      if case .unhandled = self { self = .refused("\(error)") }
    }
  }

  @TaskLocal static var current: ExternalEvent?

  private let verdicts = AsyncStream.makeStream(of: Verdict.self)

  init(_ delivery: Delivery) {
    self.delivery = delivery
  }

  /// Takes the event before its action returns.
  ///
  /// Call this method in an `async` action that runs for a long time. The event can then no longer time out, and the
  /// window gets its next event. The call does nothing outside of an action, or if no action for the event is `async`.
  public static func accept() {
    current?.decide(.taken)
  }

  /// The first verdict counts.
  func decide(_ verdict: Verdict) {
    verdicts.continuation.yield(verdict)
    verdicts.continuation.finish()
  }

  var verdict: Verdict {
    get async {
      for await verdict in verdicts.stream { return verdict }
      return .withdrawn
    }
  }
}
