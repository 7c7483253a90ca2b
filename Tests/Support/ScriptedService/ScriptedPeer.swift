import Glibc
import Synchronization
import TestSupport
package import UnixSocket
package import Varlink

/// The service's end of a connection, controlled byte by byte by a test's script.
///
/// Methods that wait block the thread. A throwing method that still waits ten minutes after the peer was made throws
/// `Overdue`.
package final class ScriptedPeer: Sendable {
  private let socket: StreamSocket
  private let deadline = Deadline()
  private let splitter = Mutex(FrameSplitter())
  private let calls = Mutex<[ReceivedCall]>([])

  /// Makes a peer from the service's end of a connection.
  package init(_ socket: consuming StreamSocket) {
    self.socket = socket
  }

  /// Waits for the next call.
  ///
  /// - Throws: `Overdue` if the client leaves or does nothing.
  package func nextCall() throws -> ReceivedCall {
    while true {
      if let call = calls.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return call }
      guard let bytes = try read() else { throw Overdue("The client left instead of making a call.") }
      try splitter.withLock { splitter in
        var document = JSONDocument()
        var offset = 0
        while let message = try splitter.nextMessage(of: bytes.span, at: &offset) {
          let call = try ReceivedCall(message, &document)
          calls.withLock { $0.append(call) }
        }
      }
    }
  }

  /// Sends a message followed by a NUL.
  package func send(_ message: String) throws {
    try write(Array(message.utf8) + [0])
  }

  /// Sends a reply.
  package func reply(_ parameters: some ObjectEncodable, continues: Bool = false) throws {
    var writer = JSONWriter()
    writer.reply(parameters, continues: continues)
    try write(writer.takeBytes())
  }

  /// Sends an error reply.
  package func reply(error: some ErrorReply) throws {
    var writer = JSONWriter()
    writer.reply(error: error)
    try write(writer.takeBytes())
  }

  /// Sends bytes unchanged.
  ///
  /// - Throws: `Overdue` if the client leaves or does not read.
  package func write(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      switch try socket.write(bytes.span.extracting(sent...)) {
      case .bytes(let count): sent += count
      case .wouldBlock: try wait(for: POLLOUT)
      case .closed: throw Overdue("The client left instead of reading.")
      }
    }
  }

  /// Waits for room for more bytes, at most for the given time; returns whether there is room.
  package func canWrite(milliseconds: Int) -> Bool {
    isReady(socket.descriptor.rawValue, for: POLLOUT, milliseconds: milliseconds)
  }

  /// Waits until the client has left.
  ///
  /// - Throws: `Overdue` if the client sends something first, or does not leave.
  package func expectEnd() throws {
    guard let bytes = try read() else { return }
    throw Overdue("The client sent \(String(decoding: bytes, as: UTF8.self)) instead of leaving.")
  }

  /// Closes the connection.
  package func close() {
    socket.shutdown(.both)
  }

  /// Ends the output, so that the client notices the loss of the connection and then leaves.
  package func endOutput() {
    socket.shutdown(.writing)
  }

  /// Whether the client has left.
  package var clientHasLeft: Bool {
    // `poll` always reports the end of a connection.
    isReady(socket.descriptor.rawValue, for: 0, milliseconds: 0)
  }

  private func read() throws -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var span = buffer.mutableSpan
      switch try socket.read(into: &span) {
      case .bytes(let count): return Array(buffer[..<count])
      case .wouldBlock: try wait(for: POLLIN)
      case .end, .reset: return nil
      }
    }
  }

  private func wait(for events: CInt) throws {
    let milliseconds = deadline.millisecondsLeft
    guard isReady(socket.descriptor.rawValue, for: events, milliseconds: milliseconds) else {
      throw Overdue("The client did nothing.")
    }
  }
}

/// Waits until a descriptor is ready; returns false if the time ends first.
func isReady(_ descriptor: CInt, for events: CInt, milliseconds: Int) -> Bool {
  var ready = [pollfd(fd: descriptor, events: Int16(events), revents: 0)]
  return poll(&ready, 1, CInt(milliseconds)) == 1
}
