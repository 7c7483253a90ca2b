/// The interface `org.varlink.service`, which every service has.
///
/// It also answers the calls of methods that nothing else carries out, since only it knows which there are.
package struct ServiceInterface: Sendable {
  private let information: ServiceInformation
  /// All interfaces of the service, this one first.
  private let interfaces: [InterfaceDescription]

  /// Makes the interface of a service.
  ///
  /// - Parameters:
  ///   - vendor: Who makes the service.
  ///   - product: What the service is.
  ///   - version: Which version of it.
  ///   - url: Where to read about it.
  ///   - descriptions: The descriptions of the interfaces besides this one, which are served as they are.
  /// - Throws: The first fault in one of the descriptions.
  package init(
    vendor: String,
    product: String,
    version: String,
    url: String,
    descriptions: [String]
  ) throws(InterfaceDescriptionError) {
    var interfaces: [InterfaceDescription] = []
    for source in [Self.source] + descriptions {
      interfaces.append(try InterfaceDescription(parsing: source))
    }
    self.interfaces = interfaces
    information = ServiceInformation(
      vendor: vendor,
      product: product,
      version: version,
      url: url,
      interfaces: interfaces.map(\.name)
    )
  }

  /// Writes the reply to a call that the service does not carry out otherwise.
  ///
  /// That is the result of one of the methods of this interface, or the error that there is no such method.
  /// A call with `upgrade` always gets an error: a success would be consent.
  package func reply(to call: borrowing Call, in writer: inout JSONWriter) {
    do throws(ServiceError) {
      try carryOut(call, in: &writer)
    } catch {
      writer.reply(error: error)
    }
  }

  private func carryOut(_ call: borrowing Call, in writer: inout JSONWriter) throws(ServiceError) {
    if call.mode != .upgrade, call.method.equals("org.varlink.service.GetInfo") {
      let _: NoParameters = try parameters(of: call)
      writer.reply(information)
    } else if call.mode != .upgrade, call.method.equals("org.varlink.service.GetInterfaceDescription") {
      let request: InterfaceDescriptionRequest = try parameters(of: call)
      guard let interface = interfaces.first(where: { $0.name == request.interface }) else {
        throw .interfaceNotFound(request.interface)
      }
      writer.reply(InterfaceDescriptionReply(description: interface.source))
    } else {
      throw refusal(of: call.method.stringValue ?? "")
    }
  }

  private func parameters<Parameters: ObjectDecodable>(
    of call: borrowing Call
  ) throws(ServiceError) -> Parameters {
    do throws(ParameterError) {
      return try call.decodeParameters()
    } catch {
      throw ServiceError(error)
    }
  }

  /// Why a method that has not been carried out was not.
  private func refusal(of method: String) -> ServiceError {
    guard let dot = method.utf8.lastIndex(of: UInt8(ascii: ".")) else { return .methodNotFound(method) }
    let name = method[..<dot]
    guard let interface = interfaces.first(where: { $0.name == name }) else {
      return .interfaceNotFound(String(name))
    }
    let isKnown = interface.hasMethod(method[method.utf8.index(after: dot)...])
    return isKnown ? .methodNotImplemented(method) : .methodNotFound(method)
  }
}
