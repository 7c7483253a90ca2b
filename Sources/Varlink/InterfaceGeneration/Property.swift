import Varlink

struct Property {
  let label: String
  let name: String
  let comment: String
  /// With `?` at its end if the property is optional; `presentType` and `presentWriting` are for a value that is not
  /// null.
  let type: String
  let presentType: String
  let parameter: String
  var reading: String
  var writing: String
  let presentWriting: String
}

extension InterfaceTemplate {
  /// `owner` is the generated structure of the field, if any.
  ///
  /// `isChoice` says that exactly one of several fields is set. A null array then means that another is, so the
  /// property stays optional.
  func property(_ field: Field, of owner: String = "", isChoice: Bool = false) -> Property {
    let qualifiedName = "\(owner).\(field.name)"
    let label = options.propertyNames[qualifiedName] ?? field.name.swiftName
    let name = label.identifier
    let presentType = swiftType(field.type.nonNull, field.typeName)
    let isNullable = field.type != field.type.nonNull
    let statements = statements(name, field)
    let isNullMeant = isChoice || options.nullableArrays.contains(qualifiedName)
    if isNullable, field.type.nonNull.isArray, !isNullMeant {
      return emptyableArray(field, presentType, statements)
    }
    let type = presentType + (isNullable ? "?" : "")
    let bound = options.minima[qualifiedName].map { ", atLeast: \($0)" } ?? ""
    let member = "writer.member(\"\(field.name)\", "
    var property = Property(
      label: label,
      name: name,
      comment: InterfaceGeneration.comment(field.documentation),
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
    if options.openEnumerations.contains(qualifiedName) {
      // The raw value is read and written itself, because a generic function takes several times as long.
      property.reading =
        isNullable
        ? "\(property.reading).map { .init(rawValue: $0) }" : ".init(rawValue: \(property.reading))"
      property.writing = member + (isNullable ? "ifPresent: \(name)?.rawValue)" : "\(name).rawValue)")
    }
    return property
  }

  /// Null means the same as an empty array, so the property is not optional.
  private func emptyableArray(_ field: Field, _ type: String, _ statements: String?) -> Property {
    let label = field.name.swiftName
    let name = label.identifier
    let member = "writer.member(\"\(field.name)\", "
    return Property(
      label: label,
      name: name,
      comment: InterfaceGeneration.comment(field.documentation),
      type: type,
      presentType: type,
      parameter: "\(label): \(type) = []",
      reading: "reader.array(\"\(field.name)\")",
      writing: statements.map { block("if !\(name).isEmpty", $0) } ?? "\(member)unlessEmpty: \(name))",
      presentWriting: statements ?? "\(member)\(name))"
    )
  }

  /// Calls the structure's own methods, because generic code in another module takes several times as long.
  private func statements(_ value: String, _ field: Field) -> String? {
    switch field.type.nonNull {
    case .array(let element) where isStructure(element):
      "writer.beginArray(\"\(field.name)\")\nfor element in \(value) { element.encode(to: &writer) }\n"
        + "writer.endArray()"
    case let type where isStructure(type): "\(value).encode(as: \"\(field.name)\", to: &writer)"
    default: nil
    }
  }

  /// `?.` instead of `if let`, which would copy the structure.
  private func nullableStatements(_ name: String, _ field: Field) -> String? {
    if isStructure(field.type.nonNull) { return statements(name + "?", field) }
    return statements(name, field).map { block("if let \(name)", $0) }
  }

  /// `name` is for a type that has no name in the description.
  private func swiftType(_ type: InterfaceType, _ name: String) -> String {
    switch type {
    case .bool: "Bool"
    case .int: "Int64"
    case .float: "Double"
    case .string: "String"
    case .object: "RawObject"
    case .named(let name): typeName(name)
    case .array(let element): "[\(swiftType(element, name))]"
    case .map(let value): "[String: \(swiftType(value, name))]"
    case .nullable(let type): swiftType(type, name) + "?"
    case .structure(let fields): fields.isEmpty ? "NoParameters" : name
    case .enumeration: name
    }
  }

  /// Whether the generator makes a type, whose initializers are called instead of a generic method of the reader.
  private func hasInitializers(_ type: InterfaceType) -> Bool {
    switch type {
    case .named, .enumeration: true
    case .structure(let fields): !fields.isEmpty
    default: false
    }
  }

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
  var typeName: String { name.swiftName.capitalizedFirst }
}

extension InterfaceType {
  var nonNull: InterfaceType {
    if case .nullable(let type) = self { type } else { self }
  }

  var isArray: Bool {
    if case .array = self { true } else { false }
  }

  var element: InterfaceType {
    switch self {
    case .array(let type), .map(let type), .nullable(let type): type.element
    default: self
    }
  }
}
