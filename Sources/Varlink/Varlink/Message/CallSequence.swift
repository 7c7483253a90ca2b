/// The order of calls and replies on one connection, for the server ("Order" in the varlink contract).
///
/// Replies are sent in the order of the calls. Plain calls are carried out at once, but their replies wait for the
/// earlier replies. A call with `more` opens a *stream*; until it ends, no later call is carried out.
///
/// A plain call costs a few comparisons and no memory if it is answered before the next call.
package struct CallSequence: ~Copyable, Sendable {
  /// What a client may send behind an open call with `more`; a call of the greatest length fits.
  package static let waitingCallLimit = 16
  package static let waitingByteLimit = 256 << 10

  package enum Disposition: Sendable, Equatable {
    case send
    /// Send the reply, and then these replies to later calls, which had to wait for it.
    case sendFollowed(by: [UInt8])
    case held
    /// The call is `oneway` or answered, or the reply announces another although the call has no `more`.
    case dropped
  }

  private struct EarlyReplies {
    var bytes: [UInt8] = []
    var areComplete = false

    /// 128 bytes stand for the header of the array and the entry in `earlyReplies`.
    var memory: Int { bytes.capacity + 128 }
  }

  private var nextCall: UInt64 = 0
  private var nextReply: UInt64 = 0
  private var openStream: UInt64?
  private var earlyReplies: [UInt64: EarlyReplies] = [:]
  private var inputHasEnded = false
  package private(set) var heldReplyMemory = 0

  package init() {}
}

// MARK: - Calls

extension CallSequence {
  /// True until the service gives the last reply to a call with `more`, even if that reply is sent later.
  package var hasOpenStream: Bool { openStream != nil }

  package var unansweredCalls: Int { Int(nextCall - nextReply) }

  /// Must be called directly before the call is carried out.
  package mutating func begin(_ mode: CallMode) -> CallTicket {
    let ticket = CallTicket(number: nextCall, mode: mode)
    guard mode != .oneway else { return ticket }
    if mode == .more { openStream = nextCall }
    nextCall += 1
    return ticket
  }

  package static func checkWaitingCalls(in input: borrowing FrameSplitter) throws(ProtocolViolation) {
    let count = input.keptMessageCount
    // Each complete call ends with a NUL, which the limit on bytes does not count.
    guard count <= waitingCallLimit, input.keptByteCount - count <= waitingByteLimit else {
      throw .tooManyWaitingCalls
    }
  }

  package mutating func endInput() {
    inputHasEnded = true
  }

  package var isInputOpen: Bool { !inputHasEnded }

  /// A client that ends its input during a call with `more` gets no more replies, but it gets those to its plain calls.
  package var isFinished: Bool {
    inputHasEnded && (openStream != nil || unansweredCalls == 0)
  }
}

// MARK: - Replies

extension CallSequence {
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

package struct CallTicket: Sendable, Equatable {
  /// A `oneway` call has the number of the next call that gets a reply.
  package let number: UInt64
  package let mode: CallMode
}
