import Synchronization
import UnixSocket
import Varlink

/// The socket of a connection, with what is sent over it and what waits for replies.
///
/// ``ReadinessLoop`` keeps it alive while it waits for the socket, until ``close(_:)``.
final class Channel: LoopMember {
  private struct State {
    var calls = OpenCalls()
    var outbox = Outbox()
    /// What the loop waits for.
    var interest = Epoll.Readiness()
    /// Why nothing can be sent any more.
    var end: VarlinkClientError?
  }

  private let socket: StreamSocket
  private let loop: ReadinessLoop
  private let state = Mutex(State())
  /// Used by the loop alone.
  private let reader = Mutex(ReplyReader())

  /// Starts to wait for replies; the socket has to be nonblocking.
  init(_ socket: consuming StreamSocket) throws(SocketError) {
    self.socket = socket
    loop = try ReadinessLoop.shared.get()
    try state.withLock { (state) throws(SocketError) in try updateInterest(&state) }
    loop.startThread()
  }

  private var descriptor: CInt { socket.descriptor.rawValue }

  var isClosed: Bool { state.withLock { $0.end != nil } }

  /// Sends a call, with its NUL; `call` gets the replies.
  ///
  /// Returns at once: what the service does not read yet is kept.
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

  /// Reads on if that was put off until the caller of the open call had taken its replies.
  func resumeReading() {
    update { _ in }
  }

  /// Ends the connection: no call gets any further reply.
  func close(_ error: VarlinkClientError) {
    let calls = state.withLock { state in
      guard state.end == nil else { return [] as [any OpenCall] }
      state.end = error
      state.outbox = Outbox()
      try? updateInterest(&state)
      // The service is to know at once; the descriptor is closed when nobody holds this object any more.
      socket.shutdown(.both)
      return state.calls.removeAll()
    }
    for call in calls { call.fail(error) }
  }

  /// Changes the state and has the loop wait for what it calls for; closes the connection if that fails.
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

// MARK: - On the loop

extension Channel {
  /// Sends and receives what is possible now.
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

  /// Reads what has come; 0 bytes are the end.
  private func read(into buffer: inout [UInt8]) throws(VarlinkClientError) -> Int? {
    var span = buffer.mutableSpan
    do throws(SocketError) {
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
