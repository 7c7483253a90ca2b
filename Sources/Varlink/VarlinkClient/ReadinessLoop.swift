import Dispatch
import Synchronization
import UnixSocket

/// An object for whose descriptor the loop waits.
protocol LoopMember: AnyObject, Sendable {
  /// Handles a ready descriptor; `buffer` has room for the bytes to be read.
  func becameReady(_ readiness: Epoll.Readiness, using buffer: inout [UInt8])
  /// Handles a failure of the loop.
  func close(_ error: VarlinkClientError)
}

/// The loop that waits for the sockets of all connections of this process.
///
/// The thread of the loop decodes the replies, and waits only for descriptors. Tasks of callers run on other threads.
/// If the main thread runs the loop, tasks of callers can run on the main thread too (``MainThread``).
final class ReadinessLoop: Sendable {
  /// The loop, or the error if the loop could not be made.
  ///
  /// The loop runs from the first connection on, and ends only after a failure.
  static let shared = Result { () throws(SocketError) in try ReadinessLoop() }

  private let epoll: Epoll
  /// The members; the key is the number of the descriptor.
  ///
  /// A new descriptor may get the number of a closed descriptor, and may then be reported as ready too early. Such a
  /// report does no harm.
  private let members = Mutex<[UInt64: any LoopMember]>([:])
  private let hasThread = Atomic(false)

  private init() throws(SocketError) { epoll = try Epoll() }

  /// Claims the loop for the calling thread; returns true if no thread runs the loop yet.
  ///
  /// If the result is true, the caller has to run the loop.
  func takesThread() -> Bool { !hasThread.exchange(true, ordering: .relaxed) }

  /// Starts a thread that runs the loop; does nothing if a thread already runs the loop.
  func startThread() {
    guard takesThread() else { return }
    // The loop has a dispatch queue of its own, because the loop never ends and keeps the queue's thread.
    DispatchQueue(label: "io.scened.varlink-client").async { [self] in
      run(whenAwake: {}, afterTurn: {})
    }
  }

  /// Lets the loop wait for the readiness `interest` of a member, instead of `former`.
  ///
  /// An empty readiness means no waiting.
  func wait(
    for interest: Epoll.Readiness,
    insteadOf former: Epoll.Readiness,
    of descriptor: CInt,
    _ member: any LoopMember
  ) throws(SocketError) {
    let token = UInt64(descriptor)
    if interest.isEmpty {
      members.withLock { $0[token] = nil }
      try epoll.remove(descriptor)
    } else if former.isEmpty {
      try epoll.add(descriptor, token: token, interest: interest)
      members.withLock { $0[token] = member }
    } else {
      try epoll.modify(descriptor, token: token, interest: interest)
    }
  }

  /// Runs the loop.
  ///
  /// Returns only if waiting for descriptors fails; all connections are then closed.
  ///
  /// - Parameters:
  ///   - whenAwake: Called when a descriptor is ready.
  ///   - afterTurn: Called after all ready descriptors have been read.
  func run(whenAwake: () -> Void, afterTurn: () -> Void) {
    var events = Epoll.Events(capacity: 64)
    // Nearly all messages are smaller, and every program with a connection keeps this buffer.
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    do throws(SocketError) {
      while true {
        let count = try epoll.wait(into: &events, milliseconds: nil)
        whenAwake()
        for index in 0..<count {
          let event = events[index]
          members.withLock { $0[event.token] }?.becameReady(event.readiness, using: &buffer)
        }
        afterTurn()
      }
    } catch {
      for member in members.withLock({ $0.values.map(\.self) }) { member.close(.connectionFailed(error)) }
    }
  }
}
