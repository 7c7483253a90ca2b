/// The order of calls and replies on one connection, as the server has to keep it (the contract's `varlink.md`,
/// "Order").
///
/// Replies leave in the order of the calls. Plain calls are carried out while earlier ones still wait, and only their
/// replies wait their turn; while a stream is open, no later call is carried out.
///
/// Call ``begin(_:)`` when a call is carried out, then ``reply(to:_:continues:)`` for each reply. A plain call that is
/// answered at once costs a few comparisons and no memory.
package struct CallSequence: ~Copyable, Sendable {
  /// How many calls may wait behind an open stream.
  package static let waitingCallLimit = 16
  /// How many bytes of calls may wait behind an open stream: 256 KiB, one message of the greatest length.
  package static let waitingByteLimit = 256 << 10

  /// What is to be done with a reply.
  package enum Disposition: Sendable, Equatable {
    /// Send it.
    case send
    /// Send it, and then these replies to later calls, which had to wait for it.
    case sendFollowed(by: [UInt8])
    /// Nothing: it was copied, and is sent after the replies to earlier calls.
    case held
    /// Nothing: the caller does not get it, as the call is `oneway`, or answered, or has no `more`.
    case dropped
  }

  /// Replies to one call that wait for replies to earlier ones.
  private struct EarlyReplies {
    var bytes: [UInt8] = []
    var areComplete = false

    /// Bytes of memory: with the head of the array and the place in the table, which take 128 at most.
    var memory: Int { bytes.capacity + 128 }
  }

  /// The number of the next call that is answered.
  private var nextCall: UInt64 = 0
  /// The number of the call whose reply is the next to be sent.
  private var nextReply: UInt64 = 0
  /// The number of the call with `more` whose last reply is not ready.
  private var openStream: UInt64?
  private var earlyReplies: [UInt64: EarlyReplies] = [:]
  private var inputHasEnded = false

  /// Bytes of memory that replies take which wait for earlier ones.
  package private(set) var heldReplyMemory = 0

  /// Makes the sequence of a new connection.
  package init() {}
}

// MARK: - Calls

extension CallSequence {
  /// Whether a call with `more` is open; later calls wait until its last reply is ready, sent or not.
  package var hasOpenStream: Bool { openStream != nil }

  /// How many calls have not got their last reply sent.
  package var unansweredCalls: Int { Int(nextCall - nextReply) }

  /// Gives a call its place; it is about to be carried out.
  package mutating func begin(_ mode: CallMode) -> CallTicket {
    let ticket = CallTicket(number: nextCall, mode: mode)
    guard mode != .oneway else { return ticket }
    if mode == .more { openStream = nextCall }
    nextCall += 1
    return ticket
  }

  /// Throws `tooManyWaitingCalls` if more is kept than may wait behind an open stream.
  package static func checkWaitingCalls(in input: borrowing FrameSplitter) throws(ProtocolViolation) {
    let count = input.keptMessageCount
    // The NULs do not count.
    guard count <= waitingCallLimit, input.keptByteCount - count <= waitingByteLimit else {
      throw .tooManyWaitingCalls
    }
  }

  /// Notes that the client will send nothing more.
  package mutating func endInput() {
    inputHasEnded = true
  }

  /// Whether the client may still send something.
  package var isInputOpen: Bool { !inputHasEnded }

  /// Whether the connection can be closed: nothing more comes, and nobody waits for a reply.
  ///
  /// A client that ends its input with a stream open has ended the stream; one with plain calls gets their replies.
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
  ///   - continues: Whether the reply announces another one.
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
    var replies = EarlyReplies()
    if let earlier = earlyReplies.removeValue(forKey: number) {
      heldReplyMemory -= earlier.memory
      replies = earlier
    }
    defer {
      heldReplyMemory += replies.memory
      earlyReplies[number] = replies
    }
    guard !replies.areComplete else { return .dropped }
    replies.bytes.append(contentsOf: message)
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
      heldReplyMemory -= replies.memory
      guard replies.areComplete else { break }
      nextReply += 1
    }
    return due
  }

  private mutating func end(_ number: UInt64) {
    if openStream == number { openStream = nil }
  }
}

/// A call's place in the order of one connection.
package struct CallTicket: Sendable, Equatable {
  /// Counts the calls of the connection that are answered; one that is not has the number of the next.
  package let number: UInt64
  /// Which replies the caller expects.
  package let mode: CallMode
}
