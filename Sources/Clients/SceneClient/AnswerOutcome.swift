/// The outcome of an answer to a delivery or an open request.
///
/// An answer that comes too late throws no error, because the program can go on as before.
public enum AnswerOutcome: Sendable, Equatable {
  /// The answer takes effect.
  case accepted
  /// The answer has no effect, because the delivery or the open request had already ended with this result.
  ///
  /// The result is nil if the router no longer remembers the delivery or the open request.
  case tooLate(Settlement.Result?)
}

extension AnswerOutcome {
  /// Makes the outcome ``tooLate(_:)`` from an error that says that the answer came too late.
  ///
  /// The initializer returns nil for all other errors.
  init?(refusal: RouterError) {
    switch refusal.code {
    case .noSuchDelivery(_, let result), .noSuchOpenRequest(_, let result): self = .tooLate(result)
    case .noSuchScene: self = .tooLate(.sceneClosed)
    case .noSuchApplication: self = .tooLate(.launchFailed)
    default: return nil
    }
  }
}
