import CLinux
import Glibc

/// A set of descriptors that are waited on together (epoll(7)), level-triggered.
package struct Epoll: ~Copyable, Sendable {
  /// The descriptor of the set, which is itself readable when one of its members is ready.
  package let descriptor: OwnedDescriptor

  /// What a member is waited on for, or is ready for.
  ///
  /// No `OptionSet`, whose generic operations are slow between modules: this is used for every message.
  package struct Readiness: Equatable, Sendable {
    /// There is something to read or to accept, or nothing more will come.
    ///
    /// Also reported without being asked for if the member has an error or both of its directions have ended.
    package let isReadable: Bool

    /// There is room to write.
    package let isWritable: Bool

    /// Makes a readiness for what is given, and for nothing by default.
    package init(isReadable: Bool = false, isWritable: Bool = false) {
      self.isReadable = isReadable
      self.isWritable = isWritable
    }

    fileprivate init(_ bits: UInt32) {
      isReadable = bits & (EPOLLIN.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
      isWritable = bits & EPOLLOUT.rawValue != 0
    }

    fileprivate var bits: UInt32 {
      (isReadable ? EPOLLIN.rawValue : 0) | (isWritable ? EPOLLOUT.rawValue : 0)
    }

    /// Whether it is for nothing.
    package var isEmpty: Bool { !isReadable && !isWritable }
  }

  /// One member that is ready.
  package struct Event: Equatable, Sendable {
    /// The number that the member was added with.
    package let token: UInt64

    /// What it is ready for.
    package let readiness: Readiness
  }

  /// Room for the events of one `wait`, to be used again and again.
  @safe package struct Events: Sendable {
    // Unsafe because epoll_event has a union, of which this module writes and reads one member only.
    fileprivate var storage: [epoll_event]

    /// Room for `capacity` events, at least 1; members that are ready beyond it are reported by the next `wait`.
    package init(capacity: Int) {
      unsafe storage = Array(repeating: epoll_event(), count: capacity)
    }

    /// The event at `index`, below the count that `wait` answered.
    package subscript(index: Int) -> Event {
      unsafe Event(token: storage[index].data.u64, readiness: Readiness(storage[index].events))
    }
  }

  /// An empty set.
  package init() throws(SocketError) {
    descriptor = OwnedDescriptor(try systemCall { epoll_create1(CInt(EPOLL_CLOEXEC)) }.get("epoll_create1"))
  }

  /// Adds the open descriptor `member`, to be waited on for `interest` and reported as `token`.
  package borrowing func add(_ member: CInt, token: UInt64, interest: Readiness) throws(SocketError) {
    try control(EPOLL_CTL_ADD, member, token: token, interest: interest)
  }

  /// Changes what `member` is waited on for, and how it is reported.
  package borrowing func modify(_ member: CInt, token: UInt64, interest: Readiness) throws(SocketError) {
    try control(EPOLL_CTL_MOD, member, token: token, interest: interest)
  }

  /// Takes `member` out of the set, as closing its last descriptor does.
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

  /// Waits until a member is ready.
  ///
  /// - Parameters:
  ///   - events: receives what is ready.
  ///   - milliseconds: how long to wait at most: not at all if 0, without end if nil. A signal restarts the time.
  /// - Returns: how many events there are, from index 0; 0 if the time is over.
  /// - Throws: `SocketError` if the set can no longer be used.
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
