package import UnixSocket
public import Varlink

/// A connection to a Varlink service.
///
/// Calls may be made from any number of tasks at once. They are sent in the order in which they are made, without
/// waiting for each other, and the service answers in that order: a call that takes long to be answered holds up the
/// replies of later ones. One with many replies (``callMore(_:_:as:)``) holds them up until its last.
///
/// The connection is closed by ``close()``, or when neither it nor any of its ``VarlinkReplies`` are in use.
public final class VarlinkConnection: Sendable {
  /// Who listened at the other end when the connection was made; nil if the kernel does not know.
  package let peer: PeerCredentials?

  private let channel: Channel

  /// Makes a connection of a socket that is connected and nonblocking.
  package convenience init(_ socket: consuming StreamSocket) throws(VarlinkClientError) {
    let peer = try? socket.peerCredentials()
    do throws(SocketError) {
      self.init(try Channel(socket), to: peer)
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

  /// Connects to the service at `address`.
  ///
  /// While the service has too many connections to accept, tries again 50 times a second until the task is cancelled:
  /// the kernel has no other way to wait that leaves the thread free.
  package static func connect(
    to address: SocketAddress
  ) async throws(VarlinkClientError) -> VarlinkConnection {
    while !Task.isCancelled {
      if let socket = try connectAtOnce(to: address) { return try VarlinkConnection(socket) }
      try? await Task.sleep(for: .milliseconds(20))
    }
    throw .cancelled
  }

  /// Connects through a program whose standard input and output are the connection, as those of `ssh HOST PROGRAM` are.
  ///
  /// The program gets no terminal, ends with this process, and is asked to end by the end of its input. Returns when the
  /// service has answered `GetInfo`, be it with an error.
  ///
  /// - Parameter command: the program, which is looked for in `$PATH`, and its arguments.
  /// - Returns: the connection, of which ``peer`` is nil.
  /// - Throws: `noBridge` with what the program has written to standard error, if it ends or writes what is no reply.
  package static func connect(
    through command: [String]
  ) async throws(VarlinkClientError) -> VarlinkConnection {
    let process: BridgeProcess
    let connection: VarlinkConnection
    do throws(SocketError) {
      let pair = try StreamSocketPair()
      process = try BridgeProcess(command, at: pair.second)
      connection = VarlinkConnection(try Channel(pair.first), to: nil)
    } catch {
      throw .connectionFailed(error)
    }
    do throws(VarlinkClientError) {
      _ = try await connection.call(GetInfo.method, GetInfo(), as: GetInfo.Reply.self)
    } catch .errorReply {
      // A service that refuses is there.
    } catch {
      connection.close()
      throw await process.reason(for: error)
    }
    return connection
  }

  private static func connectAtOnce(
    to address: SocketAddress
  ) throws(VarlinkClientError) -> StreamSocket? {
    do throws(SocketError) {
      return try StreamSocket.connectAtOnce(to: address)
    } catch {
      throw .cannotConnect(error)
    }
  }

  /// Whether nothing can be sent any more.
  public var isClosed: Bool { channel.isClosed }

  /// Closes the connection; calls that wait for replies throw `closed`.
  public func close() {
    channel.close(.closed)
  }

  /// Calls a method and waits for its reply.
  ///
  /// If the task is cancelled, the call throws `cancelled` although it is carried out; the connection stays of
  /// use, and the reply is dropped when it comes.
  package func call<Reply: ObjectDecodable & Sendable>(
    _ method: StaticString,
    _ parameters: some ObjectEncodable,
    as type: Reply.Type = Reply.self
  ) async throws(VarlinkClientError) -> Reply {
    guard !Task.isCancelled else { throw .cancelled }
    let buffer = ReplyBuffer { reply throws(ParameterError) in try reply.decodeParameters(as: Reply.self) }
    try send(method, parameters, mode: .plain, for: buffer)
    // A call ends with its reply or an error, never without.
    guard let reply = try await buffer.next() as? Reply else { throw .closed }
    return reply
  }

  /// Calls a method that is to send no reply, not even an error; returns at once.
  package func callOneway(
    _ method: StaticString,
    _ parameters: some ObjectEncodable
  ) throws(VarlinkClientError) {
    try send(method, parameters, mode: .oneway, for: nil)
  }

  /// Calls a method for any number of replies.
  ///
  /// Returns at once; an error that the call ends in is thrown by the replies.
  package func callMore<Reply: ObjectDecodable & Sendable>(
    _ method: StaticString,
    _ parameters: some ObjectEncodable,
    as type: Reply.Type = Reply.self
  ) throws(VarlinkClientError) -> VarlinkReplies<Reply> {
    let buffer = ReplyBuffer { reply throws(ParameterError) in try reply.decodeParameters(as: Reply.self) }
    try send(method, parameters, mode: .more, for: buffer)
    return VarlinkReplies(buffer, of: self)
  }

  /// Connects to the service that listens at a path, or at an abstract name after `@`; see ``connect(to:)``.
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

  /// Calls a method that is to send no reply, not even an error; returns at once.
  public func callOneway(_ call: some MethodCall) throws(VarlinkClientError) {
    try callOneway(type(of: call).method, call)
  }

  /// Calls a method for any number of replies; an error that the call ends in is thrown by the replies.
  public func callMore<Method: MethodCall>(
    _ call: Method
  ) throws(VarlinkClientError) -> VarlinkReplies<Method.Reply> {
    try callMore(Method.method, call, as: Method.Reply.self)
  }

  /// Reads on once replies have been taken.
  func resumeReading() {
    channel.resumeReading()
  }

  /// Closes the connection because who waits for its replies does so no more.
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
