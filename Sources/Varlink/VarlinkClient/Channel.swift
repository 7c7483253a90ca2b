import CProcess
import Synchronization
import UnixSocket
import Varlink

/// The socket of a connection, with the bytes to send and the calls that wait for replies.
///
/// While ``ReadinessLoop`` waits for the socket, the loop keeps the channel alive. ``close(_:)`` ends the waiting.
final class Channel: LoopMember {
  private struct State {
    var calls = OpenCalls()
    var outbox = Outbox()
    /// What the loop waits for: that the socket can be read, that it can be written, or both; empty for nothing.
    var interest = Epoll.Readiness()
    /// The error for every later call; nil while the connection is open.
    var end: VarlinkClientError?
    /// The function to call when the connection is lost.
    var whenLost: (@Sendable () -> Void)?
  }

  private let socket: StreamSocket
  private let loop: ReadinessLoop
  private let state = Mutex(State())
  /// The reader of received bytes; only the loop calls this reader.
  private let reader = Mutex(ReplyReader())
  private let identifiesSender: Bool
  private let noted = Mutex<PeerCredentials?>(nil)

  /// Starts to wait for replies.
  ///
  /// The socket has to be nonblocking. With `identifiesSender`, ``sender`` is looked up.
  init(_ socket: consuming StreamSocket, identifiesSender: Bool = false) throws(SocketError) {
    if identifiesSender { try socket.noteSenders() }
    self.socket = socket
    self.identifiesSender = identifiesSender
    loop = try ReadinessLoop.shared.get()
    scened_keep_from_children(descriptor)
    try state.withLock { (state) throws(SocketError) in try updateInterest(&state) }
    loop.startThread()
  }

  deinit { scened_release_to_children(descriptor) }

  private var descriptor: CInt { socket.descriptor.rawValue }

  /// The process that sent the last bytes; nil if the sender is not looked up, or if no bytes have come.
  var sender: PeerCredentials? { noted.withLock(\.self) }

  var isClosed: Bool { state.withLock { $0.end != nil } }

  /// Calls `action` when the connection is lost, or immediately if the connection is already lost.
  ///
  /// A connection is lost when the service or a failure ends the connection.
  func whenLost(_ action: @escaping @Sendable () -> Void) {
    let end = state.withLock { state in
      if state.end == nil { state.whenLost = action }
      return state.end
    }
    if end?.isLoss == true { action() }
  }

  /// Sends `message`, which is a call with the NUL at its end.
  ///
  /// `call` gets the replies.
  ///
  /// Returns without waiting. If the socket has no room for some bytes, these bytes are kept and sent later.
  func send(_ message: Span<UInt8>, mode: CallMode, for call: (any OpenCall)?) throws(VarlinkClientError) {
    let count = message.count - 1
    guard count <= FrameSplitter.messageLimit else { throw .callTooLong(count) }
    try state.withLock { (state) throws(VarlinkClientError) in
      if let end = state.end { throw end }
      state.calls.append(call, mode: mode)
      state.outbox.append(message)
    }
    update { (state) throws(SocketError) in try state.outbox.flush(to: socket) }
  }

  /// Continues to read after a pause.
  ///
  /// Reading pauses while too many replies wait for a caller.
  func resumeReading() {
    update { _ in }
  }

  /// Ends the connection.
  ///
  /// No open call gets any more replies.
  func close(_ error: VarlinkClientError) {
    let (calls, whenLost) = state.withLock { state -> ([any OpenCall], (@Sendable () -> Void)?) in
      guard state.end == nil else { return ([], nil) }
      defer { state.whenLost = nil }
      state.end = error
      state.outbox = Outbox()
      try? updateInterest(&state)
      // The shutdown tells the service immediately that the connection has ended. The descriptor may be closed much
      // later, because it stays open while anything refers to this object.
      socket.shutdown(.both)
      return (state.calls.removeAll(), state.whenLost)
    }
    // `whenLost` runs before the calls fail. So when a caller continues, `whenLost` has already noted the loss.
    if error.isLoss { whenLost?() }
    for call in calls { call.fail(error) }
  }

  /// Changes the state, and updates the readiness that the loop waits for.
  ///
  /// If the change or the update fails, closes the connection.
  private func update(_ change: (inout State) throws(SocketError) -> Void) {
    do throws(SocketError) {
      try state.withLock { (state) throws(SocketError) in
        try change(&state)
        try updateInterest(&state)
      }
    } catch {
      close(.connectionFailed(error))
    }
  }

  private func updateInterest(_ state: inout State) throws(SocketError) {
    let interest = Epoll.Readiness(
      isReadable: state.end == nil && !state.calls.isFull,
      isWritable: !state.outbox.isEmpty
    )
    guard interest != state.interest else { return }
    try loop.wait(for: interest, insteadOf: state.interest, of: descriptor, self)
    state.interest = interest
  }
}

// MARK: - Called by the loop

extension Channel {
  /// Sends and receives as much as possible without waiting.
  func becameReady(_ readiness: Epoll.Readiness, using buffer: inout [UInt8]) {
    update { (state) throws(SocketError) in try state.outbox.flush(to: socket) }
    guard readiness.isReadable else { return }
    do throws(VarlinkClientError) {
      try receive(using: &buffer)
      resumeReading()
    } catch {
      close(error)
    }
  }

  private func receive(using buffer: inout [UInt8]) throws(VarlinkClientError) {
    guard let count = try read(into: &buffer) else { return }
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
  }

  /// Reads the bytes that have come; returns 0 at the end of the stream, and nil if no bytes have come.
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
