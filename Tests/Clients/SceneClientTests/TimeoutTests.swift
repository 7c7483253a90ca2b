import SceneClient
import ScriptedService
import Testing

/// A router that does not answer in time.
@Suite(.timeLimit(.minutes(20)))
struct TimeoutTests {
  private static let timeout = Duration.milliseconds(50)
  /// A timeout within which the scripted router answers even on a busy machine.
  private static let longTimeout = Duration.seconds(2)

  private func expectNoAnswer(within timeout: Duration = timeout, _ call: () async throws -> Void) async {
    let error = await #expect(throws: RouterError.self) { try await call() }
    #expect(error?.code == .noAnswer)
    #expect(error?.description == "The router has not answered within \(timeout).")
  }

  @Test func callIsNotWaitedForLonger() async throws {
    try await withRouter(timeout: Self.timeout) { listener, ordinary in
      let connections = try (0..<5).map { _ in try listener.accept() }
      for connection in connections + [ordinary] {
        _ = try connection.nextCall()
        try connection.expectEnd()
      }
    } _: { router in
      await expectNoAnswer { _ = try await router.statistics() }
      await expectNoAnswer { _ = try await router.route(Event(url: "x:1")) }
      await expectNoAnswer { for try await _ in try await router.sendUpdates(Event(url: "x:1")) {} }
      await expectNoAnswer { _ = try await router.openScene(application: "a") }
      await expectNoAnswer { _ = try await router.declareApplication("a", scenes: []) }
      await expectNoAnswer { for try await _ in try await router.monitor() {} }
      router.close()
    }
  }

  @Test func eachPartOfAListHasItsTime() async throws {
    try await withRouter(timeout: Self.longTimeout) { listener, _ in
      let scenes = try listener.accept()
      _ = try scenes.nextCall()
      try scenes.reply(#"{"scenes":[\#(Sample.scene)],"generation":3}"#, continues: true)
      try scenes.expectEnd()
    } _: { router in
      await expectNoAnswer(within: Self.longTimeout) { _ = try await router.scenes() }
    }
  }

  /// The timeout ends a call without an answer, but not the wait for the next message of an event or a monitor.
  @Test func endOfAnEventAndChangesMayComeLater() async throws {
    try await withRouter(timeout: Self.longTimeout) { listener, ordinary in
      let event = try listener.accept()
      _ = try event.nextCall()
      try event.reply(#"{"decision":\#(Sample.decision)}"#, continues: true)
      let monitor = try listener.accept()
      _ = try monitor.nextCall()
      try monitor.reply(#"{"sceneClosed":"s1"}"#, continues: true)
      // The first call gets no answer; the client makes the second call after the timeout of the first call.
      _ = try ordinary.nextCall()
      _ = try ordinary.nextCall()
      try monitor.reply(#"{"closed":"shutdown"}"#)
      try event.reply(#"{"settlement":\#(Sample.acknowledged)}"#)
    } _: { router in
      let steps = try await router.sendUpdates(Event(url: "x:1"))
      var event = steps.makeAsyncIterator()
      #expect(try await event.next() != nil)
      var changes = try await router.monitor().makeAsyncIterator()
      #expect(try await changes.next() == .sceneClosed(id: "s1"))
      // The wait begins before the call below, so that a timeout would end the wait first.
      let end = Task.immediate {
        var event = steps.makeAsyncIterator()
        return try await event.next()
      }
      async let change = changes.next()
      await expectNoAnswer(within: Self.longTimeout) { _ = try await router.statistics() }
      _ = try? await router.statistics()
      #expect(try await change == .closed(.shutdown))
      guard case .settlement? = try await end.value else {
        Issue.record("The event was not settled.")
        return
      }
    }
  }

  @Test func cancelledTaskIsNoTimeout() async throws {
    try await withRouter(timeout: .seconds(60)) { _, ordinary in
      try ordinary.expectEnd()
    } _: { router in
      let task = Task {
        // The client must not send the call before the task is cancelled.
        while !Task.isCancelled { await Task.yield() }
        _ = try await router.statistics()
      }
      task.cancel()
      let error = await #expect(throws: RouterError.self) { try await task.value }
      #expect(error?.code == .cancelled)
      router.close()
    }
  }
}
