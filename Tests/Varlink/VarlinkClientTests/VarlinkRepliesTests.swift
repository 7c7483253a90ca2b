import ScriptedService
import Synchronization
import Testing
import UnixSocket
import Varlink
import VarlinkClient

@Suite(.timeLimit(.minutes(20)))
struct VarlinkRepliesTests {
  @Test func repliesComeInOrderUntilTheLast() async throws {
    try await withConnection { peer in
      let call = try peer.nextCall()
      #expect(call.mode == .more)
      for number in 0..<10 { try peer.reply(Words("\(try call.text) \(number)"), continues: number < 9) }
      try peer.reply(Words(try peer.nextCall().text))
    } _: { connection in
      let replies: VarlinkReplies<Words> = try connection.callMore("org.example.Count", Words("to"))
      var texts: [String] = []
      for try await reply in replies { texts.append(reply.text) }
      #expect(texts == (0..<10).map { "to \($0)" })
      #expect(try await replies.next() == nil)
      #expect(try await connection.echo("free") == "free")
    }
  }

  @Test func laterCallsWaitForTheLastReply() async throws {
    try await withConnection { peer in
      _ = try peer.nextCall()
      let call = try peer.nextCall()
      try peer.reply(Words("1"), continues: true)
      try peer.reply(Words("2"))
      try peer.reply(Words(try call.text))
    } _: { connection in
      let replies: VarlinkReplies<Words> = try connection.callMore("org.example.Count", Words(""))
      #expect(try await connection.echo("3") == "3")
      #expect(try await replies.next() == Words("1"))
      #expect(try await replies.next() == Words("2"))
      #expect(try await replies.next() == nil)
    }
  }

  @Test func errorEndsTheReplies() async throws {
    try await withConnection { peer in
      _ = try peer.nextCall()
      try peer.reply(Words("1"), continues: true)
      try peer.reply(error: ServiceError.expectedMore)
      try peer.reply(Words(try peer.nextCall().text))
    } _: { connection in
      let replies: VarlinkReplies<Words> = try connection.callMore("org.example.Count", Words(""))
      #expect(try await replies.next() == Words("1"))
      let error = await #expect(throws: VarlinkClientError.self) { _ = try await replies.next() }
      #expect(error?.description == "The service answered with the error 'org.varlink.service.ExpectedMore'.")
      #expect(try await replies.next() == nil)
      #expect(try await connection.echo("free") == "free")
    }
  }

  /// With 150 replies, reading pauses, although all of them fit into the socket.
  @Test(arguments: [50, 150]) func repliesReceivedBeforeTheServiceLeftComeFirst(count: Int) async throws {
    let text = String(repeating: "x", count: 150)
    let hasLeft = Signal()
    try await withConnection { peer in
      defer { hasLeft.fire() }
      _ = try peer.nextCall()
      for number in 0..<count { try peer.reply(Words("\(number)\(text)"), continues: true) }
      peer.close()
    } _: { connection in
      let replies: VarlinkReplies<Words> = try connection.callMore("org.example.Count", Words(""))
      await hasLeft.wait()
      for number in 0..<count { #expect(try await replies.next() == Words("\(number)\(text)")) }
      await #expect(throws: VarlinkClientError.closedByService(insideMessage: false)) {
        _ = try await replies.next()
      }
      #expect(try await replies.next() == nil)
    }
  }

  @Test func cancelledIterationClosesTheConnection() async throws {
    let isWaiting = Signal()
    try await withConnection { peer in
      _ = try peer.nextCall()
      try peer.reply(Words("1"), continues: true)
      try peer.expectEnd()
    } _: { connection in
      let replies: VarlinkReplies<Words> = try connection.callMore("org.example.Count", Words(""))
      let iteration = Task {
        for try await _ in replies { isWaiting.fire() }
      }
      await isWaiting.wait()
      iteration.cancel()
      let result = await iteration.result
      #expect(throws: VarlinkClientError.cancelled) { try result.get() }
      #expect(throws: VarlinkClientError.cancelled) {
        try connection.callOneway("org.example.Note", Words("later"))
      }
    }
  }

  @Test func closingTheRepliesClosesTheConnection() async throws {
    try await withConnection { peer in
      _ = try peer.nextCall()
      try peer.expectEnd()
    } _: { connection in
      let replies: VarlinkReplies<Words> = try connection.callMore("org.example.Count", Words(""))
      replies.close()
      await #expect(throws: VarlinkClientError.closed) { _ = try await replies.next() }
    }
  }

  @Test func closingWhileRepliesComeIsHarmless() async throws {
    for _ in 0..<100 {
      let isFlowing = Signal()
      try await withConnection { peer in
        defer { isFlowing.fire() }
        for _ in 0..<40 { _ = try peer.nextCall() }
        // When `isFlowing` fires, the client closes the connection. At the same time, the service writes the other 39
        // replies.
        let reply = Array(#"{"parameters":{"text":"x"}}"#.utf8) + [0]
        try peer.write(reply)
        isFlowing.fire()
        try? peer.write((1..<40).flatMap { _ in reply })
        try peer.expectEnd()
      } _: { connection in
        let calls = (0..<40).map { _ in Task { try await connection.echo("x") } }
        await isFlowing.wait()
        connection.close()
        for call in calls {
          guard case .failure(let error) = await call.result else { continue }
          #expect(error as? VarlinkClientError == .closed)
        }
      }
    }
  }

  @Test func repliesKeepTheConnectionUntilNobodyHoldsThem() async throws {
    let pair = try StreamSocketPair()
    let peer = ScriptedPeer(pair.second)
    do {
      let replies: VarlinkReplies<Words> = try VarlinkConnection(pair.first)
        .callMore("org.example.Count", Words(""))
      try await onThread {
        _ = try peer.nextCall()
        try peer.reply(Words("1"), continues: true)
      }
      #expect(try await replies.next() == Words("1"))
    }
    try await onThread { try peer.expectEnd() }
  }

  @Test func serviceHasToWaitForACallerThatTakesNoReplies() async throws {
    let text = String(repeating: "x", count: 1000)
    let hasToWait = Signal()
    let count = 20_000
    let sent = Mutex(0)
    try await withConnection { peer in
      defer { hasToWait.fire() }
      _ = try peer.nextCall()
      for number in 0..<count {
        // If nothing can be written for 200 ms, the client has stopped reading.
        if !peer.canWrite(milliseconds: 200) { hasToWait.fire() }
        try peer.reply(Words("\(number)\(text)"), continues: number + 1 < count)
        sent.withLock { $0 = number + 1 }
      }
    } _: { connection in
      let replies: VarlinkReplies<Words> = try connection.callMore("org.example.Count", Words(""))
      await hasToWait.wait()
      // The service had to wait: the buffers of the socket and the client hold far fewer than all 20,000 replies.
      #expect(sent.withLock { $0 } < 5000)
      var received = 0
      for try await reply in replies {
        try #require(reply.text == "\(received)\(text)")
        received += 1
      }
      #expect(received == count)
    }
  }
}
