import SceneClient

/// Shows the outcomes of events that the tool sent.
struct OutcomeReport {
  let printsJSON: Bool
  /// The options that select the router of the events.
  let router: RouterOptions
  /// Whether a failure is shown as a desktop notification if standard error is no terminal.
  let notifiesDesktop: Bool

  /// Shows an outcome, and returns its exit status.
  func show(
    _ event: Event,
    to scope: RoutingScope,
    _ outcome: EventOutcome
  ) async throws(OutputError) -> CommandStatus {
    let question: String? =
      if case .notRouted = outcome { ExplainCommand.line(for: event, to: scope, router) } else { nil }
    if !outcome.isTaken {
      await notify(event.summary, outcome.description + (question.map { " See: \($0)" } ?? ""))
    }
    if printsJSON {
      try Terminal.showJSON(JSONLine(event, outcome).text)
    } else {
      try Terminal.show("\(event.summary): \(outcome.sentence)" + (question.map { "; see: \($0)" } ?? ""))
    }
    return CommandStatus(outcome)
  }

  /// Shows the decision for an event whose outcome is not awaited, and returns its exit status.
  func show(
    _ event: Event,
    to scope: RoutingScope,
    _ decision: RouteDecision
  ) async throws(OutputError) -> CommandStatus {
    guard decision.target != .nothing else { return try await show(event, to: scope, .notRouted(decision)) }
    if printsJSON {
      try Terminal.showJSON(JSONLine(event, decision).text)
    } else {
      try Terminal.show("\(event.summary): routed \(decision.route)")
    }
    return .taken
  }

  /// Shows why the router did not accept an event, or why its outcome stays unknown; returns the exit status.
  func show(_ event: Event, _ error: RouterError) async throws(OutputError) -> CommandStatus {
    let sentence = error.sentence
    await show(event.summary, sentence)
    if printsJSON { try Terminal.showJSON(JSONLine(["event": event.json, "error": sentence.quoted]).text) }
    return CommandStatus(error)
  }

  /// Shows an error about an argument or about the connection, and notifies the desktop.
  func show(_ subject: String, _ sentence: String) async {
    Terminal.showError("\(subject.printable): \(sentence.printable)")
    await notify(subject, sentence)
  }

  private func notify(_ subject: String, _ sentence: String) async {
    guard notifiesDesktop, !Terminal.showsErrors else { return }
    // A failure to notify is ignored, because the sentence is on standard error as well.
    await UserBus.showNotification(
      "A link could not be opened",
      "\(subject.printable)\n\(sentence.printable)".escapedForMarkup
    )
  }
}

extension String {
  fileprivate var escapedForMarkup: String {
    reduce(into: "") { text, character in
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      default: text.append(character)
      }
    }
  }
}
