extension PlayedScenario {
  /// The differences between the played outcome and the outcome that the vector demands; empty if there are none.
  package func differences(from vector: RoutingVector) -> [String] {
    var differences = differences(attempts: vector.attempts, end: vector.end, first: nil)
    let first = route.attempts.first
    if let patterns = vector.matchedPatterns,
      !(first?.matchedPattern.map(patterns.contains) ?? patterns.isEmpty)
    {
      differences.append("matchedPattern \(first?.matchedPattern ?? "nil"), not one of \(patterns)")
    }
    if let field = vector.matchedField, first?.matchedField != field.rawValue {
      differences.append("matchedField \(first?.matchedField ?? "nil"), not \(field.rawValue)")
    }
    if let registrations = vector.registrationIds, first?.registrationIds != registrations {
      differences.append("registrationIds \(first?.registrationIds ?? []), not \(registrations)")
    }
    if let because = vector.because, first?.applicationBecause != because.rawValue {
      differences.append("applicationBecause \(first?.applicationBecause ?? "nil"), not \(because)")
    }
    return differences
  }

  /// The differences between the played outcome and the outcome of the reference router; empty if there are none.
  package func differences(from scenario: Scenario) -> [String] {
    let route = ReferenceRouter.route(scenario)
    var differences = differences(
      attempts: route.attempts.map(\.description),
      end: route.end,
      first: route.attempts.first?.decision
    )
    if let explanation, let first = self.route.attempts.first,
      (explanation.rule, explanation.target, explanation.registrationIds)
        != (first.rule, first.target, first.registrationIds)
    {
      differences.append("explained \(explanation.summary), did \(first.summary)")
    }
    return differences
  }

  private func differences(
    attempts: [String],
    end: ReferenceRouter.End,
    first: ReferenceRouter.Decision?
  ) -> [String] {
    var differences: [String] = []
    let played = route.attempts.map(\.summary)
    if played != attempts { differences.append("attempts \(played), not \(attempts)") }
    if route.end != end.rawValue { differences.append("end \(route.end), not \(end.rawValue)") }
    guard let first, let mine = route.attempts.first else { return differences }
    if mine.applicationBecause != first.because.rawValue {
      differences.append("applicationBecause \(mine.applicationBecause ?? "nil"), not \(first.because)")
    }
    if !first.hostClaims.isEmpty, !(mine.applicationSource.map(first.hostClaims.contains) ?? false) {
      differences.append(
        "applicationSource \(mine.applicationSource ?? "nil"), not one of \(first.hostClaims)"
      )
    }
    if !(mine.matchedPattern.map(first.matchedPatterns.contains) ?? first.matchedPatterns.isEmpty) {
      differences.append(
        "matchedPattern \(mine.matchedPattern ?? "nil"), not one of \(first.matchedPatterns)"
      )
    }
    if let pattern = mine.matchedPattern, let field = first.matchedField {
      let field = first.resolvedPatterns.contains(pattern) ? ReferenceRouter.MatchedField.resolvedURL : field
      let isType = mine.rule == "document" && mine.matchedField == "contentType"
      if mine.matchedField != field.rawValue, !isType {
        differences.append("matchedField \(mine.matchedField ?? "nil"), not \(field.rawValue)")
      }
    }
    if mine.registrationIds != first.registrationIds {
      differences.append("registrationIds \(mine.registrationIds), not \(first.registrationIds)")
    }
    return differences
  }
}
