import SceneClient
import SessionBus

/// Tells what became of an event that the tool sent.
struct OutcomeReport {
  let printsJSON: Bool

  /// Tells an outcome, and returns the exit status it stands for.
  func tell(_ event: Event, _ outcome: EventOutcome) -> CommandStatus {
    if printsJSON {
      Terminal.show(JSONLine(event, outcome).text)
    } else {
      Terminal.show("\(event.summary): \(outcome.sentence)")
    }
    if !outcome.isTaken { notify(event, outcome.description) }
    return CommandStatus(outcome)
  }

  /// Tells where an event was routed to, when nobody waits for its end.
  func tell(_ event: Event, _ decision: RouteDecision) -> CommandStatus {
    if printsJSON {
      Terminal.show(JSONLine(event, decision).text)
    } else {
      Terminal.show("\(event.summary): routed to \(decision.sentence)")
    }
    guard decision.target == .nothing else { return .taken }
    notify(event, "No rule found a target.")
    return .notRouted
  }

  /// Tells why an event was not accepted.
  func tell(_ event: String, _ error: RouterError) -> CommandStatus {
    Terminal.showError("\(event.printable): \(error.description.printable)")
    notify(event, error.description)
    return CommandStatus(error)
  }

  private func notify(_ event: Event, _ text: String) { notify(event.summary, text) }

  /// Tells a failure through the desktop when the tool was started from it, with no terminal to see.
  private func notify(_ event: String, _ text: String) {
    guard !Terminal.showsErrors else { return }
    _ = unsafe scened_show_notification("A link could not be opened", "\(event)\n\(text)".escapedForMarkup)
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
