/// A call of a method of some interface: its parameters, and what they are answered with.
package protocol MethodCall: ObjectDecodable, ObjectEncodable, Sendable, Equatable {
  /// The parameters of a reply.
  associatedtype Reply: ObjectDecodable & ObjectEncodable & Sendable & Equatable

  /// The qualified name.
  static var method: StaticString { get }
}
