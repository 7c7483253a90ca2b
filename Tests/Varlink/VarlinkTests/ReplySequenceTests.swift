import Testing
import Varlink

struct ReplySequenceTests {
  private var sequence = ReplySequence()

  @Test mutating func repliesBelongToCallsInOrder() throws {
    let first = sequence.send(.plain)
    let second = sequence.send(.plain)
    #expect(try sequence.receive(continues: false) == first)
    #expect(!sequence.isIdle)
    #expect(try sequence.receive(continues: false) == second)
    #expect(sequence.isIdle)
  }

  @Test mutating func aStreamTakesRepliesUntilOneDoesNotContinue() throws {
    let stream = sequence.send(.more)
    let next = sequence.send(.plain)
    #expect(try sequence.receive(continues: true) == stream)
    #expect(try sequence.receive(continues: true) == stream)
    #expect(try sequence.receive(continues: false) == stream)
    #expect(try sequence.receive(continues: false) == next)
  }

  @Test mutating func onewayCallsExpectNoReply() throws {
    _ = sequence.send(.oneway)
    #expect(sequence.isIdle)
    #expect(throws: ProtocolViolation.unexpectedReply) { try sequence.receive(continues: false) }
    let plain = sequence.send(.plain)
    _ = sequence.send(.oneway)
    #expect(try sequence.receive(continues: false) == plain)
    #expect(sequence.isIdle)
  }

  @Test(arguments: [CallMode.plain, .upgrade])
  mutating func onlyAStreamContinues(mode: CallMode) {
    _ = sequence.send(mode)
    #expect(throws: ProtocolViolation.unexpectedContinuation) { try sequence.receive(continues: true) }
  }
}
