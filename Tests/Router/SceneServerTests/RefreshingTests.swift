import Dispatch
import RouterInterface
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import SceneServer

/// The question whether other files of the desktop count, which is asked before calls are carried out.
@Suite(.blocking) struct RefreshingTests {
  /// Takes the questions of a router, and answers them when a test says so.
  private final class Questions: Sendable {
    private let open = Mutex<[@Sendable (Bool) -> Void]>([])
    private let asked = DispatchSemaphore(value: 0)
    let count = Atomic(0)

    func ask(_ ended: @escaping @Sendable (Bool) -> Void) {
      count.add(1, ordering: .relaxed)
      open.withLock { $0.append(ended) }
      asked.signal()
    }

    func answerNext() {
      asked.wait()
      open.withLock { $0.removeFirst() }(true)
    }

    func waitForNext() {
      asked.wait()
      asked.signal()
    }
  }

  @Test func callsWaitForTheAnswerInTheirOrder() throws {
    let questions = Questions()
    let router = try RouterUnderTest(refresh: questions.ask)
    let client = try router.connect()
    let other = try router.connect()
    try client.send(Wire.SendEventCall.url("test:one"), .oneway)
    for _ in 0..<20 { try client.send(Wire.ListRecordsCall()) }
    try other.send(Wire.GetStatisticsCall())
    questions.waitForNext()
    #expect(!client.hasInput && !other.hasInput)
    questions.answerNext()
    // The record of the event, which was sent first, is there for each later call.
    for _ in 0..<20 { #expect(try client.reply(to: Wire.ListRecordsCall.self).records.count == 1) }
    _ = try other.reply(to: Wire.GetStatisticsCall.self)
    #expect(questions.count.load(ordering: .relaxed) == 1)
  }

  /// A sender that closes its connection at once, as `scenectl open --no-wait` may, loses nothing.
  @Test func eventOfAClosedConnectionIsKept() throws {
    let questions = Questions()
    let router = try RouterUnderTest(refresh: questions.ask)
    let client = try router.connect()
    try client.send(Wire.SendEventCall.url("test:one"), .oneway)
    try client.leave()
    questions.answerNext()
    while try router.call(Wire.ListRecordsCall()).records.isEmpty {}
  }

  @Test func callsDoNotWaitLongForAnAnswer() throws {
    let questions = Questions()
    let router = try RouterUnderTest(refresh: questions.ask)
    let start = ContinuousClock.now
    _ = try router.statistics()
    #expect(ContinuousClock.now - start < .seconds(5))
    for _ in 0..<3 { _ = try router.statistics() }
    #expect(questions.count.load(ordering: .relaxed) == 1)
    questions.answerNext()
    _ = try router.statistics()
  }

  @Test func routerStopsDuringAQuestion() throws {
    let questions = Questions()
    let router = try RouterUnderTest(refresh: questions.ask)
    let client = try router.connect()
    try client.send(Wire.GetStatisticsCall())
    questions.waitForNext()
    router.end()
  }

  @Test func questionIsAskedOnceASecondAndLessOftenWithoutAnAnswer() {
    var count = 0
    var refreshing = Refreshing { count += 1 }
    let second: UInt64 = 1_000_000
    #expect(!refreshing.isFresh(at: 0) && !refreshing.isFresh(at: 10) && count == 1)
    refreshing.answered(true, at: 20)
    #expect(refreshing.isFresh(at: 21) && refreshing.isFresh(at: 19 + second) && count == 1)
    #expect(!refreshing.isFresh(at: 20 + second) && count == 2)
    // Nobody answers.
    #expect(refreshing.isFresh(at: 20 + 2 * second) && refreshing.isFresh(at: 20 + 9 * second) && count == 2)
    refreshing.answered(false, at: 10 * second)
    #expect(refreshing.isFresh(at: 19 * second) && count == 2)
    #expect(!refreshing.isFresh(at: 20 * second) && count == 3)
  }
}
