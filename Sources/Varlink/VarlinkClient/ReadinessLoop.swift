import Dispatch
import Synchronization
import UnixSocket

/// An object for whose descriptor the loop waits.
protocol LoopMember: AnyObject, Sendable {
  /// Called by the loop. `buffer` is room for the bytes that are read.
  func becameReady(_ readiness: Epoll.Readiness, using buffer: inout [UInt8])
  /// Called when the loop has failed.
  func close(_ error: VarlinkClientError)
}

/// The loop that waits for the sockets of all connections of this process.
///
/// The thread of the loop does not block on anything else. It decodes the replies. Tasks of callers run on other
/// threads, unless the loop runs on the main thread (``MainThread``).
final class ReadinessLoop: Sendable {
  /// The loop, which runs from the first connection on and never ends; or the error if it could not be made.
  static let shared = Result { () throws(SocketError) in try ReadinessLoop() }

  private let epoll: Epoll
  /// The members, by descriptor.
  ///
  /// A descriptor number that is used again may be reported as ready too early, which does no harm.
  private let members = Mutex<[UInt64: any LoopMember]>([:])
  private let hasThread = Atomic(false)

  private init() throws(SocketError) { epoll = try Epoll() }

  /// Claims the loop for the calling thread; returns true if no thread runs it yet.
  ///
  /// The caller then has to run it.
  func takesThread() -> Bool { !hasThread.exchange(true, ordering: .relaxed) }

  /// Starts a thread that runs the loop, unless a thread already does.
  func startThread() {
    guard takesThread() else { return }
    // The loop has a dispatch queue of its own, because it never ends and keeps its thread.
    DispatchQueue(label: "io.scened.varlink-client").async { [self] in
      run(whenAwake: {}, afterTurn: {})
    }
  }

  /// Changes the readiness that a member waits for from `former` to `interest`.
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
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
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
