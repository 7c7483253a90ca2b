import Dispatch
import Glibc
import QueueExecution
import RouterInterface
import Synchronization
import TestSupport
import Testing
import UnixSocket
import Varlink
import VarlinkServer

@Suite struct VarlinkServerTests {
  /// The server does not read from a client while received calls of this client wait for their turn.
  @Test func clientThatLeavesBetweenItsTurnsBreaksNoRule() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("socket")
    let listener = try ListeningSocket.listen(at: path)
    let client = try WireClient(path: path)
    let descriptor = client.descriptor
    let observed = ObservedServer()
    let server = try VarlinkServer(listener: listener, limits: ServerLimits(descriptors: 64)) { _ in
      // The service runs this closure when the server charges the user for waiting calls or unsent replies. The first
      // charge comes before all 1500 calls are answered. So the client leaves while calls are unanswered.
      DescribingService(observed) { shutdown(descriptor, CInt(SHUT_RDWR)) }
    }
    let call = LargeText.callForDescription.replacing("io.scened.Router", with: "org.varlink.service")
    try client.send(Array(String(repeating: call + "\0", count: 1500).utf8))
    server.executor.queue.sync {
      server.assumeIsolated { server in #expect(throws: Never.self) { try server.start { _ in } } }
    }
    observed.connectionEnded.wait()
    #expect(observed.violations.withLock { $0 } == [])
    server.executor.queue.sync { server.assumeIsolated { $0.stop() } }
  }

  /// The server turns to the next client after each call, because the limit `stretchUSec` is 0.
  @Test func slowCallsOfOneClientAreDoneInTurnWithThoseOfOthers() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("socket")
    let listener = try ListeningSocket.listen(at: path)
    let clients = try (0..<3).map { _ in try WireClient(path: path) }
    let call = #"{"method":"org.varlink.service.GetInfo"}"#
    for client in clients { try client.send(Array(String(repeating: call + "\0", count: 10).utf8)) }
    let observed = ObservedServer()
    var limits = ServerLimits(descriptors: 64)
    limits.stretchUSec = 0
    let server = try VarlinkServer(listener: listener, limits: limits) { _ in
      DescribingService(observed) {}
    }
    server.executor.queue.sync {
      server.assumeIsolated { server in #expect(throws: Never.self) { try server.start { _ in } } }
    }
    for client in clients {
      for _ in 0..<10 { _ = try client.message() }
    }
    let order = observed.calls.withLock { $0 }
    #expect(order.count == 30)
    for round in 0..<10 { #expect(Set(order[round * 3..<round * 3 + 3]).count == 3, "round \(round)") }
    server.executor.queue.sync { server.assumeIsolated { $0.stop() } }
  }
}

extension VarlinkServerTests {
  /// The stream's last reply is ready, but waits for the reply to an earlier call.
  @Test func streamThatEndsBeforeItsTurnHoldsUpNoCall() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("socket")
    let listener = try ListeningSocket.listen(at: path)
    let (client, other) = (try WireClient(path: path), try WireClient(path: path))
    let observed = ObservedServer()
    let server = try VarlinkServer(listener: listener, limits: ServerLimits(descriptors: 64)) { port in
      WaitingService(observed, port)
    }
    server.executor.queue.sync {
      server.assumeIsolated { server in #expect(throws: Never.self) { try server.start { _ in } } }
    }
    try client.send(#"{"method":"test.Wait"}"#)
    try client.send(#"{"method":"test.Wait","more":true}"#)
    try client.send(#"{"method":"test.Note"}"#)
    // Waits until both `test.Wait` calls have arrived. On a busy machine, the server might otherwise serve the client
    // `other` before the second `test.Wait` call.
    for _ in 0..<2 { observed.waiting.wait() }
    try other.send(#"{"method":"test.End"}"#)
    #expect(try other.failure() == .expectedMore)
    #expect(observed.noted.wait(timeout: .now() + 20) == .success)
    #expect(!client.hasInput)
    try other.send(#"{"method":"test.End"}"#)
    #expect(try other.failure() == .expectedMore)
    for _ in 0..<3 { #expect(try client.failure() == .expectedMore) }
    server.executor.queue.sync { server.assumeIsolated { $0.stop() } }
  }
}

extension VarlinkServerTests {
  /// The connections of a dying process end one shortly after the other.
  ///
  /// Other work, such as the next decision about an event, waits for all of them: the event could otherwise go from one
  /// scene of the process to another.
  @Test func otherWorkWaitsForConnectionsThatEndTogether() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("socket")
    let listener = try ListeningSocket.listen(at: path)
    let (first, second) = (try WireClient(path: path), try WireClient(path: path))
    let descriptor = second.descriptor
    let observed = ObservedServer()
    var limits = ServerLimits(descriptors: 64)
    // At the end of a stretch, the server does all work.
    limits.stretchUSec = 60_000_000
    let server = try VarlinkServer(listener: listener, limits: limits) { _ in
      LeftService(observed) { shutdown(descriptor, CInt(SHUT_RDWR)) }
    }
    first.endInput()
    server.executor.queue.sync {
      server.assumeIsolated { server in #expect(throws: Never.self) { try server.start { _ in } } }
    }
    observed.noted.wait()
    withExtendedLifetime(second) {}
    #expect(observed.work.withLock { $0 } == ["end", "end", "other"])
    server.executor.queue.sync { server.assumeIsolated { $0.stop() } }
  }
}

/// What a test observes of a server.
private final class ObservedServer: Sendable {
  let violations = Mutex<[String]>([])
  let calls = Mutex<[ConnectionID]>([])
  let work = Mutex<[String]>([])
  let connectionEnded = DispatchSemaphore(value: 0)
  let noted = DispatchSemaphore(value: 0)
  let waiting = DispatchSemaphore(value: 0)
}

/// A service that has no interface except `org.varlink.service`.
private class DescribingService: VarlinkService {
  let serviceInterface: ServiceInterface
  let nextDeadline: UInt64? = nil
  private let observed: ObservedServer
  private let charged: () -> Void

  init(_ observed: ObservedServer, charged: @escaping () -> Void) {
    self.observed = observed
    self.charged = charged
    // swift-format-ignore: NeverUseForceTry
    serviceInterface = try! ServiceInterface(vendor: "", product: "", version: "", url: "", descriptions: [])
  }

  func admission(of peer: PeerCredentials) -> Admission { .admitted }
  func dispatch(_ call: borrowing Call, _ id: CallID) -> Bool {
    observed.calls.withLock { $0.append(id.connection) }
    return false
  }
  func refuseConnection(_ id: CallID, _ limit: ConnectionLimit) {}
  func connectionViolated(_ violation: ProtocolViolation, _ peer: PeerCredentials) {
    observed.violations.withLock { $0.append("\(violation)") }
  }
  func connectionEnded(_ connection: ConnectionID) { observed.connectionEnded.signal() }
  func charge(_ bytes: Int, toUser user: UInt32) -> Bool {
    charged()
    return true
  }
  func outputDrained(_ connection: ConnectionID) {}
  var hasWork: Bool { false }
  var hasConnectionEnds: Bool { true }
  var holdsCalls: Bool { false }
  func work() {}
  func advance(to now: UInt64) {}
  func stop() {}
}

/// A service with three calls.
///
/// - `test.Wait` waits.
/// - `test.End` ends the latest waiting call.
/// - `test.Note` tells the test that `test.Note` has been carried out.
private final class WaitingService: DescribingService {
  private let port: ReplyPort
  private let observed: ObservedServer
  private var waiting: [CallID] = []

  init(_ observed: ObservedServer, _ port: ReplyPort) {
    self.observed = observed
    self.port = port
    super.init(observed) {}
  }

  override func dispatch(_ call: borrowing Call, _ id: CallID) -> Bool {
    if call.method.equals("test.Wait") {
      waiting.append(id)
      observed.waiting.signal()
    } else {
      if call.method.equals("test.Note") { observed.noted.signal() }
      if call.method.equals("test.End"), let last = waiting.popLast() {
        port.reply(to: last, error: ServiceError.expectedMore)
      }
      port.reply(to: id, error: ServiceError.expectedMore)
    }
    return true
  }
}

/// A service with a piece of work for each connection that has ended, and one other piece after the first end.
private final class LeftService: DescribingService {
  private let observed: ObservedServer
  private let firstEnded: () -> Void
  private var pieces: [String] = []
  private var done: [String] { observed.work.withLock { $0 } }

  /// `firstEnded` is called when the first connection has ended, before the work that follows.
  init(_ observed: ObservedServer, firstEnded: @escaping () -> Void) {
    self.observed = observed
    self.firstEnded = firstEnded
    super.init(observed) {}
  }

  override func connectionEnded(_ connection: ConnectionID) {
    if done.isEmpty {
      pieces.append("other")
      firstEnded()
    }
    pieces.append("end")
  }

  override var hasWork: Bool { !pieces.isEmpty }
  override var hasConnectionEnds: Bool { pieces.contains("end") }
  /// True at the end of the test, so that the server does not go on to the end of its stretch.
  override var holdsCalls: Bool { done.count == 3 }

  override func work() {
    let piece = pieces.remove(at: pieces.firstIndex(of: "end") ?? 0)
    observed.work.withLock { $0.append(piece) }
    if done.count == 3 { observed.noted.signal() }
  }
}
