import Varlink

extension InterfaceTemplate {
  /// `RouterError` for `io.scened.Router`.
  var errorTypeName: String {
    let name = interface.name.split(separator: ".").last ?? ""
    return String(name).capitalizedFirst + "Error"
  }

  /// The errors that a call can end in: those of the interface, and those of every service.
  var errorType: String {
    get throws {
      let service = try InterfaceDescription(parsing: ServiceInterface.source)
      let cases = errors(of: interface) + (interface.name == service.name ? [] : errors(of: service))
      let members = [
        cases.map(\.declaration).joined(separator: "\n"),
        "/// The qualified name.\n"
          + block("package var errorName: StaticString", switching(cases.map(\.naming))),
        "/// Reads the error of a reply; nil if it is not one of these, with these parameters.\n"
          + block("package init?(_ reply: borrowing Reply)", reading(cases)),
        "/// Writes the parameters.\n" + writing([switching(cases.map { `case`($0.name, $0.properties) })]),
      ]
      let documentation = "The errors that a call of \(interface.name) can end in."
      return comment(documentation, else: "")
        + block(
          "package enum \(errorTypeName): Error, ErrorReply, Equatable",
          members.joined(separator: "\n\n")
        )
    }
  }

  private func errors(of interface: InterfaceDescription) -> [ErrorCase] {
    interface.errors.map { error in
      ErrorCase(error, of: interface, properties: error.fields.map { property($0) })
    }
  }

  private func reading(_ cases: [ErrorCase]) -> String {
    """
    do throws(ParameterError) {
      guard let name = reply.error?.stringValue, var reader = try reply.errorReader() else { return nil }
      switch name {
    \(indented(cases.map(\.reading).joined(separator: "\n")))
      default: return nil
      }
    } catch {
      return nil
    }
    """
  }
}

/// An error as a case.
private struct ErrorCase {
  let name: String
  let properties: [Property]
  private let qualifiedName: String
  private let documentation: String

  init(_ error: InterfaceDescription.ErrorType, of interface: InterfaceDescription, properties: [Property]) {
    name = error.name.caseName
    self.properties = properties
    qualifiedName = "\(interface.name).\(error.name)"
    documentation = error.documentation
  }

  var declaration: String {
    let values = labelled(properties.map(\.type))
    return comment(documentation, else: qualifiedName) + "case \(name)"
      + (values.isEmpty ? "" : "(\(values.joined(separator: ", ")))")
  }

  var naming: String { "case .\(name): \"\(qualifiedName)\"" }

  var reading: String {
    let values = labelled(properties.map(\.reading))
    let value = values.isEmpty ? ".\(name)" : "try .\(name)(\(list(values)))"
    return "case \"\(qualifiedName)\":\n" + indented("self = " + value)
  }

  /// One value needs no label: the case says what it is.
  private func labelled(_ values: [String]) -> [String] {
    values.count == 1 ? values : zip(properties, values).map { "\($0.label): \($1)" }
  }
}
