import ReferenceRouter
import Testing

struct HandWrittenCaseTests {
  @Test(arguments: HandWrittenCase.all)
  func referenceRoutesAsWritten(_ written: HandWrittenCase) {
    let route = ReferenceRouter.route(written.scenario)
    #expect(route.attempts.map(\.description) == written.attempts)
    #expect(route.end == written.end)
  }

  @Test(arguments: HandWrittenCase.all)
  func referenceTellsWhatMatched(_ written: HandWrittenCase) {
    guard case .routed(let decision) = ReferenceRouter.decide(written.scenario) else {
      #expect(written.attempts.isEmpty)
      return
    }
    #expect(written.attempts.first?.hasPrefix("\(decision.rule.rawValue) \(decision.target) ") == true)
    #expect(decision.matchedPatterns == written.matchedPatterns ?? decision.matchedPatterns)
    let field =
      decision.resolvedPatterns.isEmpty || decision.resolvedPatterns != decision.matchedPatterns
      ? decision.matchedField : .resolvedURL
    #expect(field == written.matchedField ?? field)
    #expect(decision.registrationIds == written.registrationIds ?? decision.registrationIds)
    #expect(decision.because == written.because ?? decision.because)
  }

  @Test func namesAreUnique() {
    let names = HandWrittenCase.all.map(\.scenario.name)
    #expect(Set(names).count == names.count)
    #expect(names.count >= 60)
  }
}
