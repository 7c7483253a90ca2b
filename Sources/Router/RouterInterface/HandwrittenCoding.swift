public import Varlink

// Written by hand, because exactly one of `url` and `activity` is set, and an event that was read is written as the
// bytes that it was read from.
extension Event: ObjectDecodable, ObjectEncodable {
  /// Reads an event, and keeps its bytes.
  public init(from reader: inout ObjectReader) throws(ParameterError) {
    let url: String? = try reader.optional("url")
    let resolvedURL: String? = try reader.optional("resolvedUrl")
    var activity: Content?
    if let value = reader.member("activity") { activity = .activity(try Activity(from: value)) }
    let contentType: String? = try reader.optional("contentType")
    let line: Int64? = try reader.optional("line")
    let column: Int64? = try reader.optional("column")
    let content: Content
    switch (url, activity) {
    case (let url?, nil): content = .url(url)
    case (nil, let activity?): content = activity
    default: throw reader.object.error(.notAllowed)
    }
    self.init(
      content,
      resolvedURL: resolvedURL,
      contentType: contentType,
      line: line.map(Int.init),
      column: column.map(Int.init),
      encoded: try RawObject(from: reader.object).bytes
    )
  }

  /// Writes the bytes that the event was read from; an event that was not read is written from its properties.
  public func encode(to writer: inout JSONWriter) {
    guard encoded.isEmpty else { return writer.rawValue(encoded.span) }
    writer.beginObject()
    encodeMembers(to: &writer)
    writer.endObject()
  }

  /// Writes the properties.
  public func encodeMembers(to writer: inout JSONWriter) {
    writer.member("url", ifPresent: url)
    writer.member("resolvedUrl", ifPresent: resolvedURL)
    activity?.encode(as: "activity", to: &writer)
    writer.member("contentType", ifPresent: contentType)
    writer.member("line", ifPresent: line.map(Int64.init))
    writer.member("column", ifPresent: column.map(Int64.init))
  }
}

extension UserInfo: JSONDecodable, JSONEncodable {
  /// Copies the text of an object.
  public init(from value: JSONValue) throws(ParameterError) {
    self.init(bytes: try RawObject(from: value).bytes)
  }

  /// Writes the text unchanged.
  public func encode(to writer: inout JSONWriter) {
    writer.rawValue(bytes.span)
  }
}

extension SceneDeclaration.Kind: JSONDecodable, JSONEncodable {}
