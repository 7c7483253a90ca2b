import SceneClient

/// Shows the outcomes of events that the tool sent.
struct OutcomeReport {
  let printsJSON: Bool
  /// Whether a failure is shown as a desktop notification if standard error is no terminal.
  let notifiesDesktop: Bool

  /// Shows an outcome, and returns its exit status.
  func show(_ event: Event, _ outcome: EventOutcome) async throws(OutputError) -> CommandStatus {
    if !outcome.isTaken { await notify(event.summary, outcome.description) }
    if printsJSON {
      try Terminal.showJSON(JSONLine(event, outcome).text)
    } else {
      try Terminal.show("\(event.summary): \(outcome.sentence)")
    }
    return CommandStatus(outcome)
  }

  /// Shows the decision for an event whose outcome is not awaited, and returns its exit status.
  func show(_ event: Event, _ decision: RouteDecision) async throws(OutputError) -> CommandStatus {
    guard decision.target != .nothing else { return try await show(event, .notRouted(decision)) }
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
