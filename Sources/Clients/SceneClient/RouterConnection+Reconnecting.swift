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
/// If one of its sockets is lost, the whole connection is lost. All its sockets are closed before the next connection
/// is made, because otherwise a member could be open over two at the same time.
struct Link: Sendable {
  enum State: Sendable {
    case connected
    /// The members are being opened, and no other call uses the connection.
    case opening
    case lost
  }

  var number = 1
  var state = State.connected
  /// For calls that the router answers immediately.
  ///
  /// To a router behind a program, each socket costs one process; this one then stays `nil` until the first such call.
  var ordinary: VarlinkConnection?
  /// In the order in which they were opened.
  var members: [Member] = []
  /// By the id of the application that got the events, in deliveries or open requests.
  var shown: [String: ShownEvents] = [:]
  weak var activeScene: OpenScene?
  /// Tasks that wait for the next connection.
  var waiting: [AsyncStream<Void>.Continuation] = []
  /// When the connection was made; `nil` after its loss.
  var start: ContinuousClock.Instant? = .now
  /// The upper limit of the random pause before the next try to connect.
  var pause = Duration.zero
  var isClosed = false

  struct Member: Sendable {
    weak var value: (any Reopenable)?
  }

  static var firstPause: Duration { .milliseconds(50) }

  func isCurrent(_ number: Int) -> Bool { number == self.number && state != .lost }

  /// `nil` if no connection is wanted any more.
  ///
  /// The first try comes at once if the last connection lasted longer than the last pause. A pause is at most 1 s,
  /// because a restarted router waits only two seconds for its clients. It is shortened at random, so that not all
  /// clients connect at the same moment.
  mutating func nextPause() -> Duration? {
    if let start, start.duration(to: .now) > pause { pause = .zero }
    let next = pause * Double.random(in: 0.5...1)
    start = nil
    pause = min(max(pause * 2, Self.firstPause), .seconds(1))
    return isClosed ? nil : next
  }
}

extension RouterConnection {
  func isCurrent(_ number: Int) -> Bool { link.withLock { $0.isCurrent(number) } }

  /// Returns false if the connection with this number is lost.
  func add(_ member: some Reopenable, to number: Int) -> Bool {
    link.withLock { link in
      guard link.isCurrent(number) else { return false }
      link.members.removeAll { $0.value == nil }
      link.members.append(Link.Member(value: member))
      return true
    }
  }

  func remove(_ member: some Reopenable) {
    link.withLock { link in link.members.removeAll { $0.value == nil || $0.value === member } }
  }

  /// Handles what has come over the members' sockets, including their end.
  func receive() async {
    for member in link.withLock(\.members) { await member.value?.receive() }
  }

  /// If the connection is lost, waits for the next one.
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

  /// Repeats the call after each loss of its connection, whose number it gets.
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
        // The connection still counts as current if only this call used the lost socket, if the loss is not noticed
        // yet, or if the router is stopping and its sockets are still open. A pause then comes before the next try.
        if isCurrent(number) {
          try? await Task.sleep(for: Link.firstPause)
          if error.code == .nobodyListens, isCurrent(number) { throw error }
        }
      }
    }
  }

  /// Returns `gone` if the router of the connection with this number is gone, because nobody waits for the answer.
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

  /// A socket of the connection with this number is lost; makes the next connection.
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
    // In the state `opening`, the task that opens the members notices the loss and makes the next connection itself.
    guard lost.state == .connected, !lost.link.isClosed else { return }
    stateChanges.yield(.reconnecting)
    Task { [weak self] in
      while let pause = self?.link.withLock({ $0.nextPause() }) {
        try? await Task.sleep(for: pause)
        if await self?.connectAgain() != false { return }
      }
    }
  }

  /// Tries once; returns whether all members are open.
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

  /// The scenes come first, because otherwise the router could ask an application to open a scene for an event that an
  /// open scene already has.
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
      _ = try? await call(Wire.UpdateSceneCall(sceneHandle: scene.handle, isActive: true))
    }
  }
}

extension RouterError {
  /// Such an error does not say what became of the call.
  var isEndOfRouter: Bool {
    switch code {
    case .connectionLost, .outcomeUnknown, .serviceStopping: true
    default: false
    }
  }

  fileprivate var isUnreachable: Bool {
    switch code {
    case .nobodyListens, .cannotConnect, .noAnswer: true
    default: false
    }
  }
}
