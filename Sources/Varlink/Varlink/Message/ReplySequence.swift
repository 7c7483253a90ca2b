/// Finds, for a client, the call that a reply belongs to: replies come in the order of the calls.
package struct ReplySequence: Sendable {
  private var openCalls: [CallTicket] = []
  private var nextCall: UInt64 = 0

  package init() {}

  package var isIdle: Bool { openCalls.isEmpty }

  package mutating func send(_ mode: CallMode) -> CallTicket {
    let ticket = CallTicket(number: nextCall, mode: mode)
    guard mode != .oneway else { return ticket }
    openCalls.append(ticket)
    nextCall += 1
    return ticket
  }

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
