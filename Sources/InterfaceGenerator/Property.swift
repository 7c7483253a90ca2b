import Varlink

/// A field in Swift.
struct Property {
  /// The name after which arguments come, and as an identifier.
  let label: String
  let name: String
  /// The lines of its documentation.
  let comment: String
  /// The type of the value, if it is present.
  let presentType: String
  private(set) var isNullable: Bool
  /// Whether its members are written without a detour.
  var isStructure = false
  private let field: String
  private let minimum: Int?

  init(_ field: Field, minimum: Int? = nil) {
    self.field = field.name
    self.minimum = minimum
    label = field.name.swiftName
    name = label.identifier
    comment = InterfaceGenerator.comment(field.documentation, else: field.name)
    presentType = field.type.nonNull.swiftType(field.typeName)
    isNullable = field.type != field.type.nonNull
  }

  var type: String { presentType + (isNullable ? "?" : "") }

  var parameter: String { "\(label): \(type)" + (isNullable ? " = nil" : "") }

  var reading: String {
    let bound = minimum.map { ", atLeast: \($0)" } ?? ""
    return "reader.\(isNullable ? "optional" : "required")(\"\(field)\"\(bound))"
  }

  /// The same for a value that is there.
  var present: Property {
    var property = self
    property.isNullable = false
    return property
  }

  /// The statement that writes it.
  ///
  /// A structure is not written as any `JSONEncodable`, which costs several times as much in another module.
  var writing: String {
    switch (isStructure, isNullable) {
    case (true, true): block("if let \(name)", present.writing)
    case (true, false):
      """
      writer.beginObject("\(field)")
      \(name).encodeMembers(to: &writer)
      writer.endObject()
      """
    case (false, true): "writer.member(\"\(field)\", ifPresent: \(name))"
    case (false, false): "writer.member(\"\(field)\", \(name))"
    }
  }
}

extension Field {
  /// What the type of the field is called if it has none.
  var typeName: String { name.swiftName.capitalizedFirst }
}

extension InterfaceType {
  var isStructure: Bool {
    if case .structure(let fields) = self { !fields.isEmpty } else { false }
  }

  /// The type of what is not null.
  var nonNull: InterfaceType {
    if case .nullable(let type) = self { type } else { self }
  }

  /// The type within arrays, maps and `?`.
  var element: InterfaceType {
    switch self {
    case .array(let type), .map(let type), .nullable(let type): type.element
    default: self
    }
  }

  /// The type in Swift; one without a name is given `name`.
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
