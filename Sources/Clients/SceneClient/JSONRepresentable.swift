import Varlink

/// A value that other programs can read as JSON.
public protocol JSONRepresentable {
  /// The value as a JSON object, with the names of the interface description and on one line.
  var json: String { get }
}

/// A value that is said on the wire.
protocol WireRepresentable: JSONRepresentable {
  associatedtype WireValue: ObjectEncodable

  var wire: WireValue { get }
}

extension WireRepresentable {
  /// The value as a JSON object, with the names of the interface description and on one line.
  public var json: String {
    var writer = JSONWriter()
    wire.encode(to: &writer)
    return String(decoding: writer.takeBytes(), as: UTF8.self)
  }
}
