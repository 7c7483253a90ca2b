import Dispatch
import QueueExecution
import UnixSocket
import Varlink

/// A method of a ``Service`` without the types of its parameters and replies.
struct CarriedOutMethod: Sendable {
  let isStream: Bool
  let read: @Sendable (borrowing Call) throws(ParameterError) -> @Sendable (ServedCall) async -> Void

  init<Method: MethodCall, Failure: ErrorReply>(
    isStream: Bool,
    _ body: @escaping @Sendable (Method, Replies<Method.Reply>) async throws(Failure) -> Method.Reply
  ) {
    self.isStream = isStream
    read = { call throws(ParameterError) in
      let parameters: Method = try call.decodeParameters()
      return { open in
        do throws(Failure) {
          await open.reply(try await body(parameters, Replies(call: open)), continues: false)
        } catch {
          await open.reply(error: error)
        }
      }
    }
  }
}

struct ServedCall: Sendable {
  let id: CallID
  let server: VarlinkServer

  /// Waits while too many replies are unread; returns false if the client has left.
  @discardableResult
  func reply(_ parameters: some ObjectEncodable & Sendable, continues: Bool) async -> Bool {
    await withCheckedContinuation { (room: CheckedContinuation<Bool, Never>) in
      perform { methods in
        methods.port.reply(to: id, continues: continues, writing: parameters.encodeMembers)
        methods.waitForRoom(on: id.connection, room)
      }
    }
  }

  func reply(error: some ErrorReply) async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      perform { methods in
        methods.port.reply(to: id, error: error)
        done.resume()
      }
    }
  }

  private func perform(_ action: @escaping @Sendable (ServedMethods) -> Void) {
    server.executor.queue.async {
      server.assumeIsolated { server in
        server.perform { service in if let methods = service as? ServedMethods { action(methods) } }
      }
    }
  }
}

/// Carries out the methods of a ``Service``, with one task for the calls of each connection.
final class ServedMethods: VarlinkService {
  /// What a client may leave unread before ``ServedCall/reply(_:continues:)`` waits.
  private static let roomBytes = 1 << 16

  let serviceInterface: ServiceInterface
  let port: ReplyPort
  weak var server: VarlinkServer?
  private let methods: [String: CarriedOutMethod]
  private var connections: [ConnectionID: Calls] = [:]

  private struct Calls {
    let task: Task<Void, Never>
    let queue: AsyncStream<@Sendable () async -> Void>.Continuation
    var waiting: [CheckedContinuation<Bool, Never>] = []

    init() {
      let (calls, queue) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
      self.queue = queue
      task = Task { for await call in calls { await call() } }
    }
  }

  init(_ port: ReplyPort, _ serviceInterface: ServiceInterface, _ methods: [String: CarriedOutMethod]) {
    (self.port, self.serviceInterface, self.methods) = (port, serviceInterface, methods)
  }

  func dispatch(_ call: borrowing Call, _ id: CallID) -> Bool {
    guard id.mode != .upgrade, let name = call.method.stringValue, let method = methods[name], let server
    else {
      return false
    }
    if method.isStream, id.mode == .plain {
      port.reply(to: id, error: ServiceError.expectedMore)
      return true
    }
    do throws(ParameterError) {
      let body = try method.read(call)
      let open = ServedCall(id: id, server: server)
      let calls = connections[id.connection] ?? Calls()
      connections[id.connection] = calls
      calls.queue.yield { await body(open) }
    } catch {
      port.reply(to: id, error: ServiceError(error))
    }
    return true
  }

  func waitForRoom(on connection: ConnectionID, _ room: CheckedContinuation<Bool, Never>) {
    guard connections[connection] != nil else { return room.resume(returning: false) }
    guard port.queuedBytes(of: connection) > Self.roomBytes else { return room.resume(returning: true) }
    connections[connection]?.waiting.append(room)
    port.noticeDrain(of: connection)
  }

  func outputDrained(_ connection: ConnectionID) {
    let waiting = connections[connection]?.waiting ?? []
    connections[connection]?.waiting = []
    for room in waiting { room.resume(returning: true) }
  }

  func connectionEnded(_ connection: ConnectionID) {
    guard let calls = connections.removeValue(forKey: connection) else { return }
    calls.task.cancel()
    calls.queue.finish()
    for room in calls.waiting { room.resume(returning: false) }
  }

  func stop() { for connection in Array(connections.keys) { connectionEnded(connection) } }
}

// MARK: - Requirements that need no work here

extension ServedMethods {
  var nextDeadline: UInt64? { nil }
  func admission(of peer: PeerCredentials) -> Admission { .admitted }
  func refuseConnection(_ id: CallID, _ limit: ConnectionLimit) {
    port.reply(to: id, error: ServiceError.permissionDenied)
  }
  func connectionViolated(_ violation: ProtocolViolation, _ peer: PeerCredentials) {}
  func charge(_ bytes: Int, toUser user: UInt32) -> Bool { true }
  func advance(to now: UInt64) {}
}
