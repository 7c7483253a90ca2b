import Testing
import Varlink

struct CallSequenceTests {
  private var sequence = CallSequence()

  private mutating func reply(_ ticket: CallTicket, _ text: String, continues: Bool = false)
    -> CallSequence.Disposition
  {
    let bytes = Array(text.utf8)
    return sequence.reply(to: ticket, bytes.span, continues: continues)
  }

  private mutating func admit(_ text: String) throws -> CallSequence.Admission {
    let bytes = Array(text.utf8)
    return try sequence.admit(bytes.span)
  }

  private func followed(by text: String) -> CallSequence.Disposition {
    .sendFollowed(by: Array(text.utf8))
  }

  @Test mutating func aPlainCallIsAnsweredAtOnce() throws {
    for _ in 0..<3 {
      #expect(try admit("call") == .carryOut)
      let call = sequence.begin(.plain)
      #expect(sequence.unansweredCalls == 1)
      #expect(reply(call, "reply") == .send)
      #expect(sequence.unansweredCalls == 0)
    }
  }

  @Test mutating func waitingCallsHoldUpRepliesButNotCalls() throws {
    let first = sequence.begin(.plain)
    #expect(try admit("second") == .carryOut)
    let second = sequence.begin(.plain)
    #expect(try admit("third") == .carryOut)
    let third = sequence.begin(.plain)
    #expect(reply(third, "3") == .held)
    #expect(reply(second, "2") == .held)
    #expect(sequence.heldReplyBytes == 2)
    #expect(reply(first, "1") == followed(by: "23"))
    #expect(sequence.heldReplyBytes == 0)
    #expect(sequence.unansweredCalls == 0)
  }

  @Test mutating func heldRepliesLeaveUpToTheNextWaitingCall() {
    let calls = (0..<4).map { _ in sequence.begin(.plain) }
    #expect(reply(calls[1], "1") == .held)
    #expect(reply(calls[3], "3") == .held)
    #expect(reply(calls[0], "0") == followed(by: "1"))
    #expect(sequence.heldReplyBytes == 1)
    #expect(reply(calls[2], "2") == followed(by: "3"))
  }

  @Test mutating func aReplyGoesOutAloneIfTheNextIsNotThere() {
    let calls = (0..<3).map { _ in sequence.begin(.plain) }
    #expect(reply(calls[2], "2") == .held)
    #expect(reply(calls[0], "0") == .send)
    #expect(reply(calls[1], "1") == followed(by: "2"))
  }

  @Test mutating func aStreamContinuesUntilItsLastReply() throws {
    let stream = sequence.begin(.more)
    #expect(reply(stream, "1", continues: true) == .send)
    #expect(reply(stream, "2", continues: true) == .send)
    #expect(sequence.unansweredCalls == 1)
    #expect(reply(stream, "end") == .send)
    #expect(sequence.unansweredCalls == 0)
    #expect(try admit("next") == .carryOut)
  }

  @Test mutating func callsBehindAnOpenStreamAreHeldInOrder() throws {
    let stream = sequence.begin(.more)
    #expect(try admit("a") == .held)
    #expect(try admit("b") == .held)
    #expect(reply(stream, "1", continues: true) == .send)
    #expect(sequence.takeHeldCall() == nil)
    #expect(reply(stream, "end") == .send)
    #expect(sequence.takeHeldCall() == Array("a".utf8))
    // What arrives before the others have had their turn comes after them.
    #expect(try admit("c") == .held)
    #expect(sequence.takeHeldCall() == Array("b".utf8))
    #expect(sequence.takeHeldCall() == Array("c".utf8))
    #expect(sequence.takeHeldCall() == nil)
    #expect(try admit("d") == .carryOut)
  }

  @Test mutating func aHeldStreamHoldsTheCallsBehindIt() throws {
    let first = sequence.begin(.more)
    #expect(try admit("stream") == .held)
    #expect(try admit("plain") == .held)
    #expect(reply(first, "end") == .send)
    #expect(sequence.takeHeldCall() == Array("stream".utf8))
    let second = sequence.begin(.more)
    #expect(sequence.takeHeldCall() == nil)
    #expect(reply(second, "end") == .send)
    #expect(sequence.takeHeldCall() == Array("plain".utf8))
  }

  @Test mutating func aStreamBehindAWaitingCallIsCarriedOutButWaitsItsTurn() throws {
    let plain = sequence.begin(.plain)
    #expect(try admit("stream") == .carryOut)
    let stream = sequence.begin(.more)
    #expect(reply(stream, "1", continues: true) == .held)
    #expect(reply(stream, "2", continues: true) == .held)
    #expect(reply(plain, "0") == followed(by: "12"))
    #expect(try admit("next") == .held)
    #expect(reply(stream, "3", continues: true) == .send)
    #expect(reply(stream, "end") == .send)
    #expect(sequence.takeHeldCall() == Array("next".utf8))
  }

  @Test mutating func aStreamMayEndBeforeItsTurn() throws {
    let plain = sequence.begin(.plain)
    let stream = sequence.begin(.more)
    #expect(reply(stream, "1", continues: true) == .held)
    #expect(reply(stream, "end") == .held)
    #expect(reply(stream, "late") == .dropped)
    #expect(try admit("next") == .carryOut)
    let next = sequence.begin(.plain)
    #expect(reply(next, "n") == .held)
    #expect(reply(plain, "0") == followed(by: "1endn"))
    #expect(sequence.unansweredCalls == 0 && sequence.heldReplyBytes == 0)
  }

  @Test mutating func onewayCallsGetNoReplyAndHoldUpNone() throws {
    let oneway = sequence.begin(.oneway)
    #expect(sequence.unansweredCalls == 0)
    #expect(reply(oneway, "error") == .dropped)
    let plain = sequence.begin(.plain)
    #expect(reply(oneway, "late") == .dropped)
    #expect(reply(plain, "1") == .send)
  }

  @Test mutating func onewayCallsAreHeldBehindAStreamToo() throws {
    let stream = sequence.begin(.more)
    #expect(try admit("oneway") == .held)
    #expect(reply(stream, "end") == .send)
    #expect(sequence.takeHeldCall() != nil)
  }

  @Test mutating func anUpgradeGetsOneReply() {
    let call = sequence.begin(.upgrade)
    #expect(reply(call, "error") == .send)
    #expect(reply(call, "again") == .dropped)
  }

  @Test mutating func aCallIsAnsweredOnce() {
    let plain = sequence.begin(.plain)
    #expect(reply(plain, "1", continues: true) == .dropped)
    #expect(reply(plain, "1") == .send)
    #expect(reply(plain, "2") == .dropped)
    let stream = sequence.begin(.more)
    #expect(reply(stream, "end") == .send)
    #expect(reply(stream, "more", continues: true) == .dropped)
  }

  @Test mutating func sixteenCallsAreHeld() throws {
    _ = sequence.begin(.more)
    for _ in 0..<16 { #expect(try admit("x") == .held) }
    #expect(throws: ProtocolViolation.tooManyHeldCalls) { try admit("x") }
  }

  @Test mutating func aMebibyteOfCallsIsHeld() throws {
    let stream = sequence.begin(.more)
    let half = String(repeating: "x", count: 1 << 19)
    #expect(try admit(half) == .held)
    #expect(try admit(half) == .held)
    #expect(throws: ProtocolViolation.tooManyHeldCalls) { try admit("x") }
    // What has had its turn no longer counts.
    #expect(reply(stream, "end") == .send)
    #expect(sequence.takeHeldCall() != nil)
    _ = sequence.begin(.more)
    #expect(try admit(half) == .held)
    #expect(throws: ProtocolViolation.tooManyHeldCalls) { try admit("x") }
  }

  @Test mutating func atTheEndOfInputPlainCallsAreAnsweredFirst() {
    #expect(!sequence.isFinished)
    let calls = [sequence.begin(.plain), sequence.begin(.plain)]
    sequence.endInput()
    #expect(!sequence.isFinished)
    #expect(reply(calls[1], "1") == .held)
    #expect(!sequence.isFinished)
    #expect(reply(calls[0], "0") == followed(by: "1"))
    #expect(sequence.isFinished)
  }

  @Test mutating func atTheEndOfInputAnIdleConnectionIsFinished() {
    _ = sequence.begin(.oneway)
    sequence.endInput()
    #expect(sequence.isFinished)
  }

  @Test mutating func atTheEndOfInputTheClientOfAStreamIsGone() throws {
    _ = sequence.begin(.plain)
    _ = sequence.begin(.more)
    #expect(try admit("held") == .held)
    sequence.endInput()
    #expect(sequence.isFinished)
  }
}
