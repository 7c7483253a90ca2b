import Dispatch
import QueueExecution
import UnixSocket
public import Varlink

/// A Varlink service on a socket, with interfaces and the functions that carry out the interfaces' methods.
///
/// `swift run InterfaceGenerator` generates the types of methods, replies and errors from an interface description.
///
///     var service = try Service(
///       vendor: "Example", product: "Calculator", version: "1", url: "https://example.org/calculator",
///       interfaces: [Calculator.interfaceDescription]
///     )
///     service.on(Calculator.Add.self) { Calculator.Add.Reply(sum: $0.a + $0.b) }
///     try await service.run(at: "/run/calculator")
///
/// The calls of one connection are carried out one after the other. Calls of several connections run at the same time.
/// The service itself answers calls of `org.varlink.service`, calls with invalid parameters, and calls of methods
/// without a registered function.
public struct Service: Sendable {
  private let makeInterface: @Sendable () throws(InterfaceDescriptionError) -> ServiceInterface
  private var methods: [String: CarriedOutMethod] = [:]

  /// Makes a service that does not carry out any method yet.
  ///
  /// - Parameters:
  ///   - vendor: The vendor of the service.
  ///   - product: The name of the service.
  ///   - version: The version of the service.
  ///   - url: A web page about the service.
  ///   - interfaces: The descriptions of the interfaces, in Varlink's interface definition language.
  /// - Throws: The fault of the first description that does not begin with the name of an interface.
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

  /// Registers the function that carries out a method.
  ///
  /// The client gets the reply that `body` returns, or the error that it throws. The task that runs `body` is cancelled
  /// when the client leaves or the service ends.
  public mutating func on<Method: MethodCall, Failure: ErrorReply>(
    _ method: Method.Type,
    _ body: @escaping @Sendable (Method) async throws(Failure) -> Method.Reply
  ) {
    methods["\(Method.method)"] = CarriedOutMethod(isStream: false) { (call: Method, _) throws(Failure) in
      try await body(call)
    }
  }

  /// Registers the function that carries out a method with several replies.
  ///
  /// `body` sends each reply with ``Replies/send(_:)``, and returns the last reply instead of sending it. If a client
  /// calls the method without the flag `more`, the service answers with `org.varlink.service.ExpectedMore`.
  public mutating func onMore<Method: MethodCall, Failure: ErrorReply>(
    _ method: Method.Type,
    _ body: @escaping @Sendable (Method, Replies<Method.Reply>) async throws(Failure) -> Method.Reply
  ) {
    methods["\(Method.method)"] = CarriedOutMethod(isStream: true, body)
  }

  /// Listens at a path, and serves until the calling task is cancelled.
  ///
  /// Only the service's own user can connect, because the socket file has mode 0600. The service replaces an existing
  /// socket file at which no process listens, and removes its file when it ends.
  ///
  /// - Parameters:
  ///   - path: The path of the socket file, in an existing directory.
  ///   - ready: Called once clients can connect.
  /// - Throws: An error if another process listens at the path, if the path names a file that is not a socket, or if a
  ///   system call fails.
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

/// Sends the replies to a call with several replies.
public struct Replies<Parameters: ObjectEncodable & Sendable>: Sendable {
  let call: ServedCall

  /// Sends a reply that is not the last one; waits while too many replies are queued for the client.
  ///
  /// - Returns: Whether the client is still connected.
  @discardableResult
  public func send(_ reply: Parameters) async -> Bool { await call.reply(reply, continues: true) }
}
