import CLinux
import Glibc

/// A set of descriptors, called members, to wait for at once (epoll(7)).
///
/// The set is level-triggered: while a member is ready, every wait reports it.
package struct Epoll: ~Copyable, Sendable {
  package let descriptor: OwnedDescriptor

  /// Not an `OptionSet`, because its generic operations are slow across modules, and this is used for every message.
  package struct Readiness: Equatable, Sendable {
    /// True also at the end of the other end's data, for a listening socket with a connection to accept, and after an
    /// error or the end of both directions, which are reported even to a caller that does not wait for reading.
    package let isReadable: Bool
    package let isWritable: Bool

    package init(isReadable: Bool = false, isWritable: Bool = false) {
      self.isReadable = isReadable
      self.isWritable = isWritable
    }

    fileprivate init(_ bits: UInt32) {
      isReadable = bits & (EPOLLIN.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
      isWritable = bits & EPOLLOUT.rawValue != 0
    }

    fileprivate var bits: UInt32 {
      (isReadable ? EPOLLIN.rawValue | EPOLLRDHUP.rawValue : 0) | (isWritable ? EPOLLOUT.rawValue : 0)
    }

    package var isEmpty: Bool { !isReadable && !isWritable }
  }

  package struct Event: Equatable, Sendable {
    package let token: UInt64
    package let readiness: Readiness

    /// The other end sends nothing more; there may still be data to read.
    package let hasEnded: Bool
  }

  @safe package struct Events: Sendable {
    // `epoll_event` is unsafe because it contains a union, of which this module uses only one member.
    fileprivate var storage: [epoll_event]

    /// `capacity` must be at least 1; if more members are ready, the next `wait` reports the rest.
    package init(capacity: Int) {
      unsafe storage = Array(repeating: epoll_event(), count: capacity)
    }

    package subscript(index: Int) -> Event {
      let bits = unsafe storage[index].events
      return unsafe Event(
        token: storage[index].data.u64,
        readiness: Readiness(bits),
        hasEnded: bits & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue) != 0
      )
    }
  }

  package init() throws(SocketError) {
    descriptor = OwnedDescriptor(try systemCall { epoll_create1(CInt(EPOLL_CLOEXEC)) }.get("epoll_create1"))
  }

  package borrowing func add(_ member: CInt, token: UInt64, interest: Readiness) throws(SocketError) {
    try control(EPOLL_CTL_ADD, member, token: token, interest: interest)
  }

  package borrowing func modify(_ member: CInt, token: UInt64, interest: Readiness) throws(SocketError) {
    try control(EPOLL_CTL_MOD, member, token: token, interest: interest)
  }

  package borrowing func remove(_ member: CInt) throws(SocketError) {
    try control(EPOLL_CTL_DEL, member, token: 0, interest: Readiness())
  }

  private borrowing func control(
    _ operation: CInt,
    _ member: CInt,
    token: UInt64,
    interest: Readiness
  ) throws(SocketError) {
    var event = unsafe epoll_event(events: interest.bits, data: epoll_data_t(u64: token))
    try systemCall { unsafe epoll_ctl(descriptor.rawValue, operation, member, &event) }
      .get("epoll_ctl", about: .descriptor(member))
  }

  /// Returns the number of events; without a time, waits without limit.
  ///
  /// If a signal interrupts the wait, the whole time begins again.
  package borrowing func wait(into events: inout Events, milliseconds: Int?) throws(SocketError) -> Int {
    let timeout = milliseconds.map { CInt(clamping: $0) } ?? -1
    let count = try systemCall {
      unsafe events.storage.withUnsafeMutableBufferPointer { storage in
        unsafe epoll_wait(descriptor.rawValue, storage.baseAddress, CInt(clamping: storage.count), timeout)
      }
    }.get("epoll_wait", about: .descriptor(descriptor.rawValue))
    return Int(count)
  }
}
