import RouterInterface
import Synchronization
import VarlinkClient

/// A change of the connection to the router.
public enum ConnectionState: Sendable, Hashable {
  /// The connection is lost, and the library tries to make it again.
  case reconnecting
  /// The connection is made again, and everything that was open over it is open again.
  case connected
}

/// The current connection of a router, and the members that are open over it.
struct Link: Sendable {
  /// The connection for calls that are answered at once.
  ///
  /// It is `nil` until the first such call if connections are expensive.
  var ordinary: VarlinkConnection?
  /// The open members, in the order in which they were opened.
  var members: [Member] = []
  /// The scene that reported last to be active.
  weak var activeScene: OpenScene?
  /// The tasks that wait for the next connection; empty unless it is being made.
  var waiting: [AsyncStream<Void>.Continuation] = []
  var isClosed = false

  struct Member: Sendable {
    weak var value: (any Reopenable)?
  }
}

extension RouterConnection {
  /// Adds a member, which is opened again over the next connection.
  func add(_ member: some Reopenable) {
    link.withLock { link in
      link.members.removeAll { $0.value == nil }
      link.members.append(Link.Member(value: member))
    }
  }

  /// Removes a member, which is then not opened again.
  func remove(_ member: some Reopenable) {
    link.withLock { link in link.members.removeAll { $0.value == nil || $0.value === member } }
  }

  /// Whether the connection is being made again.
  var isReconnecting: Bool { link.withLock { !$0.waiting.isEmpty } }

  /// Makes the connection again, and returns when all members are open again.
  ///
  /// The first try is at once, the next one after 50 ms. The delay doubles up to 5 s. Each delay is shortened
  /// by up to a half at random, so that the clients of a router do not all come at once.
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

  /// Tries once, and returns whether no further try is needed.
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
  /// Whether the error means that there is no connection, so that it says nothing about the call.
  fileprivate var isLoss: Bool {
    switch code {
    case .nobodyListens, .cannotConnect, .noAnswer, .connectionLost, .serviceStopping: true
    default: false
    }
  }
}
