package struct Call: ~Escapable {
  package let mode: CallMode
  private let message: JSONValue
  private let methodIndex: Int
  /// The index of the parameters; nil if they are absent or null, which means the same as an empty object.
  private let parametersIndex: Int?

  @_lifetime(copy message)
  package init(_ message: JSONValue) throws(ProtocolViolation) {
    guard message.kind == .object else { throw .messageNotObject }
    var method: Int?
    var parameters: Int?
    var mode = CallMode.plain
    var flags = 0
    var members = message.members
    while let member = members.next() {
      if member.nameEquals("method") {
        guard member.value.kind == .string else { throw .memberOfWrongType("method") }
        method = member.value.index
      } else if member.nameEquals("parameters") {
        parameters = try member.parametersIndex()
      } else if member.nameEquals("more") {
        if try member.flag("more") { (mode, flags) = (.more, flags + 1) }
      } else if member.nameEquals("oneway") {
        if try member.flag("oneway") { (mode, flags) = (.oneway, flags + 1) }
      } else if member.nameEquals("upgrade") {
        if try member.flag("upgrade") { (mode, flags) = (.upgrade, flags + 1) }
      } else {
        try member.requireVendorExtension()
      }
    }
    guard let method else { throw .methodMissing }
    guard flags <= 1 else { throw .conflictingFlags }
    self.message = message
    self.mode = mode
    methodIndex = method
    parametersIndex = parameters
  }

  package var method: JSONValue {
    @_lifetime(copy self)
    get { message.value(at: methodIndex) }
  }

  package var parameters: JSONValue? {
    @_lifetime(copy self)
    get { message.parameters(at: parametersIndex, .refused) }
  }

  package func decodeParameters<Parameters: ObjectDecodable>(
    as type: Parameters.Type = Parameters.self
  ) throws(ParameterError) -> Parameters {
    try message.decodeParameters(at: parametersIndex, .refused)
  }

  /// After the last read, call ``ObjectReader/finish()``; it throws an error if a member is unread.
  @_lifetime(copy self)
  package func parameterReader() throws(ParameterError) -> ObjectReader {
    try message.parameterReader(at: parametersIndex, .refused)
  }
}

extension JSONDocument {
  /// Reads `message`, which does not include the NUL at its end.
  @_lifetime(&self, copy message)
  package mutating func parseCall(_ message: Span<UInt8>) throws(ProtocolViolation) -> Call {
    try Call(parseMessage(message))
  }

  @_lifetime(&self, copy message)
  mutating func parseMessage(
    _ message: Span<UInt8>,
    nestingLimit: Int = JSONDocument.nestingLimit
  ) throws(ProtocolViolation) -> JSONValue {
    do throws(JSONError) {
      return try parse(message, nestingLimit: nestingLimit)
    } catch {
      throw .malformedMessage(error)
    }
  }
}

package enum CallMode: Sendable {
  case plain
  case more
  /// No reply, not even an error.
  case oneway
  /// One reply; after a success, another protocol is used on the connection.
  ///
  /// ``ServiceInterface`` always answers such a call with an error.
  case upgrade
}
