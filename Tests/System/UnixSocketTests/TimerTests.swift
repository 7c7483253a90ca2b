import Testing
import UnixSocket

struct TimerTests {
  @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(1), .milliseconds(1)])
  func timerIsReadyWhenItsTimeHasPassed(duration: Duration) throws {
    let timer = try Timer(duration)
    let epoll = try Epoll()
    try epoll.add(timer.descriptor.rawValue, token: 1, interest: Epoll.Readiness(isReadable: true))
    var events = Epoll.Events(capacity: 1)
    #expect(try epoll.wait(into: &events, milliseconds: nil) == 1)
    let ends = [timer.takeEnd(), timer.takeEnd()]
    #expect(ends == [true, false])
    #expect(try epoll.wait(into: &events, milliseconds: 0) == 0)
  }

  @Test(arguments: [Duration.seconds(3600), .seconds(1 << 40)])
  func timerIsNotReadyBefore(duration: Duration) throws {
    let timer = try Timer(duration)
    let hasEnded = timer.takeEnd()
    #expect(!hasEnded)
  }
}
