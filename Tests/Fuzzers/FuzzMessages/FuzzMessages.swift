@testable import Varlink

/// Splits the input into messages and parses each message, and compares the results with those of simpler code.
///
/// The first byte says in how many pieces the bytes arrive. The messages must not depend on this number.
@c(LLVMFuzzerTestOneInput)
public func fuzzMessages(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let pieces = input.first else { return 0 }
  let bytes = Array(input.dropFirst())
  let expected = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init)
  let messages = split(bytes, pieces: Int(pieces) + 1)
  precondition(messages.elementsEqual(expected.prefix { $0.count <= messageLimit }))
  for message in messages { check(message) }
  return 0
}

private let messageLimit = 1 << 10

/// Splits bytes that arrive in pieces.
///
/// If a message is too long, this message and all later messages are missing.
private func split(_ bytes: [UInt8], pieces: Int) -> [[UInt8]] {
  var splitter = FrameSplitter(messageLimit: messageLimit)
  var messages: [[UInt8]] = []
  let length = max(1, bytes.count / pieces)
  for start in stride(from: 0, to: bytes.count, by: length) {
    let piece = bytes.span.extracting(start..<min(start + length, bytes.count))
    var offset = 0
    do throws(ProtocolViolation) {
      while let message = try splitter.nextMessage(of: piece, at: &offset) {
        messages.append(
          [UInt8](capacity: message.count) { for index in message.indices { $0.append(message[index]) } }
        )
      }
    } catch {
      return messages
    }
  }
  return messages
}

/// Compares the results of the parser and of a plain parser.
///
/// Also writes the message, reads the written bytes, and compares the values.
private func check(_ message: [UInt8]) {
  var document = JSONDocument()
  let expected = PlainJSON(parsing: message)
  do throws(JSONError) {
    let value = try document.parse(message.span)
    precondition(expected == PlainJSON(value), "a value was read otherwise")
    // The next line must not crash, whatever the message contains.
    if let call = try? Call(value) { _ = call.method.stringValue }
  } catch {
    precondition(expected == nil, "refused: \(error)")
    return
  }
  guard let expected else { return }
  var writer = JSONWriter()
  expected.write(to: &writer)
  precondition(PlainJSON(parsing: writer.takeBytes()) == expected, "a value was written otherwise")
}
