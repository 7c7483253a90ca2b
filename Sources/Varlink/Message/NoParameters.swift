/// The parameters of a method that takes none, or that has none to reply.
package struct NoParameters: ObjectDecodable, ObjectEncodable, Sendable, Equatable {
  /// Makes no parameters.
  package init() {}

  /// Reads nothing.
  package init(from object: inout ObjectReader) {}

  /// Writes nothing.
  package func encodeMembers(to object: inout JSONWriter) {}
}
