import SceneClient

/// Shows what became of an event that the tool sent.
struct OutcomeReport {
  let printsJSON: Bool
  /// Whether the desktop shows a failure if there is no terminal to see it on.
  let notifiesDesktop: Bool

  /// Shows an outcome, and returns the exit status it stands for.
  func show(_ event: Event, _ outcome: EventOutcome) async throws(OutputError) -> CommandStatus {
    if !outcome.isTaken { await notify(event.summary, outcome.description) }
    if printsJSON {
      try Terminal.showJSON(JSONLine(event, outcome).text)
    } else {
      try Terminal.show("\(event.summary): \(outcome.sentence)")
    }
    return CommandStatus(outcome)
  }

  /// Shows where an event was routed to, when nobody waits for its end.
  func show(_ event: Event, _ decision: RouteDecision) async throws(OutputError) -> CommandStatus {
    guard decision.target != .nothing else { return try await show(event, .notRouted(decision)) }
    if printsJSON {
      try Terminal.showJSON(JSONLine(event, decision).text)
    } else {
      try Terminal.show("\(event.summary): routed \(decision.route)")
    }
    return .taken
  }

  /// Shows why an event was not accepted, or why its end will never be known.
  func show(_ event: Event, _ error: RouterError) async throws(OutputError) -> CommandStatus {
    let sentence = error.sentence
    await show(event.summary, sentence)
    if printsJSON { try Terminal.showJSON(JSONLine(["event": event.json, "error": sentence.quoted]).text) }
    return CommandStatus(error)
  }

  /// Shows why there is no event, or nobody to send it to.
  func show(_ subject: String, _ sentence: String) async {
    Terminal.showError("\(subject.printable): \(sentence.printable)")
    await notify(subject, sentence)
  }

  private func notify(_ subject: String, _ sentence: String) async {
    guard notifiesDesktop, !Terminal.showsErrors else { return }
    // Failing is no error: the sentence is on standard error all the same.
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
