/// Splits what one connection receives into messages at the NUL bytes.
///
/// Messages that lie within the received bytes are not copied. Kept are only the start of a message whose NUL has not
/// come, and what the caller leaves for later with ``keep(_:)``.
///
///     var offset = 0
///     while let message = try splitter.nextMessage(of: received, at: &offset) { … }
package struct FrameSplitter: ~Copyable, Sendable {
  /// The longest message that a service takes, without its NUL: 256 KiB, the routing contract's limit.
  package static let messageLimit = 256 << 10

  private let messageLimit: Int
  private var kept: [UInt8] = []
  /// Where in ``kept`` the next message begins; those before it have been handed out.
  private var start = 0
  /// Up to where in ``kept`` there is no NUL behind ``start``.
  private var searched = 0
  /// How many complete messages are kept.
  package private(set) var keptMessageCount = 0

  /// Makes a splitter for a new connection, which takes messages of at most `messageLimit` bytes without their NUL.
  package init(messageLimit: Int = FrameSplitter.messageLimit) {
    self.messageLimit = messageLimit
  }

  /// Bytes that are kept, NULs included.
  package var keptByteCount: Int { kept.count - start }

  /// Bytes of memory in which they are kept.
  package var memory: Int { kept.capacity }

  /// Whether the last message is not complete.
  package var isInsideMessage: Bool { keptByteCount > 0 && keptMessageCount == 0 }

  /// The next message, without its NUL; nil when all that was kept and all of `received` is used up.
  ///
  /// To be called with the same bytes until it returns nil, or until the rest of them is kept. `offset`, 0 at first,
  /// is where the bytes begin that were not used. The splitter is in use (in the sense of exclusive access) as long as
  /// the message is.
  ///
  /// - Throws: `messageTooLong`, as soon as more bytes have come than a message may have.
  @_lifetime(&self, copy received)
  package mutating func nextMessage(
    of received: Span<UInt8>,
    at offset: inout Int
  ) throws(ProtocolViolation) -> Span<UInt8>? {
    removeHandedOut()
    guard kept.isEmpty else { return try nextKeptMessage(completedWith: received, at: &offset) }
    let end = received.firstNUL(from: offset)
    guard end - offset <= messageLimit else { throw .messageTooLong }
    guard end < received.count else {
      keep(received.extracting(offset...))
      offset = received.count
      return nil
    }
    defer { offset = end + 1 }
    return received.extracting(offset..<end)
  }

  /// Keeps bytes behind those that are kept already, to be split later.
  package mutating func keep(_ bytes: Span<UInt8>) {
    removeHandedOut()
    guard !bytes.isEmpty else { return }
    if start > 0 {
      kept.removeFirst(start)
      searched -= start
      start = 0
    }
    kept.append(contentsOf: bytes)
    var end = bytes.firstNUL(from: 0)
    while end < bytes.count {
      keptMessageCount += 1
      end = bytes.firstNUL(from: end + 1)
    }
  }

  @_lifetime(&self)
  private mutating func nextKeptMessage(
    completedWith received: Span<UInt8>,
    at offset: inout Int
  ) throws(ProtocolViolation) -> Span<UInt8>? {
    if keptMessageCount == 0 {
      searched = kept.count
      let end = min(received.firstNUL(from: offset) + 1, received.count)
      keep(received.extracting(offset..<end))
      offset = end
    }
    let end = kept.span.firstNUL(from: searched)
    guard end - start <= messageLimit else { throw .messageTooLong }
    guard end < kept.count else { return nil }
    keptMessageCount -= 1
    let message = start..<end
    (start, searched) = (end + 1, end + 1)
    return kept.span.extracting(message)
  }

  /// Gives the memory back when all that was kept has been handed out.
  private mutating func removeHandedOut() {
    guard start > 0, start == kept.count else { return }
    kept = []
    (start, searched) = (0, 0)
  }
}
