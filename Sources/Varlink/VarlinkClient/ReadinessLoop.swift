import CProcess
import Dispatch
import Synchronization
import UnixSocket

protocol LoopMember: AnyObject, Sendable {
  func becameReady(_ readiness: Epoll.Readiness, using buffer: inout [UInt8])
  func close(_ error: VarlinkClientError)
}

/// The loop that waits for the sockets of all connections of this process.
///
/// Its thread reads and decodes all replies. Tasks that make calls run on other threads, or here too if the main thread
/// runs the loop (``MainThread``).
final class ReadinessLoop: Sendable {
  static let shared = Result { () throws(SocketError) in try ReadinessLoop() }

  private let epoll: Epoll
  /// By the number of the descriptor.
  ///
  /// A late report about a closed descriptor may reach the object of a new descriptor with the same number, which at
  /// worst finds nothing to read.
  private let members = Mutex<[UInt64: any LoopMember]>([:])
  private let hasThread = Atomic(false)

  private init() throws(SocketError) {
    epoll = try Epoll()
    scened_keep_from_children(epoll.descriptor.rawValue)
  }

  /// Returns true if no thread runs the loop yet; the caller then has to run it.
  func takesThread() -> Bool { !hasThread.exchange(true, ordering: .relaxed) }

  func startThread() {
    guard takesThread() else { return }
    // The loop never ends, so it has a queue of its own.
    DispatchQueue(label: "io.scened.varlink-client").async { [self] in
      run(whenAwake: {}, afterTurn: {})
    }
  }

  /// An empty `former` starts the calls of `member`, an empty `interest` ends them.
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

  /// Returns only after a failure, which closes all connections.
  func run(whenAwake: () -> Void, afterTurn: () -> Void) {
    var events = Epoll.Events(capacity: 64)
    // Every program with a connection keeps this buffer, and nearly all messages fit.
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
