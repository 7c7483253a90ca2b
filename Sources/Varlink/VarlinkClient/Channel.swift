import CProcess
import Synchronization
import UnixSocket
import Varlink

/// The socket of a connection, with the bytes to send and the calls that wait for replies.
///
/// While ``ReadinessLoop`` waits for the socket, it keeps the channel alive; ``close(_:)`` ends that.
final class Channel: LoopMember {
  private struct State {
    var calls = OpenCalls()
    var outbox = Outbox()
    var interest = Epoll.Readiness()
    /// The error for every later call; nil while the connection is open.
    var end: VarlinkClientError?
    var whenLost: (@Sendable () -> Void)?
  }

  private let socket: StreamSocket
  private let loop: ReadinessLoop
  private let state = Mutex(State())
  private let reader = Mutex(ReplyReader())
  private let identifiesSender: Bool
  private let noted = Mutex<PeerCredentials?>(nil)

  /// The socket has to be nonblocking; with `identifiesSender`, ``sender`` is looked up.
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
    update { (state) throws(SocketError) in try state.outbox.flush(to: socket) }
  }

  /// Reading pauses while too many replies wait for a caller.
  func resumeReading() {
    update { _ in }
  }

  func close(_ error: VarlinkClientError) {
    let (calls, whenLost) = state.withLock { state -> ([any OpenCall], (@Sendable () -> Void)?) in
      guard state.end == nil else { return ([], nil) }
      defer { state.whenLost = nil }
      state.end = error
      state.outbox = Outbox()
      try? updateInterest(&state)
      // Tells the service at once. The descriptor may be closed much later, when nothing refers to this object.
      socket.shutdown(.both)
      return (state.calls.removeAll(), state.whenLost)
    }
    // `whenLost` runs first, so that it has noted the loss when a caller continues.
    if error.isLoss { whenLost?() }
    for call in calls { call.fail(error) }
  }

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
