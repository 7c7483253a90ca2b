/// The parameters of a method call; `Reply` is the type of the parameters of a reply.
public protocol MethodCall: ObjectDecodable, ObjectEncodable, Sendable, Equatable {
  /// The parameters of a reply.
  associatedtype Reply: ObjectDecodable & ObjectEncodable & Sendable & Equatable

  /// The qualified name of the method.
  static var method: StaticString { get }
}
