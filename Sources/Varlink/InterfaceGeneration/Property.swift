import Varlink

/// The Swift property of a field.
struct Property {
  /// The argument label.
  let label: String
  /// The name of the property, in backticks if it is a Swift keyword.
  let name: String
  /// The lines of the documentation comment.
  let comment: String
  /// The Swift type of the property, with `?` at its end if the property is optional.
  let type: String
  /// The Swift type of the property, without `?` at its end.
  let presentType: String
  let parameter: String
  /// The expression that reads the field.
  let reading: String
  /// The statements that write the field.
  let writing: String
  /// The statements that write a value that is not null.
  let presentWriting: String
}

extension Property {
  /// The additional property of the types in `verbatimTypes`.
  ///
  /// The property keeps the bytes that a value was read from, so that the same bytes can be written again.
  static let encoded = Property(
    label: "encoded",
    name: "encoded",
    comment: "/// The JSON it was read from; empty if it was not read.\n",
    type: "[UInt8]",
    presentType: "[UInt8]",
    parameter: "encoded: [UInt8] = []",
    reading: "RawObject(from: reader.object).bytes",
    writing: "",
    presentWriting: ""
  )
}

extension InterfaceTemplate {
  /// Returns the Swift property for `field`.
  ///
  /// `owner` is the name of the generated structure that has the field; empty if no structure has the field.
  ///
  /// `isChoice` says that exactly one of several fields is set. A null array then means that another field is set. So
  /// the property of a nullable array stays optional, instead of turning null into an empty array.
  func property(_ field: Field, of owner: String = "", isChoice: Bool = false) -> Property {
    let label = field.name.swiftName
    let name = label.identifier
    let presentType = field.type.nonNull.swiftType(field.typeName)
    let isNullable = field.type != field.type.nonNull
    let qualifiedName = "\(owner).\(field.name)"
    let statements = statements(name, field)
    let isNullMeant = isChoice || options.nullableArrays.contains(qualifiedName)
    if isNullable, field.type.nonNull.isArray, !isNullMeant {
      return emptyableArray(field, presentType, statements)
    }
    let type = presentType + (isNullable ? "?" : "")
    let bound = options.minima[qualifiedName].map { ", atLeast: \($0)" } ?? ""
    let member = "writer.member(\"\(field.name)\", "
    return Property(
      label: label,
      name: name,
      comment: InterfaceGeneration.comment(field.documentation, else: field.name),
      type: type,
      presentType: presentType,
      parameter: "\(label): \(type)" + (isNullable ? " = nil" : ""),
      reading: hasInitializers(field.type.nonNull)
        ? isNullable
          ? "\(presentType)(ifPresent: reader.member(\"\(field.name)\"))"
          : "\(presentType)(from: reader.requiredMember(\"\(field.name)\"))"
        : "reader.\(isNullable ? "optional" : "required")(\"\(field.name)\"\(bound))",
      writing: isNullable
        ? nullableStatements(name, field) ?? "\(member)ifPresent: \(name))"
        : statements ?? "\(member)\(name))",
      presentWriting: statements ?? "\(member)\(name))"
    )
  }

  /// Returns the property of a nullable array for which null means the same as an empty array.
  ///
  /// The property is not optional: null is read as an empty array.
  private func emptyableArray(_ field: Field, _ type: String, _ statements: String?) -> Property {
    let label = field.name.swiftName
    let name = label.identifier
    let member = "writer.member(\"\(field.name)\", "
    return Property(
      label: label,
      name: name,
      comment: InterfaceGeneration.comment(field.documentation, else: field.name),
      type: type,
      presentType: type,
      parameter: "\(label): \(type) = []",
      reading: "reader.array(\"\(field.name)\")",
      writing: statements.map { block("if !\(name).isEmpty", $0) } ?? "\(member)unlessEmpty: \(name))",
      presentWriting: statements ?? "\(member)\(name))"
    )
  }

  /// Returns the statements that write a structure or an array of structures; nil for all other types.
  ///
  /// The statements call the structure's own methods, because a call of generic code in another module would take
  /// several times as long.
  private func statements(_ value: String, _ field: Field) -> String? {
    switch field.type.nonNull {
    case .array(let element) where isStructure(element):
      "writer.beginArray(\"\(field.name)\")\nfor element in \(value) { element.encode(to: &writer) }\n"
        + "writer.endArray()"
    case let type where isStructure(type): "\(value).encode(as: \"\(field.name)\", to: &writer)"
    default: nil
    }
  }

  /// Returns the statements that write a structure or an array of structures, unless the value is null.
  ///
  /// Returns nil for all other types.
  ///
  /// The generated code calls a structure's method with `?.`, because `if let` would copy the structure.
  private func nullableStatements(_ name: String, _ field: Field) -> String? {
    if isStructure(field.type.nonNull) { return statements(name + "?", field) }
    return statements(name, field).map { block("if let \(name)", $0) }
  }

  /// Returns whether the generator makes a Swift type for `type`.
  ///
  /// The generated code calls the initializers of such a type directly, instead of a generic method of the reader.
  private func hasInitializers(_ type: InterfaceType) -> Bool {
    switch type {
    case .named, .enumeration: true
    case .structure(let fields): !fields.isEmpty
    default: false
    }
  }

  /// Returns whether the type is a structure with fields, or the name of such a structure.
  private func isStructure(_ type: InterfaceType) -> Bool {
    switch type {
    case .structure(let fields): !fields.isEmpty
    case .named(let name):
      interface.types.contains { $0.name == name && isStructure($0.type) }
    default: false
    }
  }
}

extension Field {
  /// The Swift name of the field's type, if the description has no name for the type.
  var typeName: String { name.swiftName.capitalizedFirst }
}

extension InterfaceType {
  /// The type without `?`.
  var nonNull: InterfaceType {
    if case .nullable(let type) = self { type } else { self }
  }

  /// Whether the type is an array.
  var isArray: Bool {
    if case .array = self { true } else { false }
  }

  /// The innermost type, without the arrays, maps and `?` around it.
  var element: InterfaceType {
    switch self {
    case .array(let type), .map(let type), .nullable(let type): type.element
    default: self
    }
  }

  /// Returns the type in Swift.
  ///
  /// `name` is the Swift name for a structure or enumeration that has no name in the description.
  func swiftType(_ name: String) -> String {
    switch self {
    case .bool: "Bool"
    case .int: "Int64"
    case .float: "Double"
    case .string: "String"
    case .object: "RawObject"
    case .named(let name): name
    case .array(let element): "[\(element.swiftType(name))]"
    case .map(let value): "[String: \(value.swiftType(name))]"
    case .nullable(let type): type.swiftType(name) + "?"
    case .structure(let fields): fields.isEmpty ? "NoParameters" : name
    case .enumeration: name
    }
  }
}
