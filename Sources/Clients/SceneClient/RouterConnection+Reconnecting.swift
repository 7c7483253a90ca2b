import RouterInterface
import Synchronization
import VarlinkClient

/// A change of the connection to the router.
public enum ConnectionState: Sendable, Hashable {
  /// The connection is lost, and the library tries to reconnect.
  case reconnecting
  /// The connection is made again, and all scenes, declarations and monitors are open again.
  case connected
}

/// The connection to the router, and its members: the scenes, declarations and monitors that are open over it.
///
/// A connection has a number and several sockets. If one of the sockets is lost, the whole connection is lost.
/// All of its sockets are closed before the next connection is made. Otherwise a member could be open over two
/// connections at the same time.
struct Link: Sendable {
  enum State: Sendable {
    case connected
    /// The members are being opened, and no other call uses the connection.
    case opening
    case lost
  }

  var number = 1
  var state = State.connected
  /// The socket for calls that the router answers immediately.
  ///
  /// If the router is reached through a program, each socket costs one process. The property then stays `nil` until
  /// the first call that the router answers immediately.
  var ordinary: VarlinkConnection?
  /// The open members, in the order in which they were opened.
  var members: [Member] = []
  /// The events that each application got in deliveries or open requests; the keys are the ids of the applications.
  var shown: [String: ShownEvents] = [:]
  /// The scene that last became active.
  weak var activeScene: OpenScene?
  /// The tasks that wait for the next connection.
  var waiting: [AsyncStream<Void>.Continuation] = []
  /// The time at which the connection was made; `nil` after its loss.
  var start: ContinuousClock.Instant? = .now
  /// The upper limit of the random pause before the next try to connect.
  var pause = Duration.zero
  var isClosed = false

  struct Member: Sendable {
    weak var value: (any Reopenable)?
  }

  func isCurrent(_ number: Int) -> Bool { number == self.number && state != .lost }
}

extension RouterConnection {
  /// Whether the connection with this number is not lost.
  func isCurrent(_ number: Int) -> Bool { link.withLock { $0.isCurrent(number) } }

  /// Adds a member to the connection with this number, so that the member is opened again over each later connection.
  ///
  /// Returns false if the connection is lost.
  func add(_ member: some Reopenable, to number: Int) -> Bool {
    link.withLock { link in
      guard link.isCurrent(number) else { return false }
      link.members.removeAll { $0.value == nil }
      link.members.append(Link.Member(value: member))
      return true
    }
  }

  /// Removes a member, which is then not opened again.
  func remove(_ member: some Reopenable) {
    link.withLock { link in link.members.removeAll { $0.value == nil || $0.value === member } }
  }

  /// Returns the number of the connection.
  ///
  /// If the connection is lost, the method waits for the next connection.
  ///
  /// - Throws: a ``RouterError`` with the code `cancelled` if the task is cancelled, or with the code `connectionLost`
  ///   if ``close()`` was called.
  func connected(isolation: isolated (any Actor)? = #isolation) async throws(RouterError) -> Int {
    while true {
      let (number, next) = try link.withLock { (link) throws(RouterError) -> (Int, AsyncStream<Void>?) in
        if link.state == .connected { return (link.number, nil) }
        if link.isClosed { throw .closed }
        let (next, waiter) = AsyncStream.makeStream(of: Void.self)
        link.waiting.append(waiter)
        return (link.number, next)
      }
      guard let next else { return number }
      for await _ in next {}
      if Task.isCancelled { throw .cancelled }
    }
  }

  /// Makes a call, and repeats the call after each loss of its connection.
  ///
  /// `call` gets the number of the connection.
  func repeating<Result>(
    _ call: (Int) async throws(RouterError) -> Result
  ) async throws(RouterError) -> Result {
    while true {
      let number = try await connected()
      do throws(RouterError) {
        return try await call(number)
      } catch {
        guard reconnects, error.isEndOfRouter || error.code == .nobodyListens,
          !link.withLock(\.isClosed)
        else { throw error }
        // The connection can still count as current in three cases:
        // - Only this call used the lost socket.
        // - The loss is not noticed yet.
        // - The router is stopping, and its sockets are still open.
        // In these cases, a pause comes before the next try.
        if isCurrent(number) {
          try? await Task.sleep(for: Self.firstPause)
          if error.code == .nobodyListens, isCurrent(number) { throw error }
        }
      }
    }
  }

  /// Answers a delivery or an open request that came over the connection with this number.
  ///
  /// If the router of this connection is gone, nobody waits for the answer, and the method returns `gone`.
  @discardableResult
  func answer(
    over number: Int,
    ifRouterIsGone gone: AnswerOutcome,
    _ call: () async throws(RouterError) -> Void
  ) async throws(RouterError) -> AnswerOutcome {
    guard isCurrent(number) else { return gone }
    do throws(RouterError) {
      try await call()
      return .accepted
    } catch {
      if error.isEndOfRouter || !isCurrent(number) { return gone }
      guard let outcome = AnswerOutcome(refusal: error) else { throw error }
      return outcome
    }
  }

  /// Notes that a socket of the connection with this number is lost, and makes the next connection.
  func lose(_ number: Int) {
    let lost = link.withLock { link -> (state: Link.State, link: Link)? in
      guard link.isCurrent(number) else { return nil }
      defer { (link.state, link.ordinary) = (.lost, nil) }
      return (link.state, link)
    }
    guard let lost else { return }
    lost.link.ordinary?.close()
    for member in lost.link.members { member.value?.drop(number) }
    sideConnections.dropIdle()
    // In the state `opening`, the task that opens the members notices the loss, and makes the next connection itself.
    guard lost.state == .connected, !lost.link.isClosed else { return }
    stateChanges.yield(.reconnecting)
    Task { [weak self] in
      while let pause = self?.nextPause() {
        try? await Task.sleep(for: pause)
        if await self?.connectAgain() != false { return }
      }
    }
  }

  private static var firstPause: Duration { .milliseconds(50) }

  /// Returns the pause before the next try; `nil` if no connection is wanted any more.
  ///
  /// If the last connection lasted longer than the last pause, the first try comes at once. The first pause is 50 ms,
  /// and each later pause is twice as long. The longest pause is 1 s, because a restarted router waits only two seconds
  /// for its clients. Each pause is shortened at random by up to a half, so that not all clients connect at the same
  /// moment.
  private func nextPause() -> Duration? {
    link.withLock { link in
      if let start = link.start, start.duration(to: .now) > link.pause { link.pause = .zero }
      let pause = link.pause * Double.random(in: 0.5...1)
      link.start = nil
      link.pause = min(max(link.pause * 2, Self.firstPause), .seconds(1))
      return link.isClosed ? nil : pause
    }
  }

  /// Tries once to connect and to open all members; returns whether they are open.
  private func connectAgain() async -> Bool {
    let (number, members) = link.withLock { link in
      link.number += 1
      link.state = .opening
      return (link.number, link.members.compactMap(\.value))
    }
    do throws(RouterError) {
      try await open(members, over: number)
    } catch {
      lose(number)
      return false
    }
    let waiting = link.withLock { link -> [AsyncStream<Void>.Continuation]? in
      guard link.isCurrent(number) else { return nil }
      defer { link.waiting = [] }
      (link.state, link.start) = (.connected, .now)
      return link.waiting
    }
    guard let waiting else { return false }
    stateChanges.yield(.connected)
    for waiter in waiting { waiter.finish() }
    return true
  }

  /// Opens members over a new connection, the scenes first.
  ///
  /// The router must know the open scenes before the applications. Otherwise it could ask an application to open a
  /// scene for an event that an open scene already has.
  private func open(_ members: [any Reopenable], over number: Int) async throws(RouterError) {
    do throws(VarlinkClientError) {
      use(try await sideConnections.connect(), over: number)
    } catch {
      throw RouterError(error)
    }
    let ordered = members.filter { !$0.isDeclaration } + members.filter(\.isDeclaration)
    for member in ordered {
      do throws(RouterError) {
        try await member.open(over: number, isAgain: true)
      } catch {
        if error.isEndOfRouter || error.isUnreachable || member.isOwn(error) { throw error }
        remove(member)
        member.end(with: error)
      }
    }
    if let scene = link.withLock(\.activeScene) {
      _ = try? await call(Wire.UpdateScene(sceneHandle: scene.handle, isActive: true))
    }
  }
}

extension RouterError {
  /// Whether the error only means that the connection is lost or the router is stopping.
  ///
  /// Such an error does not say what became of the call.
  var isEndOfRouter: Bool {
    switch code {
    case .connectionLost, .outcomeUnknown, .serviceStopping: true
    default: false
    }
  }

  /// Whether the error means that the router cannot be reached, or does not answer in time.
  fileprivate var isUnreachable: Bool {
    switch code {
    case .nobodyListens, .cannotConnect, .noAnswer: true
    default: false
    }
  }
}
