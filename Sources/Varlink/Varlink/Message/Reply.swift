/// A received reply.
public struct Reply: ~Escapable {
  package let continues: Bool
  private let message: JSONValue
  private let errorIndex: Int?
  private let parametersIndex: Int?

  @_lifetime(copy message)
  package init(_ message: JSONValue) throws(ProtocolViolation) {
    guard message.kind == .object else { throw .messageNotObject }
    var continues = false
    var error: Int?
    var parameters: Int?
    var members = message.members
    while let member = members.next() {
      if member.nameEquals("parameters") {
        parameters = try member.parametersIndex()
      } else if member.nameEquals("continues") {
        continues = try member.flag("continues")
      } else if member.nameEquals("error") {
        guard !member.value.isNull else { continue }
        guard member.value.kind == .string else { throw .memberOfWrongType("error") }
        error = member.value.index
      } else {
        try member.requireVendorExtension()
      }
    }
    guard !continues || error == nil else { throw .errorContinues }
    self.message = message
    self.continues = continues
    errorIndex = error
    parametersIndex = parameters
  }

  /// The qualified name of the error, a JSON string; nil if the call was carried out.
  public var error: JSONValue? {
    @_lifetime(copy self)
    get {
      guard let errorIndex else { return nil }
      return message.value(at: errorIndex)
    }
  }

  package var parameters: JSONValue? {
    @_lifetime(copy self)
    get { message.parameters(at: parametersIndex, .ignored) }
  }

  /// A member that the type does not have is ignored.
  package func decodeParameters<Parameters: ObjectDecodable>(
    as type: Parameters.Type = Parameters.self
  ) throws(ParameterError) -> Parameters {
    try message.decodeParameters(at: parametersIndex, .ignored)
  }
}

extension JSONDocument {
  @_lifetime(&self, copy message)
  package mutating func parseReply(
    _ message: Span<UInt8>,
    nestingLimit: Int = JSONDocument.nestingLimit
  ) throws(ProtocolViolation) -> Reply {
    try Reply(parseMessage(message, nestingLimit: nestingLimit))
  }
}
