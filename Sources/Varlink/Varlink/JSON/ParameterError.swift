/// A fault in the parameters of a call or a reply: the parameters do not have the expected type.
///
/// A server answers a faulty call with `org.varlink.service.InvalidParameter` and the path.
public struct ParameterError: Error, Equatable, CustomStringConvertible {
  package enum Reason: Sendable, Equatable {
    case unknown
    /// The field is absent or null.
    case missing
    case wrongType
    case notAllowed
  }

  package var reason: Reason
  /// The place of the faulty value inside the parameters, such as `context.registrations[2].preferring[0]`; empty if
  /// the fault is in the parameters as a whole.
  public var path: String

  package init(_ reason: Reason, path: String) {
    self.reason = reason
    self.path = path
  }

  /// A sentence with the fault and the path.
  public var description: String {
    switch reason {
    case .unknown: "There is no parameter \(path)."
    case .missing: "The parameter \(path) is missing."
    case .wrongType: "The parameter \(path) is of the wrong type."
    case .notAllowed: "The parameter \(path) has a value that is not allowed."
    }
  }
}

extension JSONValue {
  package func error(_ reason: ParameterError.Reason) -> ParameterError {
    ParameterError(reason, path: path)
  }

  package func error(_ reason: ParameterError.Reason, member name: StaticString) -> ParameterError {
    var path = path
    path.appendMember("\(name)")
    return ParameterError(reason, path: path)
  }

  /// A value does not know its path, so this searches the parameters for the value.
  private var path: String {
    var path = ""
    var position = value(at: pathRoot)
    while position.index < index {
      switch position.kind {
      case .object:
        guard let member = position.member(around: index) else { return path }
        path.appendMember(member.name.shortenedString)
        // The path of a member's name is the path of the member.
        position = member.name.index == index ? member.name : member.value
      case .array:
        guard let (offset, element) = position.elementIndex(around: index) else { return path }
        path += "[\(offset)]"
        position = value(at: element)
      default:
        return path
      }
    }
    return path
  }

  @_lifetime(copy self)
  private func member(around index: Int) -> Member? {
    var members = members
    while let member = members.next() {
      if index < Int(member.value.node.next) { return member }
    }
    return nil
  }

  private func elementIndex(around index: Int) -> (offset: Int, index: Int)? {
    var elements = elements
    var offset = 0
    while let element = elements.next() {
      if index < Int(element.node.next) { return (offset, element.index) }
      offset += 1
    }
    return nil
  }

  /// The string may be the name of an unknown member, which the sender can make very long.
  var shortenedString: String {
    let string = stringValue ?? ""
    let limit = 256
    guard string.utf8.count > limit else { return string }
    return String(string.unicodeScalars.prefix(limit)) + "…"
  }
}

extension String {
  fileprivate mutating func appendMember(_ name: String) {
    if !isEmpty { self += "." }
    self += name
  }
}
