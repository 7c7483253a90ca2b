import Foundation
import Glibc
import TestSupport
import Testing
import UnixSocket

private let readable = Epoll.Readiness(isReadable: true)
private let writable = Epoll.Readiness(isWritable: true)

@Suite struct EpollTests {
  @Test func reportsTheTokenOfWhatIsReady() throws {
    let pair = try StreamSocketPair()
    let epoll = try Epoll()
    var events = Epoll.Events(capacity: 4)
    try epoll.add(pair.first.descriptor.rawValue, token: .max, interest: readable)
    try epoll.add(pair.second.descriptor.rawValue, token: 7, interest: readable)
    #expect(try epoll.wait(into: &events, milliseconds: 0) == 0)

    try pair.first.write("x")
    #expect(try epoll.wait(into: &events, milliseconds: nil) == 1)
    #expect(events[0].token == 7)
    #expect(events[0].readiness == readable)

    try pair.second.write("y")
    #expect(try epoll.wait(into: &events, milliseconds: Deadline().millisecondsLeft) == 2)
    #expect(Set([events[0].token, events[1].token]) == [7, .max])
  }

  @Test func modifyingChangesInterestAndToken() throws {
    let pair = try StreamSocketPair()
    let epoll = try Epoll()
    var events = Epoll.Events(capacity: 1)
    try epoll.add(pair.first.descriptor.rawValue, token: 1, interest: readable)
    try epoll.modify(
      pair.first.descriptor.rawValue,
      token: 2,
      interest: Epoll.Readiness(isReadable: true, isWritable: true)
    )
    #expect(try epoll.wait(into: &events, milliseconds: Deadline().millisecondsLeft) == 1)
    #expect(events[0].token == 2)
    #expect(events[0].readiness == writable)
  }

  @Test func removedMemberIsNotReported() throws {
    let pair = try StreamSocketPair()
    let epoll = try Epoll()
    var events = Epoll.Events(capacity: 1)
    try epoll.add(pair.first.descriptor.rawValue, token: 1, interest: writable)
    try epoll.remove(pair.first.descriptor.rawValue)
    #expect(try epoll.wait(into: &events, milliseconds: 0) == 0)
    #expect(throws: SocketError.self) { try epoll.remove(pair.first.descriptor.rawValue) }
  }

  @Test func peerThatIsGoneIsReported() throws {
    let pair = try StreamSocketPair()
    let epoll = try Epoll()
    var events = Epoll.Events(capacity: 1)
    let first = pair.first
    try epoll.add(first.descriptor.rawValue, token: 1, interest: Epoll.Readiness())
    pair.second.close()
    #expect(try epoll.wait(into: &events, milliseconds: Deadline().millisecondsLeft) == 1)
    #expect(events[0].readiness == readable)
  }

  @Test func whatDoesNotFitComesNext() throws {
    let pair = try StreamSocketPair()
    let epoll = try Epoll()
    var events = Epoll.Events(capacity: 1)
    try epoll.add(pair.first.descriptor.rawValue, token: 1, interest: writable)
    try epoll.add(pair.second.descriptor.rawValue, token: 2, interest: writable)
    var tokens: Set<UInt64> = []
    for _ in 0..<2 {
      #expect(try epoll.wait(into: &events, milliseconds: Deadline().millisecondsLeft) == 1)
      tokens.insert(events[0].token)
    }
    #expect(tokens == [1, 2])
  }

  /// A signal interrupts the wait, and its handler makes a descriptor readable.
  ///
  /// The interrupted system call reports nothing. `wait` repeats the call, which then reports the descriptor.
  @Test func signalDoesNotInterruptWaiting() async {
    await #expect(processExitsWith: .success) {
      let pair = try StreamSocketPair()
      let epoll = try Epoll()
      try epoll.add(pair.second.descriptor.rawValue, token: 1, interest: readable)
      try #require(dup2(pair.first.descriptor.rawValue, 200) == 200)
      signal(SIGUSR1) { _ in _ = send(200, "x", 1, 0) }
      let thread = pthread_self()
      let directory = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
      // All signals are blocked on the threads that run tests.
      var signals = sigset_t()
      sigaddset(&signals, SIGUSR1)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      Thread.detachNewThread {
        // "S" is the state of a waiting thread (proc_pid_stat(5)).
        while (try? String(contentsOfFile: "/proc/\(directory)/stat", encoding: .utf8))?.contains(") S ")
          != true
        {
          sched_yield()
        }
        pthread_kill(thread, SIGUSR1)
      }
      var events = Epoll.Events(capacity: 1)
      #expect(try epoll.wait(into: &events, milliseconds: Deadline().millisecondsLeft) == 1)
      #expect(events[0].token == 1)
    }
  }
}
