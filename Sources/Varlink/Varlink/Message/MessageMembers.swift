extension JSONValue {
  /// The parameters of this message, under a rule about unknown members.
  @_lifetime(copy self)
  func parameters(at index: Int?, _ unknownMembers: UnknownMembers) -> JSONValue? {
    guard let index else { return nil }
    return value(at: index).decoding(unknownMembers)
  }

  /// Begins to read parameters; absent ones have no members.
  @_lifetime(copy self)
  func parameterReader(
    at index: Int?,
    _ unknownMembers: UnknownMembers
  ) throws(ParameterError) -> ObjectReader {
    if let parameters = parameters(at: index, unknownMembers) { return try ObjectReader(parameters) }
    return ObjectReader(absentFrom: decoding(unknownMembers))
  }

  /// Reads parameters.
  func decodeParameters<Parameters: ObjectDecodable>(
    at index: Int?,
    _ unknownMembers: UnknownMembers
  ) throws(ParameterError) -> Parameters {
    var reader = try parameterReader(at: index, unknownMembers)
    let parameters = try Parameters(from: &reader)
    try reader.finish()
    return parameters
  }
}

extension JSONValue.Member {
  /// The value as a flag; null is an absent one.
  func flag(_ name: String) throws(ProtocolViolation) -> Bool {
    if value.isNull { return false }
    guard let flag = value.boolValue else { throw .memberOfWrongType(name) }
    return flag
  }

  /// Index of the value as parameters; nil is an absent one.
  func parametersIndex() throws(ProtocolViolation) -> Int? {
    switch value.kind {
    case .null: return nil
    case .object: return value.index
    default: throw .memberOfWrongType("parameters")
    }
  }

  /// Refuses a member that is not a vendor extension; those have a dot in their name and are ignored.
  func requireVendorExtension() throws(ProtocolViolation) {
    var utf8: [UInt8] = []
    _ = name.appendUTF8(to: &utf8)
    guard utf8.contains(UInt8(ascii: ".")) else { throw .unknownMember(name.shortenedString) }
  }
}

/// The parameters of a method that takes none, or that has none to reply.
public struct NoParameters: ObjectDecodable, ObjectEncodable, Sendable, Equatable {
  /// Makes no parameters.
  public init() {}

  /// Reads nothing.
  public init(from object: inout ObjectReader) {}

  /// Writes nothing.
  public func encodeMembers(to object: inout JSONWriter) {}
}
