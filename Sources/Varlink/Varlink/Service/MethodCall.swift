/// The parameters of a method call, and the type of the parameters of its replies.
public protocol MethodCall: ObjectDecodable, ObjectEncodable, Sendable, Equatable {
  /// The parameters of a reply.
  associatedtype Reply: ObjectDecodable & ObjectEncodable & Sendable & Equatable

  /// The qualified name of the method.
  static var method: StaticString { get }
}
