public import Varlink

/// A received error reply.
public struct ErrorMessage: Equatable, Sendable {
  /// The qualified name of the error, such as `org.varlink.service.InvalidParameter`.
  public let name: String

  private let message: [UInt8]

  init(name: String, message: Span<UInt8>) {
    self.name = name
    var copy: [UInt8] = []
    copy.append(contentsOf: message)
    self.message = copy
  }

  /// Decodes the error as a `Failure`; returns nil if the type `Failure` does not have this error.
  public func decoded<Failure: ErrorReply>(as type: Failure.Type = Failure.self) -> Failure? {
    decoded { Failure($0) }
  }

  package func decoded<Value>(_ read: (borrowing Reply) -> Value?) -> Value? {
    var document = JSONDocument()
    guard let reply = try? document.parseReply(message.span, nestingLimit: ReplyReader.nestingLimit) else {
      return nil
    }
    return read(reply)
  }
}
