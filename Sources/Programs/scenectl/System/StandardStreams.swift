import Glibc
import SystemPackage

/// Standard input and output, in blocking or nonblocking mode, as the parent process has set it, or a socket in their
/// place.
enum StandardStreams {
  /// 64 KiB, the capacity of a pipe (pipe(7)).
  static var buffer: [UInt8] { [UInt8](repeating: 0, count: 64 << 10) }

  /// Returns the number of bytes; 0 at the end of the input.
  static func read(into buffer: inout [UInt8], from input: FileDescriptor = .standardInput) throws -> Int {
    try whenReady(input.rawValue, POLLIN) {
      try unsafe buffer.withUnsafeMutableBytes { try unsafe input.read(into: $0) }
    }
  }

  static func writeAll(_ bytes: Span<UInt8>, to output: FileDescriptor = .standardOutput) throws {
    var sent = 0
    while sent < bytes.count {
      sent += try whenReady(output.rawValue, POLLOUT) {
        try unsafe bytes.extracting(sent...).withUnsafeBytes { try unsafe output.write($0) }
      }
    }
  }

  /// Waits until either can be read; true if only `input` can.
  static func isNext(_ input: FileDescriptor, before descriptor: CInt) -> Bool {
    var ready = [input.rawValue, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
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
