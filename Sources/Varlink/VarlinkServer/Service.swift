import Dispatch
import QueueExecution
import UnixSocket
public import Varlink

/// A service on a socket: its interfaces, and what carries their methods out.
///
/// `swift run InterfaceGenerator` makes the types of methods, replies and errors of an interface's description.
///
///     var service = try Service(
///       vendor: "Example", product: "Calculator", version: "1", url: "https://example.org/calculator",
///       interfaces: [Calculator.interfaceDescription]
///     )
///     service.on(Calculator.Add.self) { Calculator.Add.Reply(sum: $0.a + $0.b) }
///     try await service.run(at: "/run/calculator")
///
/// The calls of a connection are carried out one after the other, those of several at once. `org.varlink.service`, faulty
/// parameters and methods that nothing carries out are answered by the service itself.
public struct Service: Sendable {
  private let makeInterface: @Sendable () throws(InterfaceDescriptionError) -> ServiceInterface
  private var methods: [String: CarriedOutMethod] = [:]

  /// Makes a service that carries nothing out yet.
  ///
  /// - Parameters:
  ///   - vendor: Who makes the service.
  ///   - product: What it is.
  ///   - version: Which version of it.
  ///   - url: Where to read about it.
  ///   - interfaces: The descriptions of its interfaces.
  /// - Throws: The first fault of a description before its members.
  public init(
    vendor: String,
    product: String,
    version: String,
    url: String,
    interfaces: [String]
  ) throws(InterfaceDescriptionError) {
    makeInterface = { () throws(InterfaceDescriptionError) in
      try ServiceInterface(
        vendor: vendor,
        product: product,
        version: version,
        url: url,
        descriptions: interfaces
      )
    }
    _ = try makeInterface()
  }

  /// Has a method carried out: what `body` returns is the reply, what it throws the error that is replied.
  ///
  /// Its task is cancelled when the client has left, or the service ends.
  public mutating func on<Method: MethodCall, Failure: ErrorReply>(
    _ method: Method.Type,
    _ body: @escaping @Sendable (Method) async throws(Failure) -> Method.Reply
  ) {
    methods["\(Method.method)"] = CarriedOutMethod(isStream: false) { (call: Method, _) throws(Failure) in
      try await body(call)
    }
  }

  /// Has a method carried out that has several replies: those that `body` sends, and the one that it returns as the last.
  ///
  /// A call without `more` is answered with `org.varlink.service.ExpectedMore`.
  public mutating func onMore<Method: MethodCall, Failure: ErrorReply>(
    _ method: Method.Type,
    _ body: @escaping @Sendable (Method, Replies<Method.Reply>) async throws(Failure) -> Method.Reply
  ) {
    methods["\(Method.method)"] = CarriedOutMethod(isStream: true, body)
  }

  /// Listens at a path, and serves until the task is cancelled.
  ///
  /// The file is made with the mode 0600, so that nobody but this user can connect, and removed at the end. One that a
  /// process left behind that has ended is replaced.
  ///
  /// - Parameters:
  ///   - path: The file, in a directory that is there.
  ///   - ready: Called once clients can connect.
  /// - Throws: If somebody listens there, something else is there, or the system has no room.
  public func run(at path: String, ready: @escaping @Sendable () -> Void = {}) async throws {
    let (interface, methods) = (try makeInterface(), methods)
    let limits = ServerLimits(descriptors: try DescriptorLimit.current().soft)
    let server = try VarlinkServer(listener: .listen(at: path), limits: limits) { port in
      ServedMethods(port, interface, methods)
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (end: CheckedContinuation<Void, any Error>) in
        server.executor.queue.async { server.assumeIsolated { Self.start($0, ready, end) } }
      }
    } onCancel: {
      server.executor.queue.async { server.assumeIsolated { $0.stop() } }
    }
  }

  private static func start(
    _ server: isolated VarlinkServer,
    _ ready: () -> Void,
    _ end: CheckedContinuation<Void, any Error>
  ) {
    server.perform { ($0 as? ServedMethods)?.server = server }
    do throws(SocketError) {
      try server.start { error in if let error { end.resume(throwing: error) } else { end.resume() } }
      ready()
    } catch {
      end.resume(throwing: error)
    }
  }
}

/// The replies to a call that has several.
public struct Replies<Parameters: ObjectEncodable & Sendable>: Sendable {
  let call: OpenCall

  /// Sends a reply that others follow, and returns when the client has room for the next.
  ///
  /// - Returns: Whether the client is still there.
  @discardableResult
  public func send(_ reply: Parameters) async -> Bool { await call.reply(reply, continues: true) }
}
