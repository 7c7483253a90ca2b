package import Varlink

extension InterfaceType {
  /// The type in the syntax of the interface definition language, without comments.
  package var text: String {
    switch self {
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .string: "string"
    case .object: "object"
    case .named(let name): name
    case .array(let element): "[]" + element.text
    case .map(let value): "[string]" + value.text
    case .nullable(let type): "?" + type.text
    case .structure(let fields): fields.text
    case .enumeration(let cases): "(\(cases.joined(separator: ", ")))"
    }
  }
}

extension [Field] {
  /// The fields in the syntax of the interface definition language, without comments.
  package var text: String { "(\(map { "\($0.name): \($0.type.text)" }.joined(separator: ", ")))" }
}

extension InterfaceDescription {
  /// The interface in the syntax of the interface definition language, without comments.
  ///
  /// Each line has one member; types come first.
  package var text: String {
    var lines = ["interface \(name)"]
    lines += types.map { "type \($0.name) \($0.type.text)" }
    lines += methods.map { "method \($0.name)\($0.input.text) -> \($0.output.text)" }
    lines += errors.map { "error \($0.name) \($0.fields.text)" }
    return lines.joined(separator: "\n")
  }
}
