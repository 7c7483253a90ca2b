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

/// The connection to the router, and the members that are open over it.
///
/// A connection has a number and several sockets. If one of the sockets is lost, the whole connection is lost.
/// All of its sockets are closed before the next connection is made, so that the router never knows the same
/// member twice.
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
  /// If each socket needs a program of its own, this socket is `nil` until the first such call.
  var ordinary: VarlinkConnection?
  /// The open members, in the order in which they were opened.
  var members: [Member] = []
  /// Id of an application → the events that the application got in deliveries or open requests.
  var shown: [String: ShownEvents] = [:]
  /// The scene that last became active.
  weak var activeScene: OpenScene?
  /// The tasks that wait for the next connection.
  var waiting: [AsyncStream<Void>.Continuation] = []
  /// The time at which the connection was made; `nil` after its loss.
  var start: ContinuousClock.Instant? = .now
  /// The longest pause before the next connection is tried.
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
        // The connection can still count as current in three cases. A pause then comes before the next try.
        // - The lost socket served only this call.
        // - The loss is not noticed yet.
        // - The router is stopping and still has its sockets.
        if isCurrent(number) {
          try? await Task.sleep(for: Self.firstPause)
          if error.code == .nobodyListens, isCurrent(number) { throw error }
        }
      }
    }
  }

  /// Answers a delivery or an open request that came over the connection with this number.
  ///
  /// Nobody waits for the answer if the router of this connection is gone. The outcome then is `gone`.
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
    // The task that was opening the members makes the next connection by itself.
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
  /// If the last connection has lasted longer than the last pause, the first try comes without a pause. The second
  /// try comes after 50 ms. The pause then doubles up to 1 s, because a router waits two seconds for its clients.
  /// Each pause is shortened by up to a half at random. The clients of a router then do not all connect at the same
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
  /// If an application were declared first, the router could ask it for a scene for an event that an open scene already
  /// has.
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
  /// Whether the router is gone or about to go.
  ///
  /// The error then says nothing about the call.
  var isEndOfRouter: Bool {
    switch code {
    case .connectionLost, .outcomeUnknown, .serviceStopping: true
    default: false
    }
  }

  /// Whether the router cannot be reached, or hangs.
  fileprivate var isUnreachable: Bool {
    switch code {
    case .nobodyListens, .cannotConnect, .noAnswer: true
    default: false
    }
  }
}
