import Varlink

/// Makes replies of the bytes that a connection receives.
struct ReplyReader: ~Copyable, Sendable {
  /// The longest reply, without its NUL: as much as a service queues for one client, 16 MiB.
  static let messageLimit = 16 << 20

  /// How deeply a reply may be nested.
  ///
  /// Services pass on what they were sent, which may be as deep as a call may be, and wrap it.
  static let nestingLimit = JSONDocument.nestingLimit + 4

  private var splitter = FrameSplitter(messageLimit: messageLimit)
  /// Whether anything but white space has come.
  private var hasBegun = false

  /// Whether the start of a message has come, but not yet its end.
  var isInsideMessage: Bool { splitter.isInsideMessage }

  /// Passes each reply that is complete with `bytes` on to `deliver`, together with its text.
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

  /// Refuses at once what no NUL may ever end: a program on the way may write text before the first reply.
  private mutating func checkBeginning(_ bytes: Span<UInt8>) throws(ProtocolViolation) {
    guard !hasBegun else { return }
    let text = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0.prefix(256), as: UTF8.self) }
    guard let first = text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) else { return }
    hasBegun = true
    let line = text.drop(while: \.isWhitespace).prefix { !$0.isNewline && $0 != "\0" }
    // A whole message that is wrong has an error of its own.
    guard first == "{" || text[line.endIndex...].first == "\0" else { throw .strayText(String(line)) }
  }
}
