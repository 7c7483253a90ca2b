/// The outcome of an answer to a delivery or an open request.
///
/// An answer that comes too late is no error, because the scene and the application go on.
public enum AnswerOutcome: Sendable, Equatable {
  /// The answer counts.
  case accepted
  /// The answer changes nothing, because the attempt ended before with this result.
  ///
  /// The result is nil if the router does not remember the attempt.
  case tooLate(Settlement.Result?)
}

extension AnswerOutcome {
  /// Makes the outcome of an answer that the router has refused; nil if the router still waits for an answer.
  init?(refusal: RouterError) {
    switch refusal.code {
    case .noSuchDelivery(_, let result), .noSuchOpenRequest(_, let result): self = .tooLate(result)
    case .noSuchScene: self = .tooLate(.sceneClosed)
    case .noSuchApplication: self = .tooLate(.launchFailed)
    default: return nil
    }
  }
}
