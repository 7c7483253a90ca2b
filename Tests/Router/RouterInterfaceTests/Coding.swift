import RouterInterface
import Varlink

/// Reads a value from JSON.
func decode<Value: ObjectDecodable>(
  _ json: String,
  as type: Value.Type = Value.self,
  _ unknownMembers: JSONValue.UnknownMembers = .refused
) throws -> Value {
  var document = JSONDocument()
  let bytes = Array(json.utf8)
  let value = try document.parse(bytes.span).decoding(unknownMembers)
  return try Value(from: value)
}

/// Writes a value as JSON.
func encode(_ value: some JSONEncodable) -> String {
  var writer = JSONWriter()
  value.encode(to: &writer)
  return String(decoding: writer.takeBytes(), as: UTF8.self)
}
