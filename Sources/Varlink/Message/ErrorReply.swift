/// An error a call can end in, as described in an interface; its members are the parameters.
package protocol ErrorReply: ObjectEncodable {
  /// The qualified name: `org.varlink.service.InvalidParameter`.
  var errorName: StaticString { get }
}
