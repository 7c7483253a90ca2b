import Foundation
import Testing

@testable import ReferenceRouter

struct RoutingVectorTests {
  @Test(arguments: try RoutingVector.load())
  func referenceRoutesAsWritten(_ vector: RoutingVector) {
    let route = ReferenceRouter.route(vector.scenario)
    #expect(route.attempts.map(\.description) == vector.attempts)
    #expect(route.end == vector.end)
  }

  @Test(arguments: try RoutingVector.load())
  func referenceTellsWhatMatched(_ vector: RoutingVector) {
    guard case .routed(let decision) = ReferenceRouter.decide(vector.scenario) else {
      #expect(vector.attempts.isEmpty)
      return
    }
    #expect(vector.attempts.first?.hasPrefix("\(decision.rule.rawValue) \(decision.target) ") == true)
    #expect(decision.matchedPatterns == vector.matchedPatterns ?? decision.matchedPatterns)
    let field =
      decision.resolvedPatterns.isEmpty || decision.resolvedPatterns != decision.matchedPatterns
      ? decision.matchedField : .resolvedURL
    #expect(field == vector.matchedField ?? field)
    #expect(decision.registrationIds == vector.registrationIds ?? decision.registrationIds)
    #expect(decision.because == vector.because ?? decision.because)
  }

  @Test func namesAreUnique() throws {
    let names = try RoutingVector.load().map(\.scenario.name)
    #expect(Set(names).count == names.count)
    #expect(names.count >= 841)
  }

  @Test func everyMemberOfALineIsRead() throws {
    for line in try RoutingVector.lines() {
      let read = try JSONEncoder().encode(JSONDecoder().decode(RoutingVector.Line.self, from: line))
      #expect(try sortedJSON(read) == sortedJSON(line))
    }
  }

  /// The members in one order, without those that are null.
  private func sortedJSON(_ json: Data) throws -> String {
    let object = withoutNulls(try JSONSerialization.jsonObject(with: json))
    return String(
      decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys),
      as: UTF8.self
    )
  }

  private func withoutNulls(_ value: Any) -> Any {
    switch value {
    case let members as [String: Any]: members.filter { !($0.value is NSNull) }.mapValues(withoutNulls)
    case let elements as [Any]: elements.map(withoutNulls)
    default: value
    }
  }
}
