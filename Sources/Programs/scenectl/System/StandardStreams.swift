import Glibc
import SystemPackage

/// Standard input and output, in blocking or nonblocking mode, as the parent process has set it.
enum StandardStreams {
  /// 64 KiB, the capacity of a pipe (pipe(7)).
  static var buffer: [UInt8] { [UInt8](repeating: 0, count: 64 << 10) }

  /// Returns the number of bytes; 0 at the end of the input.
  static func read(into buffer: inout [UInt8]) throws -> Int {
    try whenReady(STDIN_FILENO, POLLIN) {
      try unsafe buffer.withUnsafeMutableBytes { try unsafe FileDescriptor.standardInput.read(into: $0) }
    }
  }

  static func writeAll(_ bytes: Span<UInt8>) throws {
    var sent = 0
    while sent < bytes.count {
      sent += try whenReady(STDOUT_FILENO, POLLOUT) {
        try unsafe bytes.extracting(sent...).withUnsafeBytes {
          try unsafe FileDescriptor.standardOutput.write($0)
        }
      }
    }
  }

  /// Waits until either can be read; true if only standard input can.
  static func isNext(before descriptor: CInt) -> Bool {
    var ready = [STDIN_FILENO, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = unsafe poll(&ready, nfds_t(ready.count), -1)
    return ready[1].revents == 0
  }

  private static func whenReady(_ descriptor: CInt, _ events: Int32, _ call: () throws -> Int) throws -> Int {
    while true {
      do {
        return try call()
      } catch Errno.wouldBlock {
        var ready = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        _ = unsafe poll(&ready, 1, -1)
      }
    }
  }
}
