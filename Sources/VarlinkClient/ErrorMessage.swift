package import Varlink

/// An error that a call ended in, as received.
package struct ErrorMessage: Equatable, Sendable {
  /// The qualified name of the error: `org.varlink.service.InvalidParameter`.
  package let name: String

  private let message: [UInt8]

  init(name: String, message: Span<UInt8>) {
    self.name = name
    var copy: [UInt8] = []
    copy.append(contentsOf: message)
    self.message = copy
  }

  /// Reads the error with the type of an interface, such as `ServiceError.init(_:)`.
  package func decoded<Value>(_ read: (borrowing Reply) -> Value?) -> Value? {
    var document = JSONDocument()
    guard let reply = try? document.parseReply(message.span, nestingLimit: ReplyReader.nestingLimit) else {
      return nil
    }
    return read(reply)
  }
}
