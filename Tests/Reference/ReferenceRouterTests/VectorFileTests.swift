import ReferenceRouter
import Testing

struct VectorFileTests {
  @Test func fileHoldsAllVectors() throws {
    #expect(try VectorFile.load().count == 379)
  }

  @Test(arguments: try! VectorFile.load())
  func referenceDecidesAsTheVector(_ vector: VectorFile.Case) {
    switch ReferenceRouter.decide(vector.scenario) {
    case .routed(let decision):
      #expect(decision.rule == vector.rule)
      #expect(decision.target == vector.target)
    case let outcome:
      #expect(outcome == .notRouted)
      #expect(vector.rule == nil)
      #expect(vector.target == nil)
    }
  }
}
