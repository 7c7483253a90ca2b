import Varlink

extension InterfaceTemplate {
  var errorTypeName: String {
    simpleName + (options.namesMessages ? "ErrorReply" : "Error")
  }

  var errorType: String {
    get throws {
      let service = try InterfaceDescription(parsing: ServiceInterface.source)
      let cases = errors(of: interface) + (interface.name == service.name ? [] : errors(of: service))
      let members = [
        lines(cases.map(\.declaration)),
        block("package var errorName: StaticString", switchOver(cases.map(\.naming))),
        block("package init?(_ reply: borrowing Reply)", reading(cases)),
        method(thatWrites: switchOver(cases.map(\.writing))),
      ]
      return "/// The errors that a call of \(interface.name) can end in.\n"
        + block(
          "package enum \(errorTypeName): ErrorReply, Equatable",
          members.joined(separator: "\n\n")
        )
    }
  }

  private typealias ErrorCase = (declaration: String, naming: String, reading: String, writing: String)

  private func errors(of interface: InterfaceDescription) -> [ErrorCase] {
    interface.errors.map { error in
      let name = error.name.caseName
      let qualifiedName = "\(interface.name).\(error.name)"
      let properties = error.fields.map { property($0) }
      // The name of the case describes a single value.
      let labels = properties.count == 1 ? [""] : properties.map { $0.label + ": " }
      let types = zip(labels, properties).map { $0 + $1.type }.joined(separator: ", ")
      let values = list(zip(labels, properties).map { $0 + $1.reading })
      let isEmpty = properties.isEmpty
      return ErrorCase(
        declaration: comment(error.documentation) + "case \(name)" + (isEmpty ? "" : "(\(types))"),
        naming: "case .\(name): \"\(qualifiedName)\"",
        reading: "case \"\(qualifiedName)\":\n"
          + indented("self = " + (isEmpty ? ".\(name)" : "try .\(name)(\(values))")),
        writing: switchCase(name, properties, lines(properties.map(\.writing)))
      )
    }
  }

  private func reading(_ cases: [ErrorCase]) -> String {
    """
    do throws(ParameterError) {
      guard let name = reply.error?.stringValue, var reader = try reply.errorReader() else { return nil }
      switch name {
    \(indented(lines(cases.map(\.reading))))
      default: return nil
      }
    } catch {
      return nil
    }
    """
  }
}
