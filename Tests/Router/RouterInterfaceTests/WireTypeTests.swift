import RouterInterface
import Testing
import Varlink

/// Compares the code with the interface description, field by field.
struct WireTypeTests {
  @Test func everyTypeOfTheInterfaceIsKnown() {
    #expect(
      Set(WireType.types.map(\.testDescription))
        == Set((WireType.router.types + WireType.manager.types).map(\.name))
    )
  }

  @Test(arguments: [WireType.router, WireType.manager, WireType.service])
  func everyMethodOfTheInterfaceIsKnown(_ interface: InterfaceDescription) {
    let calls = WireType.calls.filter { $0.interface.name == interface.name }
    #expect(Set(calls.map(\.testDescription)) == Set(interface.methods.map { $0.name + "()" }))
  }

  @Test(arguments: WireType.all, Sample.EventKind.allCases)
  func allFieldsAreReadAndWrittenInOrder(_ type: WireType, _ event: Sample.EventKind) throws {
    let json = type.sample(event).object(of: type.fields)
    #expect(try type.recode(json, .refused) == json)
  }

  @Test(arguments: WireType.all)
  func orderDoesNotMatterWhenReading(_ type: WireType) throws {
    let members = type.sample().members(of: type.fields)
    let recoded = try type.recode(Sample.object(members.reversed()), .refused)
    #expect(recoded == Sample.object(members))
  }

  @Test(arguments: WireType.all.filter(\.isGenerated))
  func propertiesAreTheFields(_ type: WireType) throws {
    let fields = type.fields.map { field in
      if field.name.hasSuffix("Id") { return field.name.dropLast() + "D" }
      if field.name.hasSuffix("Url") { return field.name.dropLast(2) + "RL" }
      if field.name.hasSuffix("Ids") { return field.name.dropLast(2) + "Ds" }
      return field.name[...]
    }
    #expect(try type.properties(type.sample().object(of: type.fields)) == fields.map(String.init))
  }

  @Test(arguments: WireType.all)
  func nullableFieldsMayBeAbsent(_ type: WireType) throws {
    let json = type.sample(isFull: false).object(of: type.fields)
    #expect(try type.recode(json, .refused) == json)
  }

  @Test(arguments: WireType.all)
  func nullIsAbsent(_ type: WireType) throws {
    let sample = type.sample(isFull: false)
    let given = sample.members(of: type.fields)
    let nulls = type.fields.map(\.name).filter { name in !given.contains { $0.name == name } }
    let json = Sample.object(given + nulls.map { ($0, "null") })
    #expect(try type.recode(json, .refused) == Sample.object(given))
  }

  @Test(arguments: WireType.all)
  func requiredFieldsAreMissedByName(_ type: WireType) {
    let members = type.sample().members(of: type.fields)
    for field in type.fields where !field.type.isNullable {
      #expect(throws: ParameterError(.missing, path: field.name)) {
        try type.recode(Sample.object(members.filter { $0.name != field.name }), .refused)
      }
      #expect(throws: ParameterError(.missing, path: field.name)) {
        try type.recode(type.json(replacing: field.name, with: "null"), .ignored)
      }
    }
  }

  @Test(arguments: WireType.all)
  func valuesOfAnotherTypeAreRefusedByName(_ type: WireType) {
    for field in type.fields {
      let (wrong, reason) = field.type.nonNull.wrongValue
      #expect(throws: ParameterError(reason, path: field.name)) {
        try type.recode(type.json(replacing: field.name, with: wrong), .ignored)
      }
    }
  }

  @Test(arguments: WireType.all)
  func unknownFieldsAreRefusedInCallsAndIgnoredInReplies(_ type: WireType) throws {
    let members = type.sample().members(of: type.fields)
    let json = Sample.object(members + [("later", "{\"any\":1}")])
    #expect(throws: ParameterError(.unknown, path: "later")) { try type.recode(json, .refused) }
    #expect(try type.recode(json, .ignored) == Sample.object(members))
  }
}

extension InterfaceType {
  /// JSON that is no value of this type, and the reason in the error that reading this JSON causes.
  fileprivate var wrongValue: (json: String, reason: ParameterError.Reason) {
    switch self {
    case .bool: ("1", .wrongType)
    case .int: ("1.0", .wrongType)
    case .enumeration: ("\"none of them\"", .notAllowed)
    case .array: ("{}", .wrongType)
    case .float, .string, .object, .named, .map, .nullable, .structure: ("[]", .wrongType)
    }
  }
}
