import Testing

@testable import SceneServer
@testable import UnixSocket

@Suite struct RefusalLogTests {
  @Test func repeatedRefusalsAreCountedEachSecondAndAtTheEnd() {
    let log = RecordedLog()
    var refusals = RefusalLog(log.logger)
    let peer = PeerCredentials(processID: 7, userID: 8, groupID: 9)
    let second: UInt64 = 1_000_000
    for now in 0...2 { refusals.noteDenied(peer, at: UInt64(now)) }
    refusals.report(at: second - 1)
    refusals.report(at: second)
    refusals.noteDenied(peer, at: second + 1)
    refusals.finish()
    let refused = "A client was refused, because this service is for another user"
    #expect(
      log.messages == [
        "\(refused) (process 7 of user 8).", "\(refused), 2 more times (process 7 of user 8).",
        "\(refused), 1 more times (process 7 of user 8).",
      ]
    )
  }

  @Test func refusalIsForgottenAfterASecondWithoutAnother() {
    let log = RecordedLog()
    var refusals = RefusalLog(log.logger)
    let peer = PeerCredentials(processID: nil, userID: 8, groupID: 9)
    refusals.noteDenied(peer, at: 0)
    refusals.report(at: 1_000_000)
    let next = refusals.nextReport
    #expect(next == nil)
    refusals.noteDenied(peer, at: 1_000_001)
    let line = "A client was refused, because this service is for another user (user 8)."
    #expect(log.messages == [line, line])
  }
}
