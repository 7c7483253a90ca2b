import CLinux
import Glibc

/// A set of descriptors, called members; a caller waits for all of them at once (epoll(7)).
///
/// The set is level-triggered: while a member is ready, every wait reports it.
package struct Epoll: ~Copyable, Sendable {
  /// The descriptor of the set, readable while a member is ready.
  package let descriptor: OwnedDescriptor

  /// A selection of operations that a caller waits for, or that a member is ready for.
  ///
  /// This type is used for every message. It is not an `OptionSet`, because the generic operations of an option set are
  /// slow across modules.
  package struct Readiness: Equatable, Sendable {
    /// Whether reading from the member would not block.
    ///
    /// This is true in each of these cases:
    /// - The other end has sent data.
    /// - The other end will send nothing more.
    /// - The member is a listening socket, and a process has connected to it.
    /// - The member has an error, or the connection has ended in both directions. The set reports these two states even
    ///   to a caller that does not wait for reading.
    package let isReadable: Bool

    /// Whether there is room to write.
    package let isWritable: Bool

    /// Makes a readiness for the given operations; for no operation by default.
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

    /// Whether no operation is selected.
    package var isEmpty: Bool { !isReadable && !isWritable }
  }

  /// A member that is ready.
  package struct Event: Equatable, Sendable {
    /// The member's token, as the last call of `add` or `modify` set it.
    package let token: UInt64

    /// The operations that the member is ready for.
    package let readiness: Readiness

    /// Whether the other end sends nothing more; there may still be data to read.
    package let hasEnded: Bool
  }

  /// Reusable room for the events of one `wait`.
  @safe package struct Events: Sendable {
    // `epoll_event` is an unsafe type because it contains a union. `Events` is safe nevertheless, because this module
    // uses only one member of the union.
    fileprivate var storage: [epoll_event]

    /// Makes room for `capacity` events; `capacity` must be at least 1.
    ///
    /// If more members are ready than fit, the next `wait` reports the rest.
    package init(capacity: Int) {
      unsafe storage = Array(repeating: epoll_event(), count: capacity)
    }

    /// The event at `index`.
    ///
    /// `index` must be less than the count that `wait` returned.
    package subscript(index: Int) -> Event {
      let bits = unsafe storage[index].events
      return unsafe Event(
        token: storage[index].data.u64,
        readiness: Readiness(bits),
        hasEnded: bits & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue) != 0
      )
    }
  }

  /// Makes an empty set.
  package init() throws(SocketError) {
    descriptor = OwnedDescriptor(try systemCall { epoll_create1(CInt(EPOLL_CLOEXEC)) }.get("epoll_create1"))
  }

  /// Adds the open descriptor `member`.
  ///
  /// The set waits for the operations of `interest`, and reports `member` with `token`.
  package borrowing func add(_ member: CInt, token: UInt64, interest: Readiness) throws(SocketError) {
    try control(EPOLL_CTL_ADD, member, token: token, interest: interest)
  }

  /// Changes the operations that the set waits for on `member`, and the token of `member`.
  package borrowing func modify(_ member: CInt, token: UInt64, interest: Readiness) throws(SocketError) {
    try control(EPOLL_CTL_MOD, member, token: token, interest: interest)
  }

  /// Removes `member` from the set.
  ///
  /// Closing the last descriptor of the member's open file removes the member too.
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
  ///   - events: Receives the events.
  ///   - milliseconds: The longest time to wait: 0 does not wait, nil waits without limit. If a signal interrupts the
  ///     wait, the whole time begins again.
  /// - Returns: The number of events, which begin at index 0; 0 if the time has passed.
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
