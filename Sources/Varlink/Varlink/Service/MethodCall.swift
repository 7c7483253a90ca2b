/// A call of a method: its parameters, with the type of those of its replies.
public protocol MethodCall: ObjectDecodable, ObjectEncodable, Sendable, Equatable {
  /// The parameters of a reply.
  associatedtype Reply: ObjectDecodable & ObjectEncodable & Sendable & Equatable

  /// The qualified name.
  static var method: StaticString { get }
}
