import Varlink

struct ReplyReader: ~Copyable, Sendable {
  /// 16 MiB without the NUL, as much as a service queues for one client.
  static let messageLimit = 16 << 20

  /// A service may copy a value from a call, nested as deeply as a call allows, into the objects of a reply.
  static let nestingLimit = JSONDocument.nestingLimit + 4

  private var splitter = FrameSplitter(messageLimit: messageLimit)
  private var hasBegun = false

  var isInsideMessage: Bool { splitter.isInsideMessage }

  mutating func receive(
    _ bytes: Span<UInt8>,
    deliver: (borrowing Reply, Span<UInt8>) throws(ProtocolViolation) -> Void
  ) throws(ProtocolViolation) {
    try checkBeginning(bytes)
    var document = JSONDocument()
    var offset = 0
    while let message = try splitter.nextMessage(of: bytes, at: &offset) {
      try deliver(document.parseReply(message, nestingLimit: Self.nestingLimit), message)
    }
  }

  /// Refuses text before the first reply, such as ssh's, without waiting for a NUL, which may never come.
  private mutating func checkBeginning(_ bytes: Span<UInt8>) throws(ProtocolViolation) {
    guard !hasBegun else { return }
    let text = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0.prefix(256), as: UTF8.self) }
    guard let first = text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) else { return }
    hasBegun = true
    let line = text.drop(while: \.isWhitespace).prefix { !$0.isNewline && $0 != "\0" }
    // The parser has a more precise error for a complete message.
    guard first == "{" || text[line.endIndex...].first == "\0" else { throw .strayText(String(line)) }
  }
}
