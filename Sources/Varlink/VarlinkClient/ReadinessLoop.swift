import Dispatch
import Synchronization
import UnixSocket

/// What waits for a descriptor on the loop.
protocol LoopMember: AnyObject, Sendable {
  /// Called on the loop; `buffer` is for what is read.
  func becameReady(_ readiness: Epoll.Readiness, using buffer: inout [UInt8])
  /// Called when the loop has failed.
  func close(_ error: VarlinkClientError)
}

/// The thread on which all connections of this process wait for their sockets.
///
/// It never blocks on anything else: callers decode nothing and run nothing on it, unless it is the main thread
/// (``MainThread``).
final class ReadinessLoop: Sendable {
  /// The loop, which runs from the first connection on and never ends; or why there is none.
  static let shared = Result { () throws(SocketError) in try ReadinessLoop() }

  private let epoll: Epoll
  /// By descriptor.
  ///
  /// A number that is used again may be reported as ready too early, which does no harm.
  private let members = Mutex<[UInt64: any LoopMember]>([:])
  private let hasThread = Atomic(false)

  private init() throws(SocketError) { epoll = try Epoll() }

  /// Whether no thread runs the loop yet; the caller is to do so then.
  func takesThread() -> Bool { !hasThread.exchange(true, ordering: .relaxed) }

  /// Has a thread of its own run the loop, if none does.
  func startThread() {
    guard takesThread() else { return }
    // A queue of its own, as its thread is never given back.
    DispatchQueue(label: "io.scened.varlink-client").async { [self] in
      run(whenAwake: {}, afterTurn: {})
    }
  }

  /// Waits for `interest` in a member's descriptor from now on, instead of `former`; nothing means not at all.
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

  /// Runs the loop; returns if descriptors cannot be waited for any more, which ends all connections.
  ///
  /// - Parameters:
  ///   - whenAwake: called when something is ready.
  ///   - afterTurn: called when all that was ready has been read.
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
