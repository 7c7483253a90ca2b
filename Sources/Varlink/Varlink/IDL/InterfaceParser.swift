struct InterfaceParser {
  private var scanner: InterfaceScanner
  private var types: [InterfaceDescription.NamedType] = []
  private var methods: [InterfaceDescription.Method] = []
  private var errors: [InterfaceDescription.ErrorType] = []
  private var names: Set<String> = []
  private var references: [(name: String, position: Int)] = []
  private var depth = 0

  init(_ source: String) {
    scanner = InterfaceScanner(source)
  }

  mutating func parse() throws(InterfaceDescriptionError) -> InterfaceDescription {
    let documentation = scanner.documentation
    let name = try parseInterfaceName()
    while !scanner.isAtEnd {
      guard scanner.isAtLineStart else { throw scanner.error("a new line is expected") }
      try parseMember()
    }
    for reference in references where !types.contains(where: { $0.name == reference.name }) {
      throw scanner.error("there is no type '\(reference.name)'", at: reference.position)
    }
    return InterfaceDescription(
      name: name,
      documentation: documentation,
      types: types,
      methods: methods,
      errors: errors
    )
  }

  mutating func parseInterfaceName() throws(InterfaceDescriptionError) -> String {
    try requireKeyword("interface")
    let position = scanner.position
    let name = scanner.takeWord(allowing: Array(".-".utf8))
    guard isInterfaceName(name) else { throw scanner.error("an interface name is expected", at: position) }
    return name
  }

  private mutating func parseMember() throws(InterfaceDescriptionError) {
    let documentation = scanner.documentation
    let position = scanner.position
    switch scanner.takeWord() {
    case "type":
      let name = try parseMemberName()
      let type = try parseStructureOrEnumeration()
      types.append(.init(name: name, documentation: documentation, type: type))
    case "method":
      let name = try parseMemberName()
      let input = try parseFields()
      try scanner.require("->")
      let output = try parseFields()
      methods.append(.init(name: name, documentation: documentation, input: input, output: output))
    case "error":
      let name = try parseMemberName()
      errors.append(.init(name: name, documentation: documentation, fields: try parseFields()))
    default:
      throw scanner.error("'type', 'method' or 'error' is expected", at: position)
    }
  }

  private mutating func parseMemberName() throws(InterfaceDescriptionError) -> String {
    let position = scanner.position
    let name = scanner.takeWord()
    guard isMemberName(name) else {
      throw scanner.error("a name that starts with a capital letter is expected", at: position)
    }
    guard names.insert(name).inserted else {
      throw scanner.error("'\(name)' is there already", at: position)
    }
    return name
  }

  private mutating func requireKeyword(_ keyword: String) throws(InterfaceDescriptionError) {
    let position = scanner.position
    guard scanner.takeWord() == keyword else {
      throw scanner.error("'\(keyword)' is expected", at: position)
    }
  }
}

// MARK: - Types

extension InterfaceParser {
  private mutating func parseType(isNullable: Bool = false) throws(InterfaceDescriptionError) -> InterfaceType
  {
    depth += 1
    defer { depth -= 1 }
    guard depth <= InterfaceScanner.nestingLimit else { throw scanner.error("types are nested too deeply") }
    let position = scanner.position
    if scanner.take("?") {
      guard !isNullable else { throw scanner.error("a type cannot be nullable twice", at: position) }
      return .nullable(try parseType(isNullable: true))
    }
    if scanner.take("[]") { return .array(try parseType()) }
    if scanner.take("[string]") { return .map(try parseType()) }
    if scanner.take("(") { return try parseRestOfStructureOrEnumeration() }
    switch scanner.takeWord() {
    case "bool": return .bool
    case "int": return .int
    case "float": return .float
    case "string": return .string
    case "object": return .object
    case let name where isMemberName(name):
      references.append((name, position))
      return .named(name)
    default:
      throw scanner.error("a type is expected", at: position)
    }
  }

  private mutating func parseStructureOrEnumeration() throws(InterfaceDescriptionError) -> InterfaceType {
    try scanner.require("(")
    return try parseRestOfStructureOrEnumeration()
  }

  private mutating func parseFields() throws(InterfaceDescriptionError) -> [Field] {
    let position = scanner.position
    guard case .structure(let fields) = try parseStructureOrEnumeration() else {
      throw scanner.error("fields with types are expected", at: position)
    }
    return fields
  }

  /// The first name decides: with a type after it, the text is a structure, otherwise an enumeration; `()` is a
  /// structure.
  private mutating func parseRestOfStructureOrEnumeration() throws(InterfaceDescriptionError)
    -> InterfaceType
  {
    if scanner.take(")") { return .structure([]) }
    var fields: [Field] = []
    var cases: [String] = []
    var names: Set<String> = []
    repeat {
      let documentation = scanner.documentation
      let position = scanner.position
      let name = scanner.takeWord(allowing: Array("_".utf8))
      guard isFieldName(name) else { throw scanner.error("a field name is expected", at: position) }
      guard names.insert(name).inserted else {
        throw scanner.error("'\(name)' is there already", at: position)
      }
      if cases.isEmpty, scanner.take(":") {
        fields.append(Field(name: name, documentation: documentation, type: try parseType()))
      } else if fields.isEmpty {
        cases.append(name)
      } else {
        throw scanner.error("':' is expected")
      }
    } while scanner.take(",")
    try scanner.require(")")
    return fields.isEmpty ? .enumeration(cases) : .structure(fields)
  }
}

// MARK: - Names

// `[A-Za-z](-*[A-Za-z0-9])*(\.[A-Za-z0-9](-*[A-Za-z0-9])*)+`
private func isInterfaceName(_ name: String) -> Bool {
  let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  guard labels.count > 1, name.utf8.first?.isLetter == true else { return false }
  return labels.allSatisfy { label in
    label.first?.isAlphanumeric == true && label.last?.isAlphanumeric == true
  }
}

// `[A-Z][A-Za-z0-9]*`
private func isMemberName(_ name: String) -> Bool {
  guard let first = name.utf8.first else { return false }
  return first.isLetter && first & 0x20 == 0
}

// `[A-Za-z](_?[A-Za-z0-9])*`
private func isFieldName(_ name: String) -> Bool {
  guard name.utf8.first?.isLetter == true, name.utf8.last?.isAlphanumeric == true else { return false }
  return !zip(name.utf8, name.utf8.dropFirst()).contains { $0 == $1 && $0 == UInt8(ascii: "_") }
}

extension InterfaceDescription {
  package init(parsing source: String) throws(InterfaceDescriptionError) {
    var parser = InterfaceParser(source)
    self = try parser.parse()
  }

  /// The name of the interface that a text describes; the members are not parsed.
  package static func name(in source: String) throws(InterfaceDescriptionError) -> String {
    var parser = InterfaceParser(source)
    return try parser.parseInterfaceName()
  }
}
