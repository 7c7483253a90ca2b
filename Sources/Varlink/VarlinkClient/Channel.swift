import CProcess
import Dispatch
import Glibc
import Synchronization
import UnixSocket
import Varlink

/// The socket of a connection, with the bytes to send and the calls that wait for replies.
///
/// Its sources keep the channel, and so the descriptor, until they are cancelled; ``close(_:)`` cancels them.
final class Channel: Sendable {
  private struct State {
    var calls = OpenCalls()
    var outbox = Outbox()
    /// Nil after the end.
    var reading: (any DispatchSourceRead)?
    /// Whether `reading` is suspended.
    var isPaused = false
    /// Nil while the outbox is empty.
    var writing: (any DispatchSourceWrite)?
    /// The error for every later call; nil while the connection is open.
    var end: VarlinkClientError?
    var whenLost: (@Sendable () -> Void)?
  }

  private static let ownQueue = DispatchQueue(label: "io.scened.varlink-client")
  /// One serial queue for all connections of this process.
  static var queue: DispatchQueue { MainQueue.executor == nil ? ownQueue : .main }

  /// The process that has made the first connection.
  ///
  /// In a child of fork(2), Dispatch has no thread that would read.
  static let process = getpid()

  private let socket: StreamSocket
  private let state = Mutex(State())
  private let reader = Mutex(ReplyReader())
  private let identifiesSender: Bool
  private let noted = Mutex<PeerCredentials?>(nil)

  /// The socket has to be nonblocking; with `identifiesSender`, ``sender`` is looked up.
  init(_ socket: consuming StreamSocket, identifiesSender: Bool = false) throws(SocketError) {
    if identifiesSender { try socket.noteSenders() }
    self.socket = socket
    self.identifiesSender = identifiesSender
    scened_keep_from_children(descriptor)
    state.withLock { state in
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue)
      source.setEventHandler { self.receive() }
      source.setCancelHandler { withExtendedLifetime(self) {} }
      source.activate()
      state.reading = source
    }
  }

  deinit { scened_release_to_children(descriptor) }

  private var descriptor: CInt { socket.descriptor.rawValue }

  var sender: PeerCredentials? { noted.withLock(\.self) }

  var isClosed: Bool { state.withLock { $0.end != nil } }

  func whenLost(_ action: @escaping @Sendable () -> Void) {
    let end = state.withLock { state in
      if state.end == nil { state.whenLost = action }
      return state.end
    }
    if end?.isLoss == true { action() }
  }

  /// Sends a call, which ends with NUL, without waiting; bytes for which the socket has no room are sent later.
  func send(_ message: Span<UInt8>, mode: CallMode, for call: (any OpenCall)?) throws(VarlinkClientError) {
    let count = message.count - 1
    guard count <= FrameSplitter.messageLimit else { throw .callTooLong(count) }
    try state.withLock { (state) throws(VarlinkClientError) in
      if let end = state.end { throw end }
      state.calls.append(call, mode: mode)
      state.outbox.append(message)
    }
    flush()
  }

  /// Reading pauses while too many replies wait for a caller.
  func resumeReading() {
    let isResumed = state.withLock { state in
      guard state.end == nil, state.isPaused, !state.calls.isFull else { return false }
      state.isPaused = false
      state.reading?.resume()
      return true
    }
    // After the end of both directions, the source may report nothing more.
    if isResumed { Self.queue.async { self.receive() } }
  }

  func receiveAll() async {
    await withCheckedContinuation { continuation in
      Self.queue.async {
        self.receive()
        continuation.resume()
      }
    }
  }

  func close(_ error: VarlinkClientError) {
    let (calls, whenLost) = state.withLock { state -> ([any OpenCall], (@Sendable () -> Void)?) in
      guard state.end == nil else { return ([], nil) }
      defer { (state.whenLost, state.reading, state.writing) = (nil, nil, nil) }
      state.end = error
      state.outbox = Outbox()
      state.reading?.cancel()
      // The cancel handler does not run while the source is suspended.
      if state.isPaused { state.reading?.resume() }
      state.writing?.cancel()
      // Tells the service at once. The descriptor may be closed much later, when nothing refers to this object.
      socket.shutdown(.both)
      return (state.calls.removeAll(), state.whenLost)
    }
    // `whenLost` runs first, so that it has noted the loss when a caller continues.
    if error.isLoss { whenLost?() }
    for call in calls { call.fail(error) }
  }

  private func flush() {
    do throws(SocketError) {
      try state.withLock { (state) throws(SocketError) in
        try state.outbox.flush(to: socket)
        if state.outbox.isEmpty {
          state.writing?.cancel()
          state.writing = nil
        } else if state.writing == nil {
          let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: Self.queue)
          source.setEventHandler { self.flush() }
          source.setCancelHandler { withExtendedLifetime(self) {} }
          source.activate()
          state.writing = source
        }
      }
    } catch {
      close(.connectionFailed(error))
    }
  }
}

// MARK: - On the queue

extension Channel {
  /// Reads all that has come, because the source reports the end of both directions only once.
  private func receive() {
    // Nearly all messages fit.
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    do throws(VarlinkClientError) {
      while mayRead(), try receive(using: &buffer) {}
    } catch {
      close(error)
    }
  }

  private func mayRead() -> Bool {
    state.withLock { state in
      guard state.end == nil, !state.isPaused else { return false }
      state.isPaused = state.calls.isFull
      if state.isPaused { state.reading?.suspend() }
      return !state.isPaused
    }
  }

  /// Returns false if nothing has come.
  private func receive(using buffer: inout [UInt8]) throws(VarlinkClientError) -> Bool {
    guard let count = try read(into: &buffer) else { return false }
    guard count > 0 else {
      throw .closedByService(insideMessage: reader.withLock { $0.isInsideMessage })
    }
    do throws(ProtocolViolation) {
      try reader.withLock { (reader) throws(ProtocolViolation) in
        try reader.receive(buffer.span.extracting(..<count)) { (reply, message) throws(ProtocolViolation) in
          let continues = reply.continues
          let call = try state.withLock { (state) throws(ProtocolViolation) in
            try state.calls.call(continues: continues)
          }
          call.receive(reply, message: message)
        }
      }
    } catch {
      throw .protocolViolation(error)
    }
    return true
  }

  private func read(into buffer: inout [UInt8]) throws(VarlinkClientError) -> Int? {
    var span = buffer.mutableSpan
    do throws(SocketError) {
      if identifiesSender, let sender = try socket.senderOfNextBytes() { noted.withLock { $0 = sender } }
      return switch try socket.read(into: &span) {
      case .bytes(let count): count
      case .wouldBlock: nil
      case .end, .reset: 0
      }
    } catch {
      throw .connectionFailed(error)
    }
  }
}
