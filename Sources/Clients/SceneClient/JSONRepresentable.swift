import Varlink

/// A value that can be written as JSON for other programs.
public protocol JSONRepresentable {
  /// The value as a JSON object on one line, with the names of the interface description.
  var json: String { get }
}

/// A value with a form on the wire.
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
