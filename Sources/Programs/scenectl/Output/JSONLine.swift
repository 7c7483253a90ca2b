import SceneClient

/// A JSON object in one line, for programs.
struct JSONLine {
  let text: String

  /// Each value is JSON; a member without a value is left out.
  init(_ members: KeyValuePairs<String, String?>...) {
    let members = members.joined().compactMap { name, value in value.map { "\(name.quoted):\($0)" } }
    text = "{" + members.joined(separator: ",") + "}"
  }
}

extension JSONLine {
  /// `outcome` is a value of `Settlement.result`, or `notRouted`; the other members are those of the reply to
  /// `SendEvent`.
  init(_ event: Event, _ outcome: EventOutcome) {
    switch outcome {
    case .taken(let report), .declined(let report), .timedOut(let report), .launchFailed(let report):
      self.init([
        "event": event.json,
        "outcome": report.settlement.result.rawValue.quoted,
        "decision": report.decision.json,
        "settlement": report.settlement.json,
        "attempts": "[" + report.attempts.map(\.json).joined(separator: ",") + "]",
      ])
    case .notRouted(let decision): self.init(event, decision)
    case .serviceStopping(let decision):
      self.init(["event": event.json, "outcome": "shutdown".quoted, "decision": decision?.json])
    }
  }

  /// `outcome` is there only if the decision found no target; otherwise it is not known yet.
  init(_ event: Event, _ decision: RouteDecision) {
    self.init([
      "event": event.json,
      "outcome": decision.target == .nothing ? "notRouted".quoted : nil,
      "decision": decision.json,
    ])
  }
}

extension FixedWidthInteger {
  func text(digits: Int, radix: Int = 10) -> String {
    let text = String(self, radix: radix, uppercase: true)
    return String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
  }
}

extension [String] {
  var quoted: String { "[" + map(\.quoted).joined(separator: ",") + "]" }
}

extension String {
  var quoted: String {
    unicodeScalars.reduce(into: "\"") { text, scalar in
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case ..<" ": text += "\\u" + scalar.value.text(digits: 4, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    } + "\""
  }
}
