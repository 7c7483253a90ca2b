/// Writes messages; each ends with a NUL.
///
/// Flags that are false and parameters without members are left out.
extension JSONWriter {
  package mutating func call(
    _ method: StaticString,
    _ parameters: some ObjectEncodable,
    mode: CallMode = .plain
  ) {
    beginObject()
    name("method")
    value(method)
    self.parameters(parameters.encodeMembers)
    switch mode {
    case .plain: break
    case .more: member("more", true)
    case .oneway: member("oneway", true)
    case .upgrade: member("upgrade", true)
    }
    endMessage()
  }

  package mutating func reply(_ parameters: some ObjectEncodable, continues: Bool = false) {
    reply(continues: continues, writing: parameters.encodeMembers)
  }

  /// Not generic, because a generic method takes several times as long when another module calls it.
  package mutating func reply(continues: Bool = false, writing writeMembers: (inout JSONWriter) -> Void) {
    beginObject()
    parameters(writeMembers)
    if continues { member("continues", true) }
    endMessage()
  }

  package mutating func reply(error: some ErrorReply) {
    beginObject()
    name("error")
    value(error.errorName)
    parameters(error.encodeMembers)
    endMessage()
  }

  private mutating func parameters(_ writeMembers: (inout JSONWriter) -> Void) {
    let outer = mark
    name("parameters")
    beginObject()
    let inner = mark
    writeMembers(&self)
    if count == inner.count { rewind(to: outer) } else { endObject() }
  }

  private mutating func endMessage() {
    endObject()
    append(0)
    startMessage()
  }
}

/// An error that a service can send as the reply to a call.
///
/// An interface describes the error, whose parameters are the members of the encoded object.
public protocol ErrorReply: Error, ObjectEncodable {
  /// The qualified name of the error, such as `org.varlink.service.InvalidParameter`.
  var errorName: StaticString { get }

  /// Reads an error from a reply; returns nil if the reply is none of the errors of this type.
  init?(_ reply: borrowing Reply)
}

extension Never: ErrorReply {
  /// Never called, because there is no value of this type.
  public var errorName: StaticString { switch self {} }

  /// Always returns nil.
  public init?(_ reply: borrowing Reply) { return nil }

  /// Writes nothing.
  public func encodeMembers(to object: inout JSONWriter) {}
}
