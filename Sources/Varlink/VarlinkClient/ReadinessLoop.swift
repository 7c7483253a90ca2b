import CProcess
import Dispatch
import Synchronization
import UnixSocket

/// An object with a descriptor; the loop calls the object when the descriptor is ready.
protocol LoopMember: AnyObject, Sendable {
  /// Handles a ready descriptor; `buffer` has room for the bytes to be read.
  func becameReady(_ readiness: Epoll.Readiness, using buffer: inout [UInt8])
  /// Handles a failure of the loop.
  func close(_ error: VarlinkClientError)
}

/// The loop that waits for the sockets of all connections of this process.
///
/// One thread runs the loop. This thread reads and decodes all replies, and waits only for descriptors. Tasks that make
/// calls run on other threads. If the main thread runs the loop, such tasks can run on it too (``MainThread``).
final class ReadinessLoop: Sendable {
  /// The loop, or the error if the loop could not be made.
  ///
  /// The loop runs from the first connection on, and ends only after a failure.
  static let shared = Result { () throws(SocketError) in try ReadinessLoop() }

  private let epoll: Epoll
  /// The objects that the loop calls; the key is the number of the object's descriptor.
  ///
  /// The system may give the number of a closed descriptor to a new descriptor. A late report about the closed
  /// descriptor then reaches the object of the new descriptor. This does no harm, because that object at worst finds
  /// nothing to read.
  private let members = Mutex<[UInt64: any LoopMember]>([:])
  private let hasThread = Atomic(false)

  private init() throws(SocketError) {
    epoll = try Epoll()
    scened_keep_from_children(epoll.descriptor.rawValue)
  }

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

  /// Changes what the loop waits for on `descriptor` from `former` to `interest`.
  ///
  /// If `former` is empty, the loop starts to wait, and calls `member` whenever the descriptor is ready. If `interest`
  /// is empty, the loop stops waiting for the descriptor.
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
    // The buffer is small, because every program with a connection keeps one. Nearly all messages fit.
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
