import Varlink

/// Parses a text, and calls a function with the value.
func parsing<Result>(
  _ text: String,
  _ body: (JSONValue) throws -> Result
) throws -> Result {
  try parsing(Array(text.utf8), body)
}

func parsing<Result>(_ bytes: [UInt8], _ body: (JSONValue) throws -> Result) throws -> Result {
  var document = JSONDocument()
  return try body(document.parse(bytes.span))
}

/// Returns the error with which a text is refused; nil if the text is accepted.
func refusal(of bytes: [UInt8]) -> JSONError? {
  var document = JSONDocument()
  do throws(JSONError) {
    _ = try document.parse(bytes.span).kind
    return nil
  } catch {
    return error
  }
}

func text(_ span: Span<UInt8>) -> String {
  String(decoding: bytes(span), as: UTF8.self)
}

func bytes(_ span: Span<UInt8>) -> [UInt8] {
  span.withUnsafeBufferPointer { Array($0) }
}

/// Returns the written bytes as text, with NULs shown as `␀`.
func written(_ body: (inout JSONWriter) -> Void) -> String {
  var writer = JSONWriter()
  body(&writer)
  return text(writer.bytes).replacing("\0", with: "␀")
}
