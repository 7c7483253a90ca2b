import Glibc
import RouterInterface
import TestSupport
import UnixSocket
import Varlink

/// A client that sends exactly the bytes a test wants.
///
/// Every method for reading waits for the expected input. The method throws an error if the input does not come in
/// time.
final class WireClient {
  private let socket: StreamSocket
  /// Received bytes that no method has returned yet.
  private var received: [UInt8] = []
  private var hasEnded = false

  /// Whether another reply follows, according to the last reply that was read.
  private(set) var continues = false

  /// The descriptor, for system calls that this class does not make.
  var descriptor: CInt { socket.descriptor.rawValue }

  init(path: String) throws {
    socket = try StreamSocket.connect(to: SocketAddress(path: path), nonblocking: true)
  }
}

// MARK: - Bytes

extension WireClient {
  /// Sends bytes unchanged; returns false if the router has closed the connection meanwhile.
  @discardableResult
  func send(_ bytes: [UInt8], by deadline: Deadline = Deadline()) throws -> Bool {
    var rest = bytes.span
    while !rest.isEmpty {
      switch try socket.write(rest) {
      case .bytes(let count): rest = rest.extracting(count...)
      case .closed: return false
      case .wouldBlock:
        guard Self.wait(for: [self], to: POLLOUT, by: deadline) else { throw Overdue("Nobody reads.") }
      }
    }
    return true
  }

  /// Sends a message and its NUL byte.
  @discardableResult
  func send(_ message: String) throws -> Bool { try send(Array(message.utf8) + [0]) }

  /// Waits until the router has read all that was sent.
  func waitUntilRead(by deadline: Deadline = Deadline()) throws {
    var unread: CInt = 0
    repeat {
      guard unsafe ioctl(descriptor, UInt(TIOCOUTQ), &unread) == 0 else { throw Overdue("No queue.") }
      guard deadline.millisecondsLeft > 0 else { throw Overdue("Nobody reads.") }
    } while unread > 0
  }

  /// Returns the next message, without its NUL byte.
  func message(by deadline: Deadline = Deadline()) throws -> [UInt8] {
    while true {
      if let message = takeMessage() { return message }
      guard !hasEnded else { throw Overdue("The connection has ended; unread: \(received.count) bytes.") }
      try receive(by: deadline)
    }
  }

  /// Returns the next message as text.
  func text() throws -> String { String(decoding: try message(), as: UTF8.self) }

  /// Reads up to the end of the connection, and returns the bytes before the end.
  func end(by deadline: Deadline = Deadline()) throws -> [UInt8] {
    while !hasEnded { try receive(by: deadline) }
    defer { received = [] }
    return received
  }

  /// Ends the sending direction of the connection.
  func endInput() { socket.shutdown(.writing) }

  /// Ends the connection, and waits until the router has noticed the end.
  func leave() throws {
    endInput()
    _ = try end()
  }

  /// Whether there is input that no method has returned yet; does not wait.
  var hasInput: Bool {
    !received.isEmpty || Self.wait(for: [self], to: POLLIN, by: Deadline(in: .zero))
  }

  /// Waits until input has come for at least one of the clients.
  static func waitForInput(_ clients: [WireClient], by deadline: Deadline = Deadline()) throws {
    guard clients.contains(where: { !$0.received.isEmpty }) || wait(for: clients, to: POLLIN, by: deadline)
    else { throw Overdue("Nothing came for any of \(clients.count) clients.") }
  }

  private static func wait(for clients: [WireClient], to event: Int32, by deadline: Deadline) -> Bool {
    var ready = clients.map { pollfd(fd: $0.socket.descriptor.rawValue, events: Int16(event), revents: 0) }
    return poll(&ready, nfds_t(ready.count), CInt(deadline.millisecondsLeft)) > 0
  }

  private func receive(by deadline: Deadline) throws {
    guard Self.wait(for: [self], to: POLLIN, by: deadline) else {
      throw Overdue("Nothing came after \(String(decoding: received.prefix(1000), as: UTF8.self)).")
    }
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    var buffer = bytes.mutableSpan
    switch try socket.read(into: &buffer) {
    case .bytes(let count): received += bytes.prefix(count)
    case .end, .reset: hasEnded = true
    case .wouldBlock: break
    }
  }

  private func takeMessage() -> [UInt8]? {
    let length = received.withUnsafeBytes { bytes -> Int? in
      guard let start = bytes.baseAddress, let end = memchr(start, 0, bytes.count) else { return nil }
      return UnsafeRawPointer(end) - start
    }
    guard let length else { return nil }
    defer { received.removeFirst(length + 1) }
    return Array(received[..<length])
  }
}

// MARK: - Calls and replies

extension WireClient {
  func send<Call: MethodCall>(_ call: Call, _ mode: CallMode = .plain) throws {
    var writer = JSONWriter()
    writer.call(Call.method, call, mode: mode)
    try send(writer.takeBytes())
  }

  /// Returns the parameters of the next reply, read as `type`.
  ///
  /// - Throws: `Wire.RouterErrorReply` if the reply is an error.
  func reply<Parameters: ObjectDecodable>(as type: Parameters.Type = Parameters.self) throws -> Parameters {
    let message = try message()
    var document = JSONDocument()
    let reply = try document.parseReply(message.span)
    continues = reply.continues
    if let error = Wire.RouterErrorReply(reply) { throw error }
    guard reply.error == nil else {
      throw Overdue("An error that is not described came: \(String(decoding: message, as: UTF8.self)).")
    }
    return try reply.decodeParameters()
  }

  /// Returns the next reply, which must belong to a call of this method.
  ///
  /// - Throws: `Wire.RouterErrorReply` if the reply is an error.
  func reply<Call: MethodCall>(to method: Call.Type) throws -> Call.Reply { try reply() }

  /// Sends a call and returns the first reply.
  @discardableResult
  func call<Call: MethodCall>(_ call: Call, _ mode: CallMode = .plain) throws -> Call.Reply {
    try send(call, mode)
    return try reply(to: Call.self)
  }

  /// Returns the error in the next reply.
  func failure() throws -> Wire.RouterErrorReply {
    do {
      let _: NoParameters = try reply()
      throw Overdue("No error came, but a reply.")
    } catch let error as Wire.RouterErrorReply {
      return error
    }
  }

  /// Sends a call and returns the error in the reply.
  func failure<Call: MethodCall>(of call: Call, _ mode: CallMode = .plain) throws -> Wire.RouterErrorReply {
    try send(call, mode)
    return try failure()
  }

  /// Sends a message and returns the error in the reply.
  func failure(of message: String) throws -> Wire.RouterErrorReply {
    try send(message)
    return try failure()
  }
}
