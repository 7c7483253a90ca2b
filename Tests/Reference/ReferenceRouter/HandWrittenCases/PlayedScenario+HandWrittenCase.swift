extension PlayedScenario {
  /// The differences between the played outcome and the outcome that was written by hand.
  package func differences(from written: HandWrittenCase) -> [String] {
    var differences = differences(attempts: written.attempts, end: written.end, first: nil)
    let first = route.attempts.first
    if let patterns = written.matchedPatterns,
      !(first?.matchedPattern.map(patterns.contains) ?? patterns.isEmpty)
    {
      differences.append("matchedPattern \(first?.matchedPattern ?? "nil"), not one of \(patterns)")
    }
    if let field = written.matchedField, first?.matchedField != field.rawValue,
      field.rawValue != "contentType"
    {
      differences.append("matchedField \(first?.matchedField ?? "nil"), not \(field.rawValue)")
    }
    if let registrations = written.registrationIds, first?.registrationIds != registrations {
      differences.append("registrationIds \(first?.registrationIds ?? []), not \(registrations)")
    }
    if let because = written.because, first?.applicationBecause != because.rawValue {
      differences.append("applicationBecause \(first?.applicationBecause ?? "nil"), not \(because)")
    }
    return differences
  }
}
