import CalculatorInterface
import Synchronization
import TestSupport
import Testing
import Varlink
import VarlinkClient
import VarlinkServer

/// Tests the public `Service`, with the client library as its client.
struct ServiceTests {
  private static func service() throws -> Service {
    try Service(
      vendor: "v",
      product: "p",
      version: "1",
      url: "u",
      interfaces: [Calculator.interfaceDescription]
    )
  }

  /// Runs `body` with the path of the socket, while `service` runs.
  private func serving(_ service: Service, _ body: (String) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("service")
    let (listens, ready) = AsyncStream.makeStream(of: Void.self)
    let running = Task { try await service.run(at: path) { ready.finish() } }
    for await _ in listens {}
    try await body(path)
    running.cancel()
    try await running.value
    await #expect(throws: VarlinkClientError.self) { try await VarlinkConnection.connect(toPath: path) }
    withExtendedLifetime(directory) {}
  }

  @Test func repliesAndErrorsAreTyped() async throws {
    var service = try Self.service()
    service.on(Calculator.Divide.self) { call throws(Calculator.CalculatorError) in
      guard call.divisor != 0 else { throw .divisionByZero }
      return Calculator.Divide.Reply(quotient: call.dividend / call.divisor, remainder: 0)
    }
    service.onMore(Calculator.Factorize.self) { call, replies in
      for factor in 0..<call.number { await replies.send(Calculator.Factorize.Reply(factor: factor)) }
      return Calculator.Factorize.Reply(factor: call.number)
    }
    try await serving(service) { path in
      let client = try await VarlinkConnection.connect(toPath: path)
      #expect(try await client.call(Calculator.Divide(dividend: 6, divisor: 3)).quotient == 2)
      func error(_ call: some MethodCall) async throws -> Calculator.CalculatorError? {
        do throws(VarlinkClientError) {
          _ = try await client.call(call)
          return nil
        } catch {
          guard case .errorReply(let message) = error else { throw error }
          return message.decoded()
        }
      }
      #expect(try await error(Calculator.Divide(dividend: 6, divisor: 0)) == .divisionByZero)
      #expect(try await error(Calculator.Factorize(number: 3)) == .expectedMore)
      let name = "org.example.calculator.Add"
      #expect(try await error(Calculator.Add(a: 1, b: 2)) == .methodNotImplemented(name))
      try client.callOneway(Calculator.Divide(dividend: 6, divisor: 0))
      var factors: [Int64] = []
      for try await reply in try client.callMore(Calculator.Factorize(number: 3)) {
        factors.append(reply.factor)
      }
      #expect(factors == [0, 1, 2, 3])
    }
  }

  /// A call that takes long delays the later calls on its connection, but no call on another connection.
  @Test func callsOfAConnectionAreCarriedOutOneAfterTheOther() async throws {
    let (release, releasing) = AsyncStream.makeStream(of: Void.self)
    let numbers = Mutex<[Double]>([])
    var service = try Self.service()
    service.on(Calculator.Add.self) { call in
      if call.a == 1 { for await _ in release {} }
      numbers.withLock { $0.append(call.a) }
      return Calculator.Add.Reply(sum: call.a + call.b)
    }
    try await serving(service) { path in
      let client = try await VarlinkConnection.connect(toPath: path)
      let first = try client.callMore(Calculator.Add(a: 1, b: 0))
      let second = try client.callMore(Calculator.Add(a: 2, b: 0))
      let other = try await VarlinkConnection.connect(toPath: path)
      #expect(try await other.call(Calculator.Add(a: 3, b: 1)).sum == 4)
      releasing.finish()
      #expect(try await first.next()?.sum == 1)
      #expect(try await second.next()?.sum == 2)
    }
    #expect(numbers.withLock { $0 } == [3, 1, 2])
  }

  /// The service has endless replies, and makes them only as fast as the client reads.
  @Test func clientThatDoesNotReadHoldsTheServiceUpAndEndsItsCallByLeaving() async throws {
    let (ends, ended) = AsyncStream.makeStream(of: Int64.self)
    var service = try Self.service()
    service.onMore(Calculator.Factorize.self) { _, replies in
      var count: Int64 = 0
      while await replies.send(Calculator.Factorize.Reply(factor: count)) { count += 1 }
      ended.yield(count)
      return Calculator.Factorize.Reply(factor: count)
    }
    service.on(Calculator.Add.self) { Calculator.Add.Reply(sum: $0.a + $0.b) }
    try await serving(service) { path in
      let client = try await VarlinkConnection.connect(toPath: path)
      let replies = try client.callMore(Calculator.Factorize(number: 1))
      #expect(try await replies.next()?.factor == 0)
      let other = try await VarlinkConnection.connect(toPath: path)
      for number in 0..<200 { _ = try await other.call(Calculator.Add(a: Double(number), b: 0)) }
      client.close()
      var iterator = ends.makeAsyncIterator()
      let count = try #require(await iterator.next())
      #expect(count > 0 && count < 100_000)
    }
  }

  @Test func callThatIsUnderWayIsCancelledAtTheEnd() async throws {
    let (begins, begun) = AsyncStream.makeStream(of: Void.self)
    let (ends, ended) = AsyncStream.makeStream(of: Bool.self)
    var service = try Self.service()
    service.on(Calculator.Add.self) { _ in
      begun.finish()
      for await _ in AsyncStream<Void>.makeStream().stream {}
      ended.yield(Task.isCancelled)
      return Calculator.Add.Reply(sum: 0)
    }
    var replies: VarlinkReplies<Calculator.Add.Reply>?
    try await serving(service) { path in
      replies = try await VarlinkConnection.connect(toPath: path).callMore(Calculator.Add(a: 1, b: 1))
      for await _ in begins {}
    }
    var iterator = ends.makeAsyncIterator()
    #expect(await iterator.next() == true)
    withExtendedLifetime(replies) {}
  }

  @Test func faultyDescriptionIsRefused() {
    #expect(throws: InterfaceDescriptionError.self) {
      try Service(vendor: "", product: "", version: "", url: "", interfaces: ["no interface"])
    }
  }
}
