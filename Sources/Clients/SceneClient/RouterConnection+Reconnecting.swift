import RouterInterface
import Synchronization
import VarlinkClient

/// What becomes of the connection to the router.
public enum ConnectionState: Sendable, Hashable {
  /// The connection is lost, and tried to be made again.
  case reconnecting
  /// The connection is there again, and all that was open over it.
  case connected
}

/// The connection that a router has now, and what is open over it.
struct Link: Sendable {
  /// That for calls that are answered at once; nil until there is one, where a connection costs much.
  var ordinary: VarlinkConnection?
  /// In the order in which they were opened.
  var members: [Member] = []
  /// The scene that reported last to be active.
  weak var activeScene: OpenScene?
  /// Who waits for the next connection; empty unless it is being made.
  var waiting: [AsyncStream<Void>.Continuation] = []
  var isClosed = false

  struct Member: Sendable {
    weak var value: (any Reopenable)?
  }
}

extension RouterConnection {
  /// Notes something that is to be opened again over the next connection.
  func add(_ member: some Reopenable) {
    link.withLock { link in
      link.members.removeAll { $0.value == nil }
      link.members.append(Link.Member(value: member))
    }
  }

  /// Notes that something is not to be opened again.
  func remove(_ member: some Reopenable) {
    link.withLock { link in link.members.removeAll { $0.value == nil || $0.value === member } }
  }

  /// Whether the connection is being made anew.
  var isReconnecting: Bool { link.withLock { !$0.waiting.isEmpty } }

  /// Makes the connection anew, and returns when it and all that was open over it is there again.
  ///
  /// Tries again after 50 ms, then after ever longer up to 5 s, each time cut by up to a half at random, so that not all
  /// clients of a router come at once.
  ///
  /// - Throws: a ``RouterError`` with the code `cancelled`, or `connectionLost` if ``close()`` was called.
  func reconnect(isolation: isolated (any Actor)?) async throws(RouterError) {
    let (connected, waiter) = AsyncStream.makeStream(of: Void.self)
    let isFirst = link.withLock { link in
      guard !link.isClosed else { return false }
      link.waiting.append(waiter)
      return link.waiting.count == 1
    }
    if isFirst {
      stateChanges.yield(.reconnecting)
      Task { [weak self] in
        var delay = Duration.milliseconds(50)
        while let done = await self?.reconnectOnce(), !done {
          try? await Task.sleep(for: delay * Double.random(in: 0.5...1))
          delay = min(delay * 2, .seconds(5))
        }
      }
    }
    if !link.withLock(\.isClosed) { for await _ in connected {} }
    if Task.isCancelled { throw .cancelled }
    if link.withLock(\.isClosed) { throw .closed }
  }

  /// Returns whether there is nothing more to do.
  private func reconnectOnce() async -> Bool {
    let members = link.withLock { $0.members.compactMap(\.value) }
    do throws(VarlinkClientError) {
      let connection = try await sideConnections.connect()
      sideConnections.dropIdle()
      let former = link.withLock(\.ordinary)
      use(connection)
      former?.close()
    } catch {
      return link.withLock(\.isClosed)
    }
    for member in members {
      do throws(RouterError) {
        try await member.reopen()
      } catch {
        if error.isLoss { return link.withLock(\.isClosed) }
        remove(member)
        member.end(with: error)
      }
    }
    if let scene = link.withLock(\.activeScene) {
      _ = try? await call(Wire.UpdateScene(sceneHandle: scene.handle, isActive: true))
    }
    let waiting = link.withLock { link in
      defer { link.waiting = [] }
      return link.waiting
    }
    stateChanges.yield(.connected)
    for waiter in waiting { waiter.finish() }
    return true
  }
}

extension RouterError {
  /// Whether it says that there is no connection, and nothing of what was asked.
  fileprivate var isLoss: Bool {
    switch code {
    case .nobodyListens, .cannotConnect, .noAnswer, .connectionLost, .serviceStopping: true
    default: false
    }
  }
}
