extension JSONValue {
  @_lifetime(copy self)
  func parameters(at index: Int?, _ unknownMembers: UnknownMembers) -> JSONValue? {
    guard let index else { return nil }
    return value(at: index).decoding(unknownMembers)
  }

  @_lifetime(copy self)
  func parameterReader(
    at index: Int?,
    _ unknownMembers: UnknownMembers
  ) throws(ParameterError) -> ObjectReader {
    if let parameters = parameters(at: index, unknownMembers) { return try ObjectReader(parameters) }
    return ObjectReader(absentFrom: decoding(unknownMembers))
  }

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
  func flag(_ name: String) throws(ProtocolViolation) -> Bool {
    if value.isNull { return false }
    guard let flag = value.boolValue else { throw .memberOfWrongType(name) }
    return flag
  }

  func parametersIndex() throws(ProtocolViolation) -> Int? {
    switch value.kind {
    case .null: return nil
    case .object: return value.index
    default: throw .memberOfWrongType("parameters")
    }
  }

  /// The name of a vendor extension has a dot; such members are ignored.
  func requireVendorExtension() throws(ProtocolViolation) {
    var utf8: [UInt8] = []
    _ = name.appendUTF8(to: &utf8)
    guard utf8.contains(UInt8(ascii: ".")) else { throw .unknownMember(name.shortenedString) }
  }
}

/// An empty set of parameters, for a method or a reply that has none.
public struct NoParameters: ObjectDecodable, ObjectEncodable, Sendable, Equatable {
  /// Makes the empty parameters.
  public init() {}

  /// Reads nothing.
  public init(from object: inout ObjectReader) {}

  /// Writes nothing.
  public func encodeMembers(to object: inout JSONWriter) {}
}
