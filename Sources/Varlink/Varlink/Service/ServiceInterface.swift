/// The interface `org.varlink.service`, which every service has.
///
/// It also answers the calls that the service does not carry out, with an error that depends on the methods in the
/// service's interface descriptions.
package final class ServiceInterface {
  package static var source: String {
    String(decoding: PackageResources.org_varlink_service_varlink, as: UTF8.self)
  }

  private let information: GetInfo.Reply
  /// In the order of the names in ``information``, beginning with this interface.
  private let sources: [String]
  /// The descriptions are parsed at the first call of an unknown method, because parsing them at the start would double
  /// the time of the start.
  private lazy var methods = Set(sources.flatMap(Self.methods))

  /// The descriptions are served unchanged; one with a fault in its members counts as one without methods.
  ///
  /// - Throws: An error if a description does not begin with the name of an interface.
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

  /// A call with `upgrade` always gets an error, because a success would agree to the upgrade.
  package func reply(to call: borrowing Call, in writer: inout JSONWriter) {
    do throws(ServiceError) {
      try dispatch(call, in: &writer)
    } catch {
      writer.reply(error: error)
    }
  }

  private func dispatch(_ call: borrowing Call, in writer: inout JSONWriter) throws(ServiceError) {
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

  /// Names are compared byte by byte, because `==` treats some strings with different bytes as equal.
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
