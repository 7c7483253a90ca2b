import Varlink

/// Decodes the bytes that a connection receives into replies.
struct ReplyReader: ~Copyable, Sendable {
  /// The longest reply, without its NUL: 16 MiB, as much as a service queues for one client.
  static let messageLimit = 16 << 20

  /// How deeply objects and arrays may be nested in a reply: four levels deeper than in a call.
  ///
  /// A service may copy a value from a call into the objects of a reply. This value may itself be nested as deeply as
  /// a call allows.
  static let nestingLimit = JSONDocument.nestingLimit + 4

  private var splitter = FrameSplitter(messageLimit: messageLimit)
  /// Whether anything except white space has come.
  private var hasBegun = false

  /// Whether the received bytes end inside a message.
  var isInsideMessage: Bool { splitter.isInsideMessage }

  /// Calls `deliver` with each reply that `bytes` completes, and with the text of the reply.
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

  /// Throws an error if the first bytes are not the start of a reply.
  ///
  /// A program that connects to the service, such as ssh, may write text before the first reply. The text is refused
  /// without waiting for a NUL, because a NUL may never come.
  private mutating func checkBeginning(_ bytes: Span<UInt8>) throws(ProtocolViolation) {
    guard !hasBegun else { return }
    let text = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0.prefix(256), as: UTF8.self) }
    guard let first = text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) else { return }
    hasBegun = true
    let line = text.drop(while: \.isWhitespace).prefix { !$0.isNewline && $0 != "\0" }
    // A complete message is not refused here, because the parser has a more precise error for a malformed message.
    guard first == "{" || text[line.endIndex...].first == "\0" else { throw .strayText(String(line)) }
  }
}
