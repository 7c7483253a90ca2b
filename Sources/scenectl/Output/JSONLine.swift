import SceneClient

/// What became of an event, as a JSON object on a line.
///
/// Has the members of a `SendEvent` reply after `event` and `outcome`, whose values are those of
/// `Settlement.result` and `notRouted`.
struct JSONLine {
  let text: String

  init(_ event: Event, _ outcome: EventOutcome) {
    switch outcome {
    case .taken(let report), .declined(let report), .timedOut(let report), .launchFailed(let report):
      text = Self.line(event, report.settlement.result.rawValue, report.json.dropFirst())
    case .notRouted(let decision):
      text = Self.line(event, "notRouted", "\"decision\":\(decision.json)}")
    case .serviceStopping(let decision?):
      text = Self.line(event, "shutdown", "\"decision\":\(decision.json)}")
    case .serviceStopping(nil):
      text = Self.line(event, "shutdown", "}")
    }
  }

  /// `outcome` is not known yet.
  init(_ event: Event, _ decision: RouteDecision) {
    text = Self.line(event, decision.target == .nothing ? "notRouted" : nil, "\"decision\":\(decision.json)}")
  }

  private static func line(_ event: Event, _ outcome: String?, _ rest: some StringProtocol) -> String {
    let outcome = outcome.map { ",\"outcome\":\"\($0)\"" } ?? ""
    return "{\"event\":\(event.json)" + outcome + (rest == "}" ? "" : ",") + rest
  }
}
