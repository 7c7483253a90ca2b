import Varlink

/// JSON made from an interface description, in a form that a conforming peer may send.
struct Sample {
  enum EventKind: Sendable, CaseIterable {
    case url
    case activity
  }

  let interface: InterfaceDescription
  var event = EventKind.url
  /// Whether nullable fields are present.
  var isFull = true

  /// Returns the members of an object with these fields, in order; an event has either the URL or the activity.
  func members(of fields: [Field]) -> [(name: String, json: String)] {
    let isEvent = Set(["url", "activity"]).isSubset(of: fields.map(\.name))
    var members: [(name: String, json: String)] = []
    for field in fields {
      let isChosen = isEvent && field.name == "\(event)"
      let isOtherEvent = isEvent && !isChosen && ["url", "activity"].contains(field.name)
      guard !isOtherEvent, isFull || isChosen || !field.type.isNullable else { continue }
      members.append((field.name, json(of: field.type, named: field.name)))
    }
    return members
  }

  func object(of fields: [Field]) -> String {
    Self.object(members(of: fields))
  }

  static func object(_ members: [(name: String, json: String)]) -> String {
    "{\(members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ","))}"
  }

  func json(of type: InterfaceType, named name: String) -> String {
    func json(_ type: InterfaceType, _ suffix: String = "") -> String {
      self.json(of: type, named: name + suffix)
    }
    return switch type {
    case .bool: "true"
    case .int: "\(name.utf8.reduce(1) { $0 * 31 % 1_000_003 + Int($1) })"
    case .float: "1.5"
    case .string: "\"the \(name)\""
    case .object: #"{ "z":1.0, "a":[true,null,1e2,"\u0041"] }"#
    case .named(let type): json(definition(of: type))
    case .array(let element): "[\(json(element)),\(json(element, "2"))]"
    case .map(let value): "{\"a\":\(json(value)),\"b\":\(json(value, "2"))}"
    case .nullable(let type): json(type)
    case .structure(let fields): object(of: fields)
    case .enumeration(let values): "\"\(values[values.count - 1])\""
    }
  }

  private func definition(of name: String) -> InterfaceType {
    interface.types.first { $0.name == name }!.type
  }
}

extension InterfaceType {
  var isNullable: Bool {
    if case .nullable = self { true } else { false }
  }

  /// The type without its `?`.
  var nonNull: InterfaceType {
    if case .nullable(let type) = self { type } else { self }
  }
}
