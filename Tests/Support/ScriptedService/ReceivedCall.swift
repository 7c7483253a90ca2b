package import Varlink

/// A call that a service has received.
package struct ReceivedCall: Sendable, Equatable {
  /// The qualified name of the method.
  package let method: String
  /// Which replies the client expects.
  package let mode: CallMode
  /// The JSON text of the parameters; empty if there are none.
  package let parameters: String

  init(_ message: Span<UInt8>, _ document: inout JSONDocument) throws {
    let call = try document.parseCall(message)
    method = call.method.stringValue ?? ""
    mode = call.mode
    guard let parameters = call.parameters else {
      self.parameters = ""
      return
    }
    self.parameters = String(decoding: try RawObject(from: parameters).bytes, as: UTF8.self)
  }

  /// Reads the parameters as a value of `type`.
  package func decoded<Parameters: ObjectDecodable>(as type: Parameters.Type) throws -> Parameters {
    var document = JSONDocument()
    let bytes = Array(parameters.utf8)
    return try Parameters(from: document.parse(bytes.span))
  }
}
