import Testing
import Varlink

final class CallSequenceTests {
  private var sequence = CallSequence()
  private var hasOpenStream: Bool { sequence.hasOpenStream }
  private var isFinished: Bool { sequence.isFinished }

  private func reply(_ ticket: CallTicket, _ text: String, continues: Bool = false)
    -> CallSequence.Disposition
  {
    let bytes = Array(text.utf8)
    return sequence.reply(to: ticket, bytes.span, continues: continues)
  }

  private func followed(by text: String) -> CallSequence.Disposition {
    .sendFollowed(by: Array(text.utf8))
  }

  @Test func aPlainCallIsAnsweredAtOnce() {
    for _ in 0..<3 {
      let call = sequence.begin(.plain)
      #expect(sequence.unansweredCalls == 1)
      #expect(reply(call, "reply") == .send)
      #expect(sequence.unansweredCalls == 0)
    }
  }

  @Test func waitingCallsHoldUpRepliesButNotCalls() throws {
    let first = sequence.begin(.plain)
    #expect(!hasOpenStream)
    let second = sequence.begin(.plain)
    let third = sequence.begin(.plain)
    #expect(reply(third, "3") == .held)
    #expect(reply(second, "2") == .held)
    #expect(sequence.heldReplyMemory > 2)
    #expect(reply(first, "1") == followed(by: "23"))
    #expect(sequence.heldReplyMemory == 0)
    #expect(sequence.unansweredCalls == 0)
  }

  @Test func heldRepliesLeaveUpToTheNextWaitingCall() {
    let calls = (0..<4).map { _ in sequence.begin(.plain) }
    #expect(reply(calls[1], "1") == .held)
    #expect(reply(calls[3], "3") == .held)
    #expect(reply(calls[0], "0") == followed(by: "1"))
    #expect(sequence.heldReplyMemory > 1)
    #expect(reply(calls[2], "2") == followed(by: "3"))
  }

  @Test func aReplyGoesOutAloneIfTheNextIsNotThere() {
    let calls = (0..<3).map { _ in sequence.begin(.plain) }
    #expect(reply(calls[2], "2") == .held)
    #expect(reply(calls[0], "0") == .send)
    #expect(reply(calls[1], "1") == followed(by: "2"))
  }

  @Test func aStreamContinuesUntilItsLastReply() throws {
    let stream = sequence.begin(.more)
    #expect(hasOpenStream)
    #expect(reply(stream, "1", continues: true) == .send)
    #expect(reply(stream, "2", continues: true) == .send)
    #expect(sequence.unansweredCalls == 1)
    #expect(hasOpenStream)
    #expect(reply(stream, "end") == .send)
    #expect(sequence.unansweredCalls == 0)
    #expect(!hasOpenStream)
  }

  @Test func aStreamBehindAWaitingCallIsCarriedOutButWaitsItsTurn() throws {
    let plain = sequence.begin(.plain)
    let stream = sequence.begin(.more)
    #expect(reply(stream, "1", continues: true) == .held)
    #expect(reply(stream, "2", continues: true) == .held)
    #expect(reply(plain, "0") == followed(by: "12"))
    #expect(hasOpenStream)
    #expect(reply(stream, "3", continues: true) == .send)
    #expect(reply(stream, "end") == .send)
    #expect(!hasOpenStream)
  }

  @Test func aStreamMayEndBeforeItsTurn() throws {
    let plain = sequence.begin(.plain)
    let stream = sequence.begin(.more)
    #expect(reply(stream, "1", continues: true) == .held)
    #expect(reply(stream, "end") == .held)
    #expect(reply(stream, "late") == .dropped)
    #expect(!hasOpenStream)
    let next = sequence.begin(.plain)
    #expect(reply(next, "n") == .held)
    #expect(reply(plain, "0") == followed(by: "1endn"))
    #expect(sequence.unansweredCalls == 0 && sequence.heldReplyMemory == 0)
  }

  @Test func onewayCallsGetNoReplyAndHoldUpNone() throws {
    let oneway = sequence.begin(.oneway)
    #expect(sequence.unansweredCalls == 0)
    #expect(reply(oneway, "error") == .dropped)
    let plain = sequence.begin(.plain)
    #expect(reply(oneway, "late") == .dropped)
    #expect(reply(plain, "1") == .send)
  }

  @Test func anUpgradeGetsOneReply() {
    let call = sequence.begin(.upgrade)
    #expect(reply(call, "error") == .send)
    #expect(reply(call, "again") == .dropped)
  }

  @Test func aCallIsAnsweredOnce() {
    let plain = sequence.begin(.plain)
    #expect(reply(plain, "1", continues: true) == .dropped)
    #expect(reply(plain, "1") == .send)
    #expect(reply(plain, "2") == .dropped)
    let stream = sequence.begin(.more)
    #expect(reply(stream, "end") == .send)
    #expect(reply(stream, "more", continues: true) == .dropped)
  }

  /// At most sixteen calls can wait behind a stream.
  ///
  /// The total length of these calls is at most 256 KiB, the limit on the length of one message.
  @Test(
    arguments: [
      (["x", "x", "x"], nil), (Array(repeating: "x", count: 16), nil),
      (Array(repeating: "x", count: 17), false),
      ([String(repeating: "x", count: 1 << 17), String(repeating: "x", count: 1 << 17)], nil),
      ([String(repeating: "x", count: 1 << 17), String(repeating: "x", count: 1 << 17 + 1)], false),
      ([String(repeating: "x", count: 1 << 18)], true),
    ] as [([String], Bool?)]
  )
  func aLimitedNumberOfCallsWaitsBehindAStream(_ calls: [String], _ endsInside: Bool?) throws {
    var input = FrameSplitter()
    for call in calls { input.keep(Array((call + "\0").utf8).span) }
    if endsInside == true { input.keep([0x20].span) }
    if endsInside == nil {
      try CallSequence.checkWaitingCalls(in: input)
    } else {
      #expect(throws: ProtocolViolation.tooManyWaitingCalls) { try CallSequence.checkWaitingCalls(in: input) }
    }
  }

  @Test func atTheEndOfInputPlainCallsAreAnsweredFirst() {
    #expect(!isFinished)
    let calls = [sequence.begin(.plain), sequence.begin(.plain)]
    sequence.endInput()
    #expect(!isFinished)
    #expect(reply(calls[1], "1") == .held)
    #expect(!isFinished)
    #expect(reply(calls[0], "0") == followed(by: "1"))
    #expect(isFinished)
  }

  @Test func atTheEndOfInputAnIdleConnectionIsFinished() {
    _ = sequence.begin(.oneway)
    sequence.endInput()
    #expect(isFinished)
  }

  @Test func atTheEndOfInputTheClientOfAStreamIsGone() throws {
    _ = sequence.begin(.plain)
    _ = sequence.begin(.more)
    sequence.endInput()
    #expect(isFinished)
  }
}
