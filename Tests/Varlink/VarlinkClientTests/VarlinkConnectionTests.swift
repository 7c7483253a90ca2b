import Glibc
import ScriptedService
import Synchronization
import TestSupport
import Testing
import UnixSocket
import Varlink
import VarlinkClient

@Suite(.timeLimit(.minutes(20)))
struct VarlinkConnectionTests {
  @Test func callSendsItsParametersAndReturnsTheReply() async throws {
    try await withConnection { peer in
      let call = try peer.nextCall()
      #expect(call.method == "org.example.Echo")
      #expect(call.mode == .plain)
      try peer.reply(Words("to \(try call.text)"))
    } _: { connection in
      let reply: Words = try await connection.call("org.example.Echo", Words("hello"))
      #expect(reply == Words("to hello"))
    }
  }

  @Test func repliesOfPipelinedCallsGoToTheirCallers() async throws {
    try await withConnection { peer in
      // All calls have arrived before the first reply is sent.
      let calls = try (0..<200).map { _ in try peer.nextCall() }
      for call in calls { try peer.reply(Words(try call.text)) }
    } _: { connection in
      try await withThrowingTaskGroup { group in
        for number in 0..<200 {
          group.addTask {
            let reply = try await connection.echo("\(number)")
            #expect(reply == "\(number)")
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func repliesMayComeInPiecesOrTogether() async throws {
    try await withConnection { peer in
      _ = try peer.nextCall()
      _ = try peer.nextCall()
      let bytes = Array(#"{"parameters":{"text":"é"}}"#.utf8) + [0]
      for byte in bytes.dropLast(3) { try peer.write([byte]) }
      try peer.write(bytes.suffix(3) + bytes)
    } _: { connection in
      async let first = connection.echo("1")
      async let second = connection.echo("2")
      let replies = try await [first, second]
      #expect(replies == ["é", "é"])
    }
  }

  @Test func onewayCallGetsNoReply() async throws {
    try await withConnection { peer in
      let oneway = try peer.nextCall()
      #expect(oneway.mode == .oneway)
      #expect(try oneway.text == "1")
      let call = try peer.nextCall()
      #expect(call.mode == .plain)
      try peer.reply(Words(try call.text))
    } _: { connection in
      try connection.callOneway("org.example.Note", Words("1"))
      let reply: Words = try await connection.call("org.example.Echo", Words("2"))
      #expect(reply == Words("2"))
    }
  }

  @Test func errorReplyIsThrownAndTheConnectionGoesOn() async throws {
    try await withConnection { peer in
      _ = try peer.nextCall()
      try peer.reply(error: ServiceError.invalidParameter("text"))
      try peer.reply(Words(try peer.nextCall().text))
    } _: { connection in
      let error = await #expect(throws: VarlinkClientError.self) {
        try await connection.echo("1")
      }
      guard case .errorReply(let message) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(message.name == "org.varlink.service.InvalidParameter")
      #expect(message.decoded { ServiceError($0) } == .invalidParameter("text"))
      let reply = try await connection.echo("2")
      #expect(reply == "2")
    }
  }

  @Test func replyOfAnotherTypeIsThrownAndTheConnectionGoesOn() async throws {
    try await withConnection { peer in
      _ = try peer.nextCall()
      try peer.send(#"{"parameters":{"text":1}}"#)
      try peer.reply(Words(try peer.nextCall().text))
    } _: { connection in
      await #expect(throws: VarlinkClientError.unreadableReply(ParameterError(.wrongType, path: "text"))) {
        try await connection.echo("1")
      }
      let reply = try await connection.echo("2")
      #expect(reply == "2")
    }
  }

  @Test func unknownParametersOfAReplyAreIgnored() async throws {
    try await withConnection { peer in
      _ = try peer.nextCall()
      try peer.send(#"{"parameters":{"new":[1],"text":"x"},"org.example.extension":1}"#)
    } _: { connection in
      let reply = try await connection.echo("1")
      #expect(reply == "x")
    }
  }

  @Test func repliesAreLongerAndDeeperThanCalls() async throws {
    let long = String(repeating: "x", count: 3 << 20)
    try await withConnection { peer in
      _ = try peer.nextCall()
      try peer.reply(Words(long))
      _ = try peer.nextCall()
      let depth = 66
      let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      try peer.send(#"{"parameters":{"text":"deep","other":\#(nested)}}"#)
    } _: { connection in
      let replies = try await [connection.echo("1"), connection.echo("2")]
      #expect(replies == [long, "deep"])
    }
  }

  @Test func callThatNoServiceWouldTakeIsNotSent() async throws {
    try await withConnection { peer in
      try peer.reply(Words(try peer.nextCall().text))
    } _: { connection in
      let frame = #"{"method":"org.example.Echo","parameters":{"text":""}}"#.utf8.count
      let longest = String(repeating: "x", count: FrameSplitter.messageLimit - frame)
      await #expect(throws: VarlinkClientError.callTooLong(FrameSplitter.messageLimit + 1)) {
        try await connection.echo(longest + "x")
      }
      let reply = try await connection.echo(longest)
      #expect(reply == longest)
    }
  }

  @Test func callsThatTheServiceDoesNotReadYetAreKeptInOrder() async throws {
    let rest = String(repeating: "x", count: 100_000)
    try await withConnection { peer in
      // Together, the calls are far larger than the socket's buffers. The client keeps the calls that do not fit yet.
      _ = try peer.nextCall()
      try peer.reply(Words("go on"))
      for number in 0..<100 { #expect(try peer.nextCall().text == "\(number)" + rest) }
      try peer.reply(Words(try peer.nextCall().text))
    } _: { connection in
      try await connection.echo("wait")
      for number in 0..<100 { try connection.callOneway("org.example.Note", Words("\(number)" + rest)) }
      let reply = try await connection.echo("last")
      #expect(reply == "last")
    }
  }
}

// MARK: - Cancellation

extension VarlinkConnectionTests {
  @Test func cancelledCallLeavesTheConnectionOfUse() async throws {
    let arrived = Signal()
    try await withConnection { peer in
      #expect(try peer.nextCall().text == "1")
      arrived.fire()
      #expect(try peer.nextCall().text == "cancelled")
      try peer.reply(Words("too late"))
      try peer.reply(Words(try peer.nextCall().text))
    } _: { connection in
      let call = Task { try await connection.echo("1") }
      await arrived.wait()
      call.cancel()
      let result = await call.result
      #expect(throws: VarlinkClientError.cancelled) { try result.get() }
      try connection.callOneway("org.example.Note", Words("cancelled"))
      let reply = try await connection.echo("2")
      #expect(reply == "2")
    }
  }

  @Test func callOfACancelledTaskIsNotSent() async throws {
    try await withConnection { peer in
      #expect(try peer.nextCall().text == "2")
      try peer.reply(Words("x"))
    } _: { connection in
      let call = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await connection.echo("1")
      }
      let result = await call.result
      #expect(throws: VarlinkClientError.cancelled) { try result.get() }
      let reply = try await connection.echo("2")
      #expect(reply == "x")
    }
  }
}

// MARK: - Ends

extension VarlinkConnectionTests {
  @Test func allCallsFailWhenTheServiceLeaves() async throws {
    try await withConnection { peer in
      for _ in 0..<3 { _ = try peer.nextCall() }
      try peer.reply(Words("the only one"))
    } _: { connection in
      let calls = (0..<3).map { number in Task { try await connection.echo("\(number)") } }
      var texts: [String] = []
      var errors: [VarlinkClientError?] = []
      for call in calls {
        switch await call.result {
        case .success(let text): texts.append(text)
        case .failure(let error): errors.append(error as? VarlinkClientError)
        }
      }
      #expect(texts == ["the only one"])
      #expect(errors == Array(repeating: .closedByService(insideMessage: false), count: 2))
      #expect(throws: VarlinkClientError.closedByService(insideMessage: false)) {
        try connection.callOneway("org.example.Note", Words("later"))
      }
    }
  }

  /// A caller that makes its call again must find the lost connection noted.
  @Test func lossIsNotedBeforeCallsFail() async throws {
    try await withConnection { peer in
      _ = try peer.nextCall()
    } _: { connection in
      let isNoted = Mutex(false)
      connection.whenLost {
        usleep(100_000)
        isNoted.withLock { $0 = true }
      }
      await #expect(throws: VarlinkClientError.closedByService(insideMessage: false)) {
        _ = try await connection.echo("a")
      }
      let wasNoted = isNoted.withLock { $0 }
      #expect(wasNoted)
    }
  }

  @Test func endInsideAMessageIsToldApart() async throws {
    try await withConnection { peer in
      _ = try peer.nextCall()
      try peer.write(Array(#"{"parameters":"#.utf8))
    } _: { connection in
      await #expect(throws: VarlinkClientError.closedByService(insideMessage: true)) {
        try await connection.echo("1")
      }
    }
  }

  @Test(arguments: [
    (#"{"parameters":{"text":"x"},"continues":true}"#, ProtocolViolation.unexpectedContinuation),
    (#"{"error":"org.example.E","continues":true}"#, .errorContinues),
    (#"{"error":1}"#, .memberOfWrongType("error")),
    (#"{"parameters":[]}"#, .memberOfWrongType("parameters")),
    (#"{"parameters":{},"other":1}"#, .unknownMember("other")),
    (#"{"parameters":{},"parameters":{}}"#, .malformedMessage(JSONError(.duplicateName, at: 17))),
    ("[]", .messageNotObject),
    ("", .malformedMessage(JSONError(.empty, at: 0))),
    ("{", .malformedMessage(JSONError(.unexpectedEnd, at: 1))),
    (
      #"{"parameters":"# + String(repeating: "[", count: 70),
      .malformedMessage(JSONError(.nestedTooDeeply, at: 81))
    ),
  ])
  func violationEndsTheConnection(reply: String, violation: ProtocolViolation) async throws {
    try await withConnection { peer in
      _ = try peer.nextCall()
      try peer.send(reply)
      try peer.expectEnd()
    } _: { connection in
      await #expect(throws: VarlinkClientError.protocolViolation(violation)) {
        try await connection.echo("1")
      }
    }
  }

  @Test func replyToNoCallEndsTheConnection() async throws {
    try await withConnection { peer in
      try peer.reply(Words("unasked"))
      try peer.expectEnd()
    } _: { connection in
      // `withConnection` keeps the connection open until the script has ended.
      _ = connection
    }
  }

  @Test func replyOfMoreThan16MiBEndsTheConnection() async throws {
    try await withConnection { peer in
      _ = try peer.nextCall()
      // The client leaves before the whole reply is written.
      try? peer.reply(Words(String(repeating: "x", count: 16 << 20)))
      try peer.expectEnd()
    } _: { connection in
      await #expect(throws: VarlinkClientError.protocolViolation(.messageTooLong)) {
        try await connection.echo("1")
      }
    }
  }

  @Test func closingFailsCallsAndIsSeenByTheService() async throws {
    let arrived = Signal()
    try await withConnection { peer in
      _ = try peer.nextCall()
      arrived.fire()
      try peer.expectEnd()
    } _: { connection in
      let call = Task { try await connection.echo("1") }
      await arrived.wait()
      connection.close()
      let result = await call.result
      #expect(throws: VarlinkClientError.closed) { try result.get() }
      #expect(throws: VarlinkClientError.closed) {
        try connection.callOneway("org.example.Note", Words("later"))
      }
    }
  }

  @Test func connectionThatNobodyHoldsIsClosed() async throws {
    let pair = try StreamSocketPair()
    let peer = ScriptedPeer(pair.second)
    do {
      let connection = try VarlinkConnection(pair.first)
      try connection.callOneway("org.example.Note", Words("1"))
    }
    try await onThread {
      #expect(try peer.nextCall().text == "1")
      try peer.expectEnd()
    }
  }
}

// MARK: - Connecting

extension VarlinkConnectionTests {
  @Test func connectsToAListeningSocket() async throws {
    let listener = try ScriptedListener()
    let connection = try await VarlinkConnection.connect(to: SocketAddress(listener.path))
    try connection.callOneway("org.example.Note", Words("1"))
    let call = try await onThread { try listener.accept().nextCall() }
    #expect(try call.text == "1")
  }

  @Test func waitsWhileTheServiceHasNoRoom() async throws {
    let service = try FullService()
    async let connection = VarlinkConnection.connect(to: SocketAddress(service.path))
    try service.makeRoom()
    _ = try await connection
  }

  @Test func cancelledTaskWaitsForNoRoom() async throws {
    let service = try FullService()
    let address = try SocketAddress(service.path)
    let task = Task { _ = try await VarlinkConnection.connect(to: address) }
    task.cancel()
    await #expect(throws: VarlinkClientError.cancelled) { try await task.value }
    withExtendedLifetime(service) {}
  }

  @Test func errorNamesTheSocketThatCannotBeReached() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("absent")
    let error = await #expect(throws: VarlinkClientError.self) {
      _ = try await VarlinkConnection.connect(to: SocketAddress(path))
    }
    #expect(error?.description == "The call connect failed for '\(path)': No such file or directory.")
  }
}

/// A service whose queue of waiting connections is full.
private final class FullService: Sendable {
  let path: String
  private let directory: TemporaryDirectory
  private let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  private let client = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.appending("socket")
    try bind(listener, toName: path)
    #expect(listen(listener, 0) == 0)
    try connect(client, toName: path)
  }

  deinit {
    close(listener)
    close(client)
  }

  /// Accepts the waiting connection.
  func makeRoom() throws {
    let connection = accept(listener, nil, nil)
    #expect(connection >= 0)
    close(connection)
  }
}
