/// The outcome of an answer to a delivery or an open request.
///
/// An answer that comes too late throws no error, because the program can go on as before.
public enum AnswerOutcome: Sendable, Equatable {
  /// The answer takes effect.
  case accepted
  /// The answer has no effect, because the delivery or the open request had already ended with this result; nil if the
  /// router no longer remembers it.
  case tooLate(Settlement.Result?)
}

extension AnswerOutcome {
  /// Nil unless the error says that the answer came too late.
  init?(refusal: RouterError) {
    switch refusal.code {
    case .noSuchDelivery(_, let result), .noSuchOpenRequest(_, let result): self = .tooLate(result)
    case .noSuchScene: self = .tooLate(.sceneClosed)
    case .noSuchApplication: self = .tooLate(.launchFailed)
    default: return nil
    }
  }
}
