/// A received call.
package struct Call: ~Escapable {
  /// The replies that the caller expects.
  package let mode: CallMode
  private let message: JSONValue
  private let methodIndex: Int
  /// The index of the parameters in the parsed message; nil if they are absent or null.
  private let parametersIndex: Int?

  /// Reads the members of a message.
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

  /// The qualified name of the method, a JSON string.
  package var method: JSONValue {
    @_lifetime(copy self)
    get { message.value(at: methodIndex) }
  }

  /// The parameters, a JSON object; nil if the parameters are absent or null.
  ///
  /// Absent parameters mean the same as an empty object.
  package var parameters: JSONValue? {
    @_lifetime(copy self)
    get { message.parameters(at: parametersIndex, .refused) }
  }

  /// Reads the parameters.
  ///
  /// Throws an error if the parameters have a member that `Parameters` does not have.
  package func decodeParameters<Parameters: ObjectDecodable>(
    as type: Parameters.Type = Parameters.self
  ) throws(ParameterError) -> Parameters {
    try message.decodeParameters(at: parametersIndex, .refused)
  }

  /// Returns a reader for the members of the parameters.
  ///
  /// After the last read, call ``ObjectReader/finish()``. It throws an error if the parameters have an unread member.
  @_lifetime(copy self)
  package func parameterReader() throws(ParameterError) -> ObjectReader {
    try message.parameterReader(at: parametersIndex, .refused)
  }
}

extension JSONDocument {
  /// Reads `message` as a call; `message` does not include the NUL at its end.
  ///
  /// The document cannot be used for anything else while the call exists.
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

/// The replies that a caller expects.
///
/// The flag of a call, `more`, `oneway` or `upgrade`, sets the mode. A call has at most one of these flags.
package enum CallMode: Sendable {
  /// The caller expects one reply.
  case plain
  /// The caller expects any number of replies with `continues`, and then one reply without `continues`.
  case more
  /// The caller expects no reply, not even an error.
  case oneway
  /// The caller expects one reply, and asks to use another protocol on the connection after a success.
  ///
  /// ``ServiceInterface`` always answers such a call with an error.
  case upgrade
}
