/// The interface `org.varlink.service`, which every service has.
///
/// It also answers the calls of methods that nothing else carries out, since only it knows which there are.
package final class ServiceInterface {
  /// The description of this interface, as it is in the Varlink specification.
  package static var source: String {
    String(decoding: PackageResources.org_varlink_service_varlink, as: UTF8.self)
  }

  private let information: GetInfo.Reply
  /// The descriptions of all interfaces of the service in the order of their names, this one first.
  private let sources: [String]
  /// The qualified names of all methods.
  ///
  /// To find them takes as long as everything else a service does before it is ready, and few are ever asked.
  private lazy var methods = Set(sources.flatMap(Self.methods))

  /// Makes the interface of a service.
  ///
  /// - Parameters:
  ///   - vendor: Who makes the service.
  ///   - product: What the service is.
  ///   - version: Which version of it.
  ///   - url: Where to read about it.
  ///   - descriptions: The descriptions of the interfaces besides this one, which are served as they are. Their
  ///     members are not looked at before a call names a method that nothing carries out; a description with a
  ///     fault there has no methods.
  /// - Throws: The first fault before the members of one of the descriptions.
  package init(
    vendor: String,
    product: String,
    version: String,
    url: String,
    descriptions: [String]
  ) throws(InterfaceDescriptionError) {
    sources = [Self.source] + descriptions
    var names: [String] = []
    for source in sources { names.append(try InterfaceDescription.name(in: source)) }
    information = GetInfo.Reply(
      vendor: vendor,
      product: product,
      version: version,
      url: url,
      interfaces: names
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
    if call.mode != .upgrade, call.method.equals(GetInfo.method) {
      let _: GetInfo = try parameters(of: call)
      writer.reply(information)
    } else if call.mode != .upgrade, call.method.equals(GetInterfaceDescription.method) {
      let request: GetInterfaceDescription = try parameters(of: call)
      guard let index = information.interfaces.firstIndex(of: request.interface) else {
        throw .interfaceNotFound(request.interface)
      }
      writer.reply(GetInterfaceDescription.Reply(description: sources[index]))
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
  ///
  /// The name is compared byte by byte: it may be anything, and long.
  private func refusal(of method: String) -> ServiceError {
    guard let dot = method.utf8.lastIndex(of: UInt8(ascii: ".")) else { return .methodNotFound(method) }
    let name = String(method[..<dot])
    guard information.interfaces.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
      return .interfaceNotFound(name)
    }
    let isDescribed = methods.contains { $0.utf8.elementsEqual(method.utf8) }
    return isDescribed ? .methodNotImplemented(method) : .methodNotFound(method)
  }

  private static func methods(of source: String) -> [String] {
    guard let interface = try? InterfaceDescription(parsing: source) else { return [] }
    return interface.methods.map { "\(interface.name).\($0.name)" }
  }
}
