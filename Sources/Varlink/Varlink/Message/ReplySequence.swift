/// Finds, for a client, the call that each reply on one connection belongs to.
///
/// Replies come in the order of the calls.
package struct ReplySequence: Sendable {
  /// The calls that have not had their last reply, oldest first.
  private var openCalls: [CallTicket] = []
  private var nextCall: UInt64 = 0

  /// Makes the sequence of a new connection.
  package init() {}

  /// Whether no reply is expected.
  package var isIdle: Bool { openCalls.isEmpty }

  /// Notes that a call is sent.
  package mutating func send(_ mode: CallMode) -> CallTicket {
    let ticket = CallTicket(number: nextCall, mode: mode)
    guard mode != .oneway else { return ticket }
    openCalls.append(ticket)
    nextCall += 1
    return ticket
  }

  /// Finds the call that a reply belongs to.
  ///
  /// - Parameter continues: Whether the reply announces another reply.
  /// - Returns: The ticket that ``send(_:)`` returned for the call.
  /// - Throws: `unexpectedReply` or `unexpectedContinuation`.
  package mutating func receive(continues: Bool) throws(ProtocolViolation) -> CallTicket {
    guard let ticket = openCalls.first else { throw .unexpectedReply }
    if continues {
      guard ticket.mode == .more else { throw .unexpectedContinuation }
    } else {
      openCalls.removeFirst()
    }
    return ticket
  }
}
