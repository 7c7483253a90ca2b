/// The errors of `org.varlink.service`, which any method can end in.
package enum ServiceError: Error, Equatable {
  /// The service does not have the interface.
  case interfaceNotFound(String)
  /// The interface does not have the method of this qualified name.
  case methodNotFound(String)
  /// The interface has the method of this qualified name, but the service does not.
  case methodNotImplemented(String)
  /// The parameter at this path has the wrong type or a value that is not allowed.
  case invalidParameter(String)
  /// The caller may not do this.
  case permissionDenied
  /// The method has to be called with the flag `more`.
  case expectedMore
}

extension ServiceError: ErrorReply {
  /// The qualified name.
  package var errorName: StaticString {
    switch self {
    case .interfaceNotFound: "org.varlink.service.InterfaceNotFound"
    case .methodNotFound: "org.varlink.service.MethodNotFound"
    case .methodNotImplemented: "org.varlink.service.MethodNotImplemented"
    case .invalidParameter: "org.varlink.service.InvalidParameter"
    case .permissionDenied: "org.varlink.service.PermissionDenied"
    case .expectedMore: "org.varlink.service.ExpectedMore"
    }
  }

  /// Writes the parameters.
  package func encodeMembers(to object: inout JSONWriter) {
    switch self {
    case .interfaceNotFound(let interface): object.member("interface", interface)
    case .methodNotFound(let method), .methodNotImplemented(let method): object.member("method", method)
    case .invalidParameter(let path): object.member("parameter", path)
    case .permissionDenied, .expectedMore: break
    }
  }
}

extension ServiceError {
  /// The answer to parameters that cannot be read.
  package init(_ error: ParameterError) {
    self = .invalidParameter(error.path)
  }

  /// The error of a reply, or nil if it has none of these.
  ///
  /// A parameter that is missing is an empty string: services differ in what they send.
  package init?(_ reply: borrowing Reply) {
    guard let error = reply.error else { return nil }
    if error.equals("org.varlink.service.InterfaceNotFound") {
      self = .interfaceNotFound(reply.text("interface"))
    } else if error.equals("org.varlink.service.MethodNotFound") {
      self = .methodNotFound(reply.text("method"))
    } else if error.equals("org.varlink.service.MethodNotImplemented") {
      self = .methodNotImplemented(reply.text("method"))
    } else if error.equals("org.varlink.service.InvalidParameter") {
      self = .invalidParameter(reply.text("parameter"))
    } else if error.equals("org.varlink.service.PermissionDenied") {
      self = .permissionDenied
    } else if error.equals("org.varlink.service.ExpectedMore") {
      self = .expectedMore
    } else {
      return nil
    }
  }
}

extension ServiceError: CustomStringConvertible {
  /// A sentence that names the fault.
  package var description: String {
    switch self {
    case .interfaceNotFound(let interface): "The service has no interface '\(interface)'."
    case .methodNotFound(let method): "The service has no method '\(method)'."
    case .methodNotImplemented(let method): "The service does not implement the method '\(method)'."
    case .invalidParameter(let path): "The parameter '\(path)' is invalid."
    case .permissionDenied: "The service denies permission."
    case .expectedMore: "The method has to be called with 'more'."
    }
  }
}

extension Reply {
  fileprivate func text(_ name: StaticString) -> String {
    guard var members = parameters?.members else { return "" }
    while let member = members.next() {
      if member.nameEquals(name) { return member.value.stringValue ?? "" }
    }
    return ""
  }
}
