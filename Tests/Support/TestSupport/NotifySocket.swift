import Glibc
import UnixSocket

/// A socket like systemd's, to which a service sends its state with sd_notify(3).
package struct NotifySocket: ~Copyable {
  private let directory: TemporaryDirectory
  private let descriptor: OwnedDescriptor

  /// The value for `$NOTIFY_SOCKET`.
  package var path: String { Self.path(in: directory) }

  /// Makes the socket.
  ///
  /// Messages wait in the socket until the test reads them.
  package init() throws {
    let directory = try TemporaryDirectory()
    let path = Self.path(in: directory)
    let descriptor = OwnedDescriptor(socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    try bind(descriptor.rawValue, toName: path)
    self.directory = directory
    self.descriptor = descriptor
  }

  private static func path(in directory: borrowing TemporaryDirectory) -> String {
    directory.appending("notify")
  }

  /// Returns the assignments of the next message, such as `READY=1`, in the order in which they were sent.
  ///
  /// - Throws: `Overdue` if no message arrives.
  package borrowing func nextMessage(by deadline: Deadline = Deadline()) throws -> [String] {
    var ready = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, CInt(deadline.millisecondsLeft)) == 1 else { throw Overdue("No message was sent.") }
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    let count = recv(descriptor.rawValue, &bytes, bytes.count, 0)
    return bytes.prefix(max(0, count)).split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Skips messages until a message has `assignment`.
  ///
  /// - Returns: The assignments of that message.
  /// - Throws: `Overdue` if no such message arrives.
  @discardableResult
  package borrowing func message(with assignment: String, by deadline: Deadline = Deadline()) throws
    -> [String]
  {
    var seen: [[String]] = []
    while true {
      guard let message = try? nextMessage(by: deadline) else {
        throw Overdue("\(assignment) was not sent, only \(seen).")
      }
      if message.contains(assignment) { return message }
      seen.append(message)
    }
  }

  /// Sends messages to this socket until there is no room.
  ///
  /// The next sender then has to wait.
  package borrowing func fill() throws {
    let sender = OwnedDescriptor(
      socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    )
    try connect(sender.rawValue, toName: path)
    while send(sender.rawValue, "FILLER=1", 8, 0) == 8 {}
    guard errno == EAGAIN else {
      throw Overdue("It could not be filled: \(String(cString: strerror(errno))).")
    }
  }
}
