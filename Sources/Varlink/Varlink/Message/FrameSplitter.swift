/// Splits the received bytes of one connection into messages at the NUL bytes.
///
/// The splitter copies only a message that comes in several parts, and what the caller passes to ``keep(_:)``.
///
///     var offset = 0
///     while let message = try splitter.nextMessage(of: received, at: &offset) { … }
package struct FrameSplitter: ~Copyable, Sendable {
  /// 256 KiB without the NUL, the limit of the routing contract.
  package static let messageLimit = 256 << 10

  private let messageLimit: Int
  private var kept: [UInt8] = []
  /// The offset in ``kept`` at which the next message begins; those before it have been returned.
  private var start = 0
  /// There is no NUL from ``start`` up to this offset in ``kept``.
  private var searched = 0
  package private(set) var keptMessageCount = 0

  package init(messageLimit: Int = FrameSplitter.messageLimit) {
    self.messageLimit = messageLimit
  }

  package var keptByteCount: Int { kept.count - start }

  package var memory: Int { kept.capacity }

  package var isInsideMessage: Bool { keptByteCount > 0 && keptMessageCount == 0 }

  /// Returns the next message without its NUL; nil when no complete message is left, and the rest has been kept.
  ///
  /// Start with `offset` 0, and call again with the same bytes until the result is nil; to stop earlier, pass the bytes
  /// from `offset` on to ``keep(_:)``. The splitter cannot be used while the message exists.
  ///
  /// - Throws: `messageTooLong`, even before the message is complete.
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

  private mutating func removeHandedOut() {
    guard start > 0, start == kept.count else { return }
    kept = []
    (start, searched) = (0, 0)
  }
}
