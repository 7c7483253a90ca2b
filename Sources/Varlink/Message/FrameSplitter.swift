/// Splits what one connection receives into messages at the NUL bytes.
///
/// Messages that lie within the received bytes are not copied; only the start of one whose NUL has not come
/// yet is kept.
///
///     var offset = 0
///     while let message = try splitter.nextMessage(of: received, at: &offset) { … }
package struct FrameSplitter: Sendable {
  /// The longest message, without its NUL: 1 MiB.
  package static let messageLimit = 1 << 20

  /// The start of a message; or, if so noted, a whole one that has been handed out.
  private var pending: [UInt8] = []
  private var isComplete = false
  private let messageLimit: Int

  /// Makes a splitter for a new connection; what a service sends may be longer than what it takes.
  package init(messageLimit: Int = FrameSplitter.messageLimit) {
    self.messageLimit = messageLimit
  }

  /// Whether the last message is not complete.
  package var isInsideMessage: Bool { !isComplete && !pending.isEmpty }

  /// The next message, without its NUL, or nil when all of `received` is used up.
  ///
  /// To be called with the same bytes until it returns nil. `offset`, 0 at first, is where it goes on. The
  /// splitter is in use (in the sense of exclusive access) as long as the message is.
  @_lifetime(&self, copy received)
  package mutating func nextMessage(
    of received: Span<UInt8>,
    at offset: inout Int
  ) throws(ProtocolViolation) -> Span<UInt8>? {
    if isComplete {
      // The memory of a long message is not worth keeping for every connection.
      pending = []
      isComplete = false
    }
    let start = offset
    guard start < received.count else { return nil }
    let end = received.firstNUL(from: start)
    guard pending.count + end - start <= messageLimit else { throw .messageTooLong }
    guard end < received.count else {
      pending.append(contentsOf: received.extracting(start...))
      offset = end
      return nil
    }
    offset = end + 1
    guard !pending.isEmpty else { return received.extracting(start..<end) }
    pending.append(contentsOf: received.extracting(start..<end))
    isComplete = true
    return pending.span
  }
}
