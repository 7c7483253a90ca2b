/// What `org.varlink.service.GetInfo` replies.
package struct ServiceInformation: Sendable, Equatable {
  /// Who makes the service.
  package var vendor: String
  /// What the service is.
  package var product: String
  /// Which version of it.
  package var version: String
  /// Where to read about it.
  package var url: String
  /// The names of its interfaces.
  package var interfaces: [String]

  /// Makes the information about a service.
  package init(vendor: String, product: String, version: String, url: String, interfaces: [String]) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
    self.interfaces = interfaces
  }
}

extension ServiceInformation: ObjectDecodable, ObjectEncodable {
  /// Reads the reply.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    vendor = try object.required("vendor")
    product = try object.required("product")
    version = try object.required("version")
    url = try object.required("url")
    interfaces = try object.required("interfaces")
  }

  /// Writes the reply.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("vendor", vendor)
    object.member("product", product)
    object.member("version", version)
    object.member("url", url)
    object.member("interfaces", interfaces)
  }
}

/// The parameters of `org.varlink.service.GetInterfaceDescription`.
package struct InterfaceDescriptionRequest: ObjectDecodable, ObjectEncodable, Sendable, Equatable {
  /// The name of the interface.
  package var interface: String

  /// Asks for the description of an interface.
  package init(interface: String) {
    self.interface = interface
  }

  /// Reads the call.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    interface = try object.required("interface")
  }

  /// Writes the call.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("interface", interface)
  }
}

/// What `org.varlink.service.GetInterfaceDescription` replies.
package struct InterfaceDescriptionReply: ObjectDecodable, ObjectEncodable, Sendable, Equatable {
  /// The text.
  package var description: String

  /// Replies with a text.
  package init(description: String) {
    self.description = description
  }

  /// Reads the reply.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    description = try object.required("description")
  }

  /// Writes the reply.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("description", description)
  }
}
