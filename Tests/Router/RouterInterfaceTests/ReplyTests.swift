import RouterInterface
import Testing
import Varlink

/// Replies in which one of several fields is set.
struct ReplyTests {
  /// One field of the replies to a method.
  struct Choice: Sendable, CustomTestStringConvertible {
    let method: String
    let field: Field
    /// Reads a value from JSON, and writes the value as JSON.
    let recode: @Sendable (String) throws -> String
    /// The name of the enumeration case that the JSON is read as.
    let label: @Sendable (String) throws -> String?

    var testDescription: String { "\(method)() -> \(field.name)" }
    var json: String {
      let sample = Sample(interface: WireType.router)
      return Sample.object([(field.name, sample.json(of: field.type, named: field.name))])
    }

    static let all =
      choices(of: Wire.OpenSceneCall.self) + choices(of: Wire.DeclareApplicationCall.self)
      + choices(of: Wire.MonitorCall.self)

    private static func choices<Call: MethodCall>(of type: Call.Type) -> [Choice] {
      let method = WireType.method(Call.method, of: WireType.router)
      return method.output.map { field in
        Choice(
          method: method.name,
          field: field,
          recode: { encode(try decode($0, as: Call.Reply.self, .ignored)) },
          label: { Mirror(reflecting: try decode($0, as: Call.Reply.self, .ignored)).children.first?.label }
        )
      }
    }
  }

  @Test(arguments: Choice.all)
  func eachFieldIsACase(_ choice: Choice) throws {
    #expect(try choice.label(choice.json) == choice.field.name)
    #expect(try choice.recode(choice.json) == choice.json)
  }

  @Test(arguments: Choice.all)
  func valuesOfAnotherTypeAreRefusedByName(_ choice: Choice) {
    #expect(throws: ParameterError(.wrongType, path: choice.field.name)) {
      try choice.recode("{\"\(choice.field.name)\":[]}")
    }
  }

  @Test(arguments: ["{}", #"{"later":{"any":1}}"#])
  func repliesWithoutKnownFieldsAreUnrecognized(_ json: String) throws {
    #expect(try decode(json, as: Wire.OpenSceneCall.Reply.self, .ignored) == .unrecognized)
    #expect(try decode(json, as: Wire.DeclareApplicationCall.Reply.self, .ignored) == .unrecognized)
    #expect(try decode(json, as: Wire.MonitorCall.Reply.self, .ignored) == .unrecognized)
    #expect(encode(Wire.MonitorCall.Reply.unrecognized) == "{}")
  }
}
