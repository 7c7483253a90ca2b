/// The order of calls and replies on one connection, as the server has to keep it.
///
/// Replies leave in the order of the calls. Plain calls may be carried out while earlier ones still wait, and
/// only their replies wait their turn; but while a call with `more` is open, later calls are held.
///
/// For each message received, in this order: ``admit(_:)``, unless held ``begin(_:)``, then for each reply
/// ``reply(to:_:continues:)``. When a call with `more` has got its last reply: ``takeHeldCall()`` until nil,
/// each to be begun. It is all a plain call answered at once costs: a few comparisons and no memory.
package struct CallSequence: Sendable {
  /// How many calls may wait behind an open stream.
  package static let heldCallLimit = 16
  /// How many bytes of calls may wait behind an open stream: 1 MiB.
  package static let heldByteLimit = 1 << 20

  /// A message received is either for now or for later.
  package enum Admission: Sendable, Equatable {
    /// The call is to be carried out now.
    case carryOut
    /// The message was copied, and comes back from ``CallSequence/takeHeldCall()``.
    case held
  }

  /// What is to be done with a reply.
  package enum Disposition: Sendable, Equatable {
    /// Send it.
    case send
    /// Send it, and then these replies to later calls, which had to wait for it.
    case sendFollowed(by: [UInt8])
    /// Nothing: it was copied, and follows an earlier reply.
    case held
    /// Nothing: the caller is not to get it, as the call is `oneway`, or answered, or has no `more`.
    case dropped
  }

  /// Replies to one call that wait for replies to earlier ones.
  private struct EarlyReplies {
    var bytes: [UInt8] = []
    var areComplete = false
  }

  /// The number of the next call that is answered.
  private var nextCall: UInt64 = 0
  /// The number of the call whose reply is the next to be sent.
  private var nextReply: UInt64 = 0
  /// The number of the call with `more` that has not got its last reply.
  private var openStream: UInt64?
  private var earlyReplies: [UInt64: EarlyReplies] = [:]
  private var heldCalls: [[UInt8]] = []
  private var heldCallBytes = 0
  private var inputHasEnded = false

  /// Bytes of replies kept until it is their turn: they count as queued for sending.
  package private(set) var heldReplyBytes = 0

  /// Makes the sequence of a new connection.
  package init() {}

  /// How many calls have not got their last reply sent.
  package var unansweredCalls: Int { Int(nextCall - nextReply) }
}

// MARK: - Calls

extension CallSequence {
  /// Decides whether a message, without its NUL, is for now or for later.
  ///
  /// - Throws: `tooManyHeldCalls` past the limits.
  package mutating func admit(_ message: Span<UInt8>) throws(ProtocolViolation) -> Admission {
    guard openStream != nil || !heldCalls.isEmpty else { return .carryOut }
    guard heldCalls.count < Self.heldCallLimit, heldCallBytes + message.count <= Self.heldByteLimit else {
      throw .tooManyHeldCalls
    }
    var copy: [UInt8] = []
    copy.append(contentsOf: message)
    heldCalls.append(copy)
    heldCallBytes += copy.count
    return .held
  }

  /// The next message that was held, when nothing keeps it waiting any more.
  package mutating func takeHeldCall() -> [UInt8]? {
    guard openStream == nil, !heldCalls.isEmpty else { return nil }
    let message = heldCalls.removeFirst()
    heldCallBytes -= message.count
    return message
  }

  /// Gives a call its place; it is about to be carried out.
  package mutating func begin(_ mode: CallMode) -> CallTicket {
    let ticket = CallTicket(number: nextCall, mode: mode)
    guard mode != .oneway else { return ticket }
    if mode == .more { openStream = nextCall }
    nextCall += 1
    return ticket
  }

  /// Notes that the client will send nothing more.
  package mutating func endInput() {
    inputHasEnded = true
  }

  /// Whether the connection can be closed: nothing more comes, and nobody waits for a reply.
  ///
  /// At the end of its input a client with an open stream is gone; one with plain calls gets its replies.
  package var isFinished: Bool {
    inputHasEnded && (openStream != nil || unansweredCalls == 0)
  }
}

// MARK: - Replies

extension CallSequence {
  /// Decides what to do with a reply.
  ///
  /// - Parameters:
  ///   - ticket: What ``begin(_:)`` gave for the call.
  ///   - message: The reply, with its NUL.
  ///   - continues: Whether the reply says that another one follows.
  /// - Returns: What the server is to do.
  package mutating func reply(
    to ticket: CallTicket,
    _ message: Span<UInt8>,
    continues: Bool = false
  ) -> Disposition {
    guard ticket.mode != .oneway, ticket.number >= nextReply, !continues || ticket.mode == .more else {
      return .dropped
    }
    if ticket.number > nextReply { return hold(message, of: ticket.number, continues: continues) }
    if continues { return .send }
    end(ticket.number)
    nextReply += 1
    guard !earlyReplies.isEmpty else { return .send }
    let due = takeDueReplies()
    return due.isEmpty ? .send : .sendFollowed(by: due)
  }

  private mutating func hold(_ message: Span<UInt8>, of number: UInt64, continues: Bool) -> Disposition {
    var replies = earlyReplies.removeValue(forKey: number) ?? EarlyReplies()
    defer { earlyReplies[number] = replies }
    guard !replies.areComplete else { return .dropped }
    replies.bytes.append(contentsOf: message)
    heldReplyBytes += message.count
    if !continues {
      replies.areComplete = true
      end(number)
    }
    return .held
  }

  /// Takes out the replies kept of the calls next in order, up to the first that is not complete.
  private mutating func takeDueReplies() -> [UInt8] {
    var due: [UInt8] = []
    while let replies = earlyReplies.removeValue(forKey: nextReply) {
      due += replies.bytes
      guard replies.areComplete else { break }
      nextReply += 1
    }
    heldReplyBytes -= due.count
    return due
  }

  private mutating func end(_ number: UInt64) {
    if openStream == number { openStream = nil }
  }
}
