/// The order of calls and replies on one connection, for the server ("Order" in the varlink contract).
///
/// Replies are sent in the order of the calls. A plain call is carried out even if earlier plain calls have no reply
/// yet, but its reply waits for the earlier replies. A call with `more` opens a *stream*. While a stream is open, no
/// later call is carried out.
///
/// Call ``begin(_:)`` when a call is carried out, then ``reply(to:_:continues:)`` for each reply. A plain call costs a
/// few comparisons and no memory if it is answered before the next call.
package struct CallSequence: ~Copyable, Sendable {
  /// The most calls that a client may send while its earlier call with `more` is still open.
  package static let waitingCallLimit = 16
  /// The most bytes of calls that a client may send while its earlier call with `more` is still open: 256 KiB.
  ///
  /// The limit equals ``FrameSplitter/messageLimit``, so it leaves room for one call of the greatest length.
  package static let waitingByteLimit = 256 << 10

  /// The action that the server has to take for a reply.
  package enum Disposition: Sendable, Equatable {
    /// Send the reply.
    case send
    /// Send the reply, and then the given bytes: replies to later calls that had to wait for this reply.
    case sendFollowed(by: [UInt8])
    /// Do nothing: the sequence keeps a copy of the reply until all earlier calls are answered.
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

    /// The memory of these replies, in bytes.
    ///
    /// 128 bytes stand for the header of the array and for the entry in `earlyReplies`.
    var memory: Int { bytes.capacity + 128 }
  }

  /// The number that the next call gets; a `oneway` call uses up no number.
  private var nextCall: UInt64 = 0
  /// The number of the call whose reply is sent next.
  private var nextReply: UInt64 = 0
  /// The number of the call with `more` whose last reply is not ready yet; nil if there is no such call.
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
  /// Whether a call with `more` still needs its last reply from the service.
  ///
  /// Later calls are carried out as soon as the service has given this reply, even if the reply has not been sent yet.
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

  /// Throws `tooManyWaitingCalls` if `input` keeps too many calls, or too many bytes of calls.
  ///
  /// These calls wait for an earlier call with `more` to end.
  package static func checkWaitingCalls(in input: borrowing FrameSplitter) throws(ProtocolViolation) {
    let count = input.keptMessageCount
    // Each complete call ends with a NUL, which the limit on bytes does not count.
    guard count <= waitingCallLimit, input.keptByteCount - count <= waitingByteLimit else {
      throw .tooManyWaitingCalls
    }
  }

  /// Notes that the client will send nothing more.
  package mutating func endInput() {
    inputHasEnded = true
  }

  /// Whether more input can come from the client.
  package var isInputOpen: Bool { !inputHasEnded }

  /// Whether the connection can be closed: the client sends nothing more, and gets no more replies.
  ///
  /// A client that ends its input during a call with `more` gets no more replies. Otherwise the client still gets the
  /// replies to its open plain calls.
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

  /// Removes and returns the held replies that can be sent now, in the order of their calls.
  ///
  /// Stops after the first call that still expects another reply.
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
  /// The number of the call; the first call that gets a reply has the number 0.
  ///
  /// A `oneway` call gets no reply. It has the same number as the next call that gets a reply.
  package let number: UInt64
  /// Which replies the caller expects.
  package let mode: CallMode
}
