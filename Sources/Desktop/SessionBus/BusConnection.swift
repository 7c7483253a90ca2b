import CSessionBus
import Dispatch
import Glibc
package import QueueExecution
import Synchronization

/// A connection to the session bus, or directly to another program (a *peer*).
///
/// A call or subscription opens the connection if it is not open. The connection to a peer ends when no call waits for
/// its reply and no subscription is left, because a peer sends all its signals without being asked. Methods can be
/// called from any thread, and never wait. Completions, handlers and all other work run on the serial queue of
/// ``executor``.
package actor BusConnection {
  package enum Report: Sendable {
    case signal(BusSignal)
    /// The connection, and with it the subscription, has ended.
    case ended
  }

  package struct SubscriptionID: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  package typealias Reply = Result<[BusValue], BusError>

  package nonisolated let executor: QueueExecutor
  private let address: String?
  private let isPeer: Bool
  private var session: BusSession?
  private var lastSession: UInt64 = 0
  /// Dispatch still uses the descriptors of these.
  private var endingSessions: [UInt64: BusSession] = [:]
  private var calls: [CallID: @Sendable (Reply) -> Void] = [:]
  private var subscriptions: [SubscriptionID: (match: SignalMatch, handler: @Sendable (Report) -> Void)] = [:]
  private let lastSubscription = Atomic<UInt64>(0)

  private struct CallID: Hashable {
    var session: UInt64
    var cookie: UInt64
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// `executor` must not be the queue of the router; no `address` means the session bus.
  ///
  /// With `isPeer`, a single program answers at the address.
  package init(on executor: QueueExecutor, address: String? = nil, isPeer: Bool = false) {
    self.executor = executor
    self.address = address
    self.isPeer = isPeer
  }

  /// `completion` is called exactly once.
  package nonisolated func call(
    _ call: BusCall,
    timeLimit: Duration,
    completion: @escaping @Sendable (Reply) -> Void
  ) {
    executor.queue.async { self.assumeIsolated { $0.send(call, timeLimit, completion) } }
  }

  /// Later calls are sent after the subscription, so the handler gets every matching signal that they cause.
  package nonisolated func subscribe(
    _ match: SignalMatch,
    handler: @escaping @Sendable (Report) -> Void
  ) -> SubscriptionID {
    let id = SubscriptionID(number: lastSubscription.add(1, ordering: .relaxed).newValue)
    executor.queue.async { self.assumeIsolated { $0.add(id, match, handler) } }
    return id
  }

  package nonisolated func unsubscribe(_ id: SubscriptionID) {
    executor.queue.async { self.assumeIsolated { $0.remove(id) } }
  }

  package nonisolated func close() {
    executor.queue.async { self.assumeIsolated { $0.end() } }
  }
}

// MARK: - Calls and signals

extension BusConnection {
  private static func busCall(_ member: String, _ arguments: [BusValue] = []) -> BusCall {
    BusCall(
      member,
      of: "org.freedesktop.DBus",
      at: "/org/freedesktop/DBus",
      in: "org.freedesktop.DBus",
      arguments
    )
  }

  private func send(_ call: BusCall, _ timeLimit: Duration, _ completion: @escaping @Sendable (Reply) -> Void)
  {
    do throws(BusError) {
      let session = try openSession()
      let id = CallID(session: session.id, cookie: try session.send(call))
      calls[id] = completion
      executor.queue.asyncAfter(deadline: .now() + timeLimit.dispatchInterval) {
        self.assumeIsolated { $0.complete(id, .failure(.timedOut)) }
      }
      watch()
    } catch {
      completion(.failure(error))
    }
  }

  private func complete(_ id: CallID, _ reply: Reply) {
    calls.removeValue(forKey: id)?(reply)
    endIfUnused()
  }

  private func add(
    _ id: SubscriptionID,
    _ match: SignalMatch,
    _ handler: @escaping @Sendable (Report) -> Void
  ) {
    do throws(BusError) {
      let session = try openSession()
      if !isPeer { _ = try session.send(Self.busCall("AddMatch", [.string(match.rule)])) }
      subscriptions[id] = (match, handler)
      watch()
    } catch {
      handler(.ended)
    }
  }

  private func remove(_ id: SubscriptionID) {
    guard let match = subscriptions.removeValue(forKey: id)?.match, let session else { return }
    if isPeer { return endIfUnused() }
    _ = try? session.send(Self.busCall("RemoveMatch", [.string(match.rule)]))
    watch()
  }

  private func received(_ message: BusMessage.Kind, in session: UInt64) {
    switch message {
    case .reply(let cookie, let reply): complete(CallID(session: session, cookie: cookie), reply)
    case .signal(let signal):
      for subscription in subscriptions.values where subscription.match.includes(signal) {
        subscription.handler(.signal(signal))
      }
    }
  }
}

// MARK: - The connection

extension BusConnection {
  private func openSession() throws(BusError) -> BusSession {
    if let session { return session }
    lastSession += 1
    let new = try BusSession(id: lastSession, address: address, isPeer: isPeer)
    let id = new.id
    let source = DispatchSource.makeReadSource(fileDescriptor: new.descriptor, queue: executor.queue)
    source.setEventHandler { self.assumeIsolated { $0.process() } }
    source.setCancelHandler { self.assumeIsolated { $0.sourceEnded(of: id) } }
    new.reading = source
    new.sources += 1
    source.activate()
    session = new
    return new
  }

  private func watch() {
    guard let session else { return }
    if session.wantsToWrite, session.writing == nil {
      let id = session.id
      let source = DispatchSource.makeWriteSource(fileDescriptor: session.descriptor, queue: executor.queue)
      source.setEventHandler { self.assumeIsolated { $0.process() } }
      source.setCancelHandler { self.assumeIsolated { $0.sourceEnded(of: id) } }
      session.writing = source
      session.sources += 1
      source.activate()
    } else if !session.wantsToWrite, let source = session.writing {
      session.writing = nil
      source.cancel()
    }
  }

  private func process() {
    while let session {
      switch session.process() {
      case .nothing: return watch()
      case .ended: return end()
      case .something(let message):
        if let message { received(message, in: session.id) }
      }
    }
  }

  private func endIfUnused() {
    if isPeer, calls.isEmpty, subscriptions.isEmpty { end() }
  }

  private func end() {
    guard let session else { return }
    self.session = nil
    endingSessions[session.id] = session
    session.reading?.cancel()
    session.writing?.cancel()
    let (calls, subscriptions) = (calls.values, subscriptions.values)
    self.calls = [:]
    self.subscriptions = [:]
    for completion in calls { completion(.failure(.disconnected)) }
    for subscription in subscriptions { subscription.handler(.ended) }
  }

  /// The descriptor must stay open until no source uses it.
  private func sourceEnded(of id: UInt64) {
    guard let session = endingSessions[id] ?? session, session.id == id else { return }
    session.sources -= 1
    if session.sources == 0 { endingSessions[id] = nil }
  }
}

extension Duration {
  fileprivate var dispatchInterval: DispatchTimeInterval {
    .microseconds(
      Int(clamping: components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
    )
  }
}
