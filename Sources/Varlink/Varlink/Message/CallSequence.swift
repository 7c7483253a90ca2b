/// The order of calls and replies on one connection, for the server ("Order" in the varlink contract).
///
/// Replies are sent in the order of the calls. A plain call is carried out even if earlier calls are still open, but
/// its reply waits for the earlier replies. While a stream is open, no later call is carried out.
///
/// Call ``begin(_:)`` when a call is carried out, then ``reply(to:_:continues:)`` for each reply. A plain call costs a
/// few comparisons and no memory if it is answered before the next call.
package struct CallSequence: ~Copyable, Sendable {
  /// The most calls that may wait behind an open stream.
  package static let waitingCallLimit = 16
  /// The most bytes of calls that may wait behind an open stream: 256 KiB, the length of the longest message.
  package static let waitingByteLimit = 256 << 10

  /// The action that the server has to take for a reply.
  package enum Disposition: Sendable, Equatable {
    /// Send the reply.
    case send
    /// Send the reply, and then these replies to later calls.
    case sendFollowed(by: [UInt8])
    /// Do nothing: the reply was copied, and is sent after the replies to earlier calls.
    case held
    /// Do nothing, because the caller expects no such reply.
    ///
    /// The reason is one of these:
    /// - The call is `oneway`.
    /// - The call is already answered.
    /// - The reply announces another reply, but the call has no `more`.
    case dropped
  }

  /// The replies to one call that wait for the replies to earlier calls.
  private struct EarlyReplies {
    var bytes: [UInt8] = []
    var areComplete = false

    /// The bytes of memory, with 128 bytes for the head of the array and the entry in the table.
    var memory: Int { bytes.capacity + 128 }
  }

  /// The number that the next call gets; a `oneway` call uses up no number.
  private var nextCall: UInt64 = 0
  /// The number of the call whose reply is sent next.
  private var nextReply: UInt64 = 0
  /// The number of the open call with `more`, whose last reply is not ready.
  private var openStream: UInt64?
  private var earlyReplies: [UInt64: EarlyReplies] = [:]
  private var inputHasEnded = false

  /// The bytes of memory for replies that wait for earlier replies.
  package private(set) var heldReplyMemory = 0

  /// Makes the sequence of a new connection.
  package init() {}
}

// MARK: - Calls

extension CallSequence {
  /// Whether a call with `more` is open.
  ///
  /// Later calls are carried out when the last reply to this call is ready. The last reply may still wait to be sent.
  package var hasOpenStream: Bool { openStream != nil }

  /// The number of calls whose last reply has not been sent.
  package var unansweredCalls: Int { Int(nextCall - nextReply) }

  /// Assigns a place in the order to a call.
  ///
  /// Must be called directly before the call is carried out.
  package mutating func begin(_ mode: CallMode) -> CallTicket {
    let ticket = CallTicket(number: nextCall, mode: mode)
    guard mode != .oneway else { return ticket }
    if mode == .more { openStream = nextCall }
    nextCall += 1
    return ticket
  }

  /// Throws `tooManyWaitingCalls` if the input keeps more calls or bytes than may wait behind an open stream.
  package static func checkWaitingCalls(in input: borrowing FrameSplitter) throws(ProtocolViolation) {
    let count = input.keptMessageCount
    // The limit does not count the NULs.
    guard count <= waitingCallLimit, input.keptByteCount - count <= waitingByteLimit else {
      throw .tooManyWaitingCalls
    }
  }

  /// Notes that the client will send nothing more.
  package mutating func endInput() {
    inputHasEnded = true
  }

  /// Whether the client may send more.
  package var isInputOpen: Bool { !inputHasEnded }

  /// Whether the connection can be closed: no more input comes, and no caller waits for a reply.
  ///
  /// A client that ends its input while a stream is open has ended the stream. A client with open plain calls still
  /// gets the replies to these calls.
  package var isFinished: Bool {
    inputHasEnded && (openStream != nil || unansweredCalls == 0)
  }
}

// MARK: - Replies

extension CallSequence {
  /// Decides what the server has to do with a reply.
  ///
  /// - Parameters:
  ///   - ticket: The ticket that ``begin(_:)`` returned for the call.
  ///   - message: The reply, with its NUL.
  ///   - continues: Whether the reply announces another reply.
  /// - Returns: What the server has to do.
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

  /// Takes the held replies to the next calls, in order; stops after the first call whose replies are not complete.
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

/// The place of a call in the order of one connection.
package struct CallTicket: Sendable, Equatable {
  /// The number of the call among the calls that get a reply.
  ///
  /// A `oneway` call has the number of the next call that gets a reply.
  package let number: UInt64
  /// The replies that the caller expects.
  package let mode: CallMode
}
