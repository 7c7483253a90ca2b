import Dispatch
import Synchronization
import UnixSocket

/// The thread on which all connections of this process wait for their sockets.
///
/// It never blocks on anything else: callers decode nothing and run nothing on it.
final class ReadinessLoop: Sendable {
  /// The loop, started with the first connection and never ended; or why there is none.
  static let shared = Result { () throws(SocketError) in try ReadinessLoop() }

  private let epoll: Epoll
  /// The channels by descriptor.
  ///
  /// A number that is used again may be reported as ready too early, which does no harm.
  private let members = Mutex<[UInt64: Channel]>([:])

  private init() throws(SocketError) {
    epoll = try Epoll()
    // A queue of its own, as its thread is never given back.
    DispatchQueue(label: "io.scened.varlink-client").async { [self] in run() }
  }

  /// Waits for `interest` of a channel's socket from now on, instead of `former`; nothing means not at all.
  func wait(
    for interest: Epoll.Readiness,
    insteadOf former: Epoll.Readiness,
    of channel: Channel
  ) throws(SocketError) {
    let descriptor = channel.descriptor
    let token = UInt64(descriptor)
    if interest.isEmpty {
      members.withLock { $0[token] = nil }
      try epoll.remove(descriptor)
    } else if former.isEmpty {
      try epoll.add(descriptor, token: token, interest: interest)
      members.withLock { $0[token] = channel }
    } else {
      try epoll.modify(descriptor, token: token, interest: interest)
    }
  }

  private func run() {
    var events = Epoll.Events(capacity: 64)
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    do throws(SocketError) {
      while true {
        for index in 0..<(try epoll.wait(into: &events, milliseconds: nil)) {
          let event = events[index]
          members.withLock { $0[event.token] }?.becameReady(event.readiness, using: &buffer)
        }
      }
    } catch {
      for channel in members.withLock({ $0.values.map(\.self) }) { channel.close(.connectionFailed(error)) }
    }
  }
}
