import Varlink

extension InterfaceTemplate {
  /// The parameters of a call, with the type of the replies.
  func declaration(of method: InterfaceDescription.Method) -> String {
    let (alias, type) = reply(to: method)
    return structure(
      method.name,
      method.input,
      method.documentation,
      conformances: "MethodCall",
      keyword: "var",
      first: [
        alias.map { "/// The parameters of a reply.\npackage typealias Reply = \($0)" } ?? "",
        "/// The qualified name.\n"
          + "package static var method: StaticString { \"\(interface.name).\(method.name)\" }",
      ],
      last: [type ?? ""]
    )
  }

  /// The type of a method's replies: one that is there already, or one for itself.
  private func reply(to method: InterfaceDescription.Method) -> (alias: String?, type: String?) {
    guard !method.output.isEmpty else { return ("NoParameters", nil) }
    if isChoice(method) { return (nil, choice(method.output)) }
    let like = interface.methods.first { other in
      other.output.elementsEqual(method.output) { $0.name == $1.name && $0.type == $1.type }
    }
    if let like, like.name != method.name, !isChoice(like) { return ("\(like.name).Reply", nil) }
    return (nil, structure("Reply", method.output, "The parameters of a reply."))
  }

  /// The replies of which each has one of the fields.
  private func choice(_ fields: [Field]) -> String {
    let properties = fields.map { property($0) }
    let cases = properties.map { "\($0.comment)case \($0.name)(\($0.presentType))" }
    let reading = properties.map { property in
      block(
        "if let \(property.name): \(property.presentType) = try \(property.reading)",
        "self = .\(property.name)(\(property.name))"
      )
    }
    let writing = properties.map { `case`($0.name, [$0.present]) }
    let body = """
      \(cases.joined(separator: "\n"))
      /// None of them: to be skipped.
      case unrecognized

      /// Reads the field that is set.
      \(block(
        "package init(from reader: inout ObjectReader) throws(ParameterError)",
        (reading + [block("", "self = .unrecognized")]).joined(separator: " else ").replacing("else  {", with: "else {")
      ))

      /// Writes the field.
      \(self.writing([switching(writing + ["case .unrecognized: break"])]))
      """
    return comment("The parameters of a reply: one of these fields.", else: "")
      + block("package enum Reply: \(Self.codable)", body)
  }

  /// A switch over what is to be written.
  func switching(_ cases: [String]) -> String { "switch self {\n\(cases.joined(separator: "\n"))\n}" }

  /// The case of a switch that writes what a case holds.
  func `case`(_ name: String, _ properties: [Property]) -> String {
    guard !properties.isEmpty else { return "case .\(name): break" }
    let values = properties.map { "let \($0.name)" }.joined(separator: ", ")
    return "case .\(name)(\(values)):\n\(indented(properties.map(\.writing).joined(separator: "\n")))"
  }
}
