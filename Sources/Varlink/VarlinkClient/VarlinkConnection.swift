import CProcess
import Glibc
package import UnixSocket
public import Varlink

/// A connection to a Varlink service.
///
/// Any number of tasks may make calls at the same time. Calls are sent in the order in which they are made, without
/// waiting for the replies to earlier calls. The service answers in this order, so a slow call delays the replies to
/// later calls. A call with many replies (``callMore(_:_:as:)``) delays the replies to later calls until its own last
/// reply.
///
/// A child of fork(2) has no part in a connection: it ends with this process, and in the child every call fails.
///
/// The connection is closed by ``close()``, and when the last reference to it and to its ``VarlinkReplies`` is gone.
public final class VarlinkConnection: Sendable {
  /// The process that listened at the start of the connection; nil if the kernel does not know it.
  package let peer: PeerCredentials?

  /// The process that sent the last reply; nil if there is none, or the connection does not identify senders.
  ///
  /// If systemd listened at the start, ``peer`` is systemd, and the sender is the service.
  package var sender: PeerCredentials? { channel.sender }

  private let channel: Channel

  /// `socket` has to be connected and nonblocking; with `identifiesSender`, each read takes one more system call.
  package convenience init(
    _ socket: consuming StreamSocket,
    identifiesSender: Bool = false
  ) throws(VarlinkClientError) {
    guard getpid() == Channel.process else { throw .closed }
    let peer = try? socket.peerCredentials()
    do throws(SocketError) {
      self.init(try Channel(socket, identifiesSender: identifiesSender), to: peer)
    } catch {
      throw .connectionFailed(error)
    }
  }

  private init(_ channel: Channel, to peer: PeerCredentials?) {
    self.channel = channel
    self.peer = peer
  }

  deinit {
    channel.close(.closed)
  }

  /// Tries 50 times a second while too many clients wait to be accepted, until the task is cancelled.
  ///
  /// The kernel offers no other way to wait without blocking the thread.
  package static func connect(
    to address: SocketAddress,
    identifiesSender: Bool = false
  ) async throws(VarlinkClientError) -> VarlinkConnection {
    while !Task.isCancelled {
      if let connection = try connectAtOnce(to: address, identifiesSender) { return connection }
      try? await Task.sleep(for: .milliseconds(20))
    }
    throw .cancelled
  }

  /// Connects through a program whose standard input and output are the connection, such as `ssh HOST PROGRAM`.
  ///
  /// The program, searched in `$PATH`, gets no terminal and ends with this process. When the connection is closed, its
  /// input ends, and it should end too. To test the connection, `GetInfo` is called; even an error is an answer.
  ///
  /// - Throws: `noBridge` if the program cannot be started, ends, or writes a text that is not a reply; the error
  ///   quotes the end of its standard error, or that text.
  package static func connect(
    through command: [String]
  ) async throws(VarlinkClientError) -> VarlinkConnection {
    guard getpid() == Channel.process else { throw .closed }
    let process: BridgeProcess
    let connection: VarlinkConnection
    do throws(SocketError) {
      scened_delay_forks()
      defer { scened_allow_forks() }
      let pair = try StreamSocketPair()
      process = try BridgeProcess(command, at: pair.second)
      connection = VarlinkConnection(try Channel(pair.first), to: nil)
    } catch {
      throw .connectionFailed(error)
    }
    do throws(VarlinkClientError) {
      _ = try await connection.call(GetInfo.method, GetInfo(), as: GetInfo.Reply.self)
    } catch .errorReply {
    } catch {
      connection.close()
      throw await process.reason(for: error)
    }
    return connection
  }

  private static func connectAtOnce(
    to address: SocketAddress,
    _ identifiesSender: Bool
  ) throws(VarlinkClientError) -> VarlinkConnection? {
    scened_delay_forks()
    defer { scened_allow_forks() }
    let socket: StreamSocket?
    do throws(SocketError) {
      socket = try StreamSocket.connectAtOnce(to: address)
    } catch {
      throw .cannotConnect(error)
    }
    guard let socket else { return nil }
    return try VarlinkConnection(socket, identifiesSender: identifiesSender)
  }

  /// Whether the connection is closed, so that nothing can be sent any more.
  public var isClosed: Bool { channel.isClosed }

  /// Calls `action`, in place of an earlier one, when the service or a failure ends the connection.
  ///
  /// If that was before, the call is immediate. A loss is noticed late while reading pauses because too many replies
  /// wait for a caller.
  package func whenLost(_ action: @escaping @Sendable () -> Void) {
    channel.whenLost(action)
  }

  /// Returns when all that the service has sent, and the end of the connection, has been handled.
  ///
  /// Sockets are read in no particular order. While reading pauses, nothing is handled.
  package func receive() async {
    await channel.receiveAll()
  }

  /// Closes the connection; calls that wait for replies throw `closed`.
  public func close() {
    channel.close(.closed)
  }

  /// Throws `cancelled` if the task is cancelled.
  ///
  /// If that was before the start, the call is not sent. Otherwise the service still carries it out, the connection
  /// stays open, and the reply is dropped when it comes.
  package func call<Reply: ObjectDecodable & Sendable>(
    _ method: StaticString,
    _ parameters: some ObjectEncodable,
    as type: Reply.Type = Reply.self
  ) async throws(VarlinkClientError) -> Reply {
    guard !Task.isCancelled else { throw .cancelled }
    let buffer = ReplyBuffer { reply throws(ParameterError) in try reply.decodeParameters(as: Reply.self) }
    try send(method, parameters, mode: .plain, for: buffer)
    // A plain call always ends with a reply or an error.
    guard let reply = try await buffer.next() as? Reply else { throw .closed }
    return reply
  }

  package func callOneway(
    _ method: StaticString,
    _ parameters: some ObjectEncodable
  ) throws(VarlinkClientError) {
    try send(method, parameters, mode: .oneway, for: nil)
  }

  package func callMore<Reply: ObjectDecodable & Sendable>(
    _ method: StaticString,
    _ parameters: some ObjectEncodable,
    as type: Reply.Type = Reply.self
  ) throws(VarlinkClientError) -> VarlinkReplies<Reply> {
    let buffer = ReplyBuffer { reply throws(ParameterError) in try reply.decodeParameters(as: Reply.self) }
    try send(method, parameters, mode: .more, for: buffer)
    return VarlinkReplies(buffer, of: self)
  }

  /// Connects to the service at a socket path; a path that begins with `@` is an abstract socket name.
  ///
  /// See ``connect(to:identifiesSender:)``.
  public static func connect(toPath path: String) async throws(VarlinkClientError) -> VarlinkConnection {
    let address: SocketAddress
    do throws(SocketError) { address = try SocketAddress(path) } catch { throw .cannotConnect(error) }
    return try await connect(to: address)
  }

  /// Calls a method and waits for its reply; see ``call(_:_:as:)``.
  public func call<Method: MethodCall>(
    _ call: Method
  ) async throws(VarlinkClientError) -> Method.Reply {
    try await self.call(Method.method, call, as: Method.Reply.self)
  }

  /// Calls a method without waiting; the service sends no reply, not even an error.
  public func callOneway(_ call: some MethodCall) throws(VarlinkClientError) {
    try callOneway(type(of: call).method, call)
  }

  /// Calls a method that may send any number of replies; ``VarlinkReplies/next()`` throws an error that ends the call.
  public func callMore<Method: MethodCall>(
    _ call: Method
  ) throws(VarlinkClientError) -> VarlinkReplies<Method.Reply> {
    try callMore(Method.method, call, as: Method.Reply.self)
  }

  func resumeReading() {
    channel.resumeReading()
  }

  func cancel() {
    channel.close(.cancelled)
  }

  private func send(
    _ method: StaticString,
    _ parameters: some ObjectEncodable,
    mode: CallMode,
    for call: (any OpenCall)?
  ) throws(VarlinkClientError) {
    var writer = JSONWriter()
    writer.call(method, parameters, mode: mode)
    try channel.send(writer.bytes, mode: mode, for: call)
  }
}
