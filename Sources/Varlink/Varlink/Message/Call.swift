/// A received call.
package struct Call: ~Escapable {
  /// The replies that the caller expects.
  package let mode: CallMode
  private let message: JSONValue
  private let methodIndex: Int
  /// The index of the parameters; nil if they are absent or null.
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
  /// A member that the type does not have is an error.
  package func decodeParameters<Parameters: ObjectDecodable>(
    as type: Parameters.Type = Parameters.self
  ) throws(ParameterError) -> Parameters {
    try message.decodeParameters(at: parametersIndex, .refused)
  }

  /// Begins to read the parameters.
  ///
  /// ``ObjectReader/finish()`` throws if a member was not read.
  @_lifetime(copy self)
  package func parameterReader() throws(ParameterError) -> ObjectReader {
    try message.parameterReader(at: parametersIndex, .refused)
  }
}

extension JSONDocument {
  /// Reads a message, without its NUL, as a call.
  ///
  /// The call has exclusive access to the document as long as the call exists.
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
/// A call has at most one of three flags; the flag sets the mode.
package enum CallMode: Sendable {
  /// One reply.
  case plain
  /// Any number of replies with `continues`, then one reply without `continues`.
  case more
  /// No reply, not even an error.
  case oneway
  /// One reply; after a success, the connection carries another protocol. ``ServiceInterface`` answers with an error.
  case upgrade
}
