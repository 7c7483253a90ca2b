import Varlink

extension InterfaceTemplate {
  func declaration(of method: InterfaceDescription.Method) -> String {
    let (alias, type) = reply(to: method)
    return structure(
      method.name,
      method.input,
      method.documentation,
      as: callTypeName(method.name),
      conformances: "MethodCall",
      keyword: "var",
      first: [
        alias.map { "package typealias Reply = \($0)" } ?? "",
        "package static var method: StaticString { \"\(interface.name).\(method.name)\" }",
      ],
      last: [type ?? ""]
    )
  }

  func callTypeName(_ method: String) -> String { options.namesMessages ? method + "Call" : method }

  private func reply(to method: InterfaceDescription.Method) -> (alias: String?, type: String?) {
    guard !method.output.isEmpty else { return ("NoParameters", nil) }
    if let type = options.replyTypes[method.name] { return (type, nil) }
    let ofManyReplies = options.methodsOfManyReplies
    if ofManyReplies.contains(method.name) { return (nil, choice(method.output)) }
    let like = interface.methods.first { other in
      other.output.elementsEqual(method.output) { $0.name == $1.name && $0.type == $1.type }
    }
    if let name = like?.name, name != method.name, !ofManyReplies.contains(name) {
      return ("\(callTypeName(name)).Reply", nil)
    }
    return (nil, structure("Reply", method.output))
  }

  private func choice(_ fields: [Field]) -> String {
    let properties = fields.map { property($0, isChoice: true) }
    let reading = properties.map { property in
      // The methods of `reader` are overloaded by result type.
      let type = property.reading.hasPrefix("reader.") ? ": \(property.presentType)" : ""
      return block(
        "if let value\(type) = try \(property.reading)",
        "self = .\(property.name)(value)"
      ) + " else "
    }
    let writing = properties.map { switchCase($0.name, [$0], $0.presentWriting) }
    let members = [
      lines(properties.map { "\($0.comment)case \($0.name)(\($0.presentType))" })
        + "\n/// None of them; the reply is to be skipped.\ncase unrecognized",
      initializer(thatReads: reading.joined() + "{\n" + indented("self = .unrecognized") + "\n}"),
      method(thatWrites: switchOver(writing + [switchCase("unrecognized", [], "")])),
    ]
    return block("package enum Reply: \(Self.codable)", members.joined(separator: "\n\n"))
  }

  func switchOver(_ cases: [String]) -> String { "switch self {\n\(lines(cases))\n}" }

  func switchCase(_ name: String, _ properties: [Property], _ writing: String) -> String {
    guard !properties.isEmpty else { return "case .\(name): break" }
    let values = properties.map { "let \($0.name)" }.joined(separator: ", ")
    return "case .\(name)(\(values)):\n\(indented(writing))"
  }
}
