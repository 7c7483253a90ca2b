import Varlink

/// A value that can be written as JSON for other programs.
public protocol JSONRepresentable {
  /// The value as a JSON object on one line, with the names of the interface description.
  var json: String { get }
}

/// A value that has a counterpart in the messages between this library and the router.
protocol WireRepresentable: JSONRepresentable {
  associatedtype WireValue: ObjectEncodable

  var wire: WireValue { get }
}

extension WireRepresentable {
  /// The value as a JSON object on one line, with the names of the interface description.
  public var json: String {
    var writer = JSONWriter()
    wire.encode(to: &writer)
    return String(decoding: writer.takeBytes(), as: UTF8.self)
  }
}
