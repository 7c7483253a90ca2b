import CLinux
import Foundation
import UnixSocket

/// The text that a program writes to one of its streams.
struct CapturedStream: ~Copyable {
  private var readingEnd: OwnedDescriptor?
  private var bytes: [UInt8] = []
  private var consumed = 0

  /// Captures the bytes of the pipe that is read at `readingEnd`.
  init(_ readingEnd: consuming OwnedDescriptor) {
    self.readingEnd = consume readingEnd
  }

  /// The descriptor to wait for; -1 once no process can write any more.
  var descriptor: CInt {
    switch readingEnd {
    case .some(let end): end.rawValue
    case nil: -1
    }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Reads the bytes that have been written.
  ///
  /// The caller makes sure that there are bytes or that the stream has ended, because this method would otherwise
  /// block.
  mutating func read() {
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    let count = Foundation.read(descriptor, &buffer, buffer.count)
    bytes += buffer.prefix(max(0, count))
    if count == 0 { readingEnd = nil }
  }

  /// Returns the next whole line that contains `text`.
  ///
  /// This line and the lines before it are not returned again.
  mutating func nextLine(containing text: String) -> String? {
    while let end = bytes[consumed...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: bytes[consumed..<end], as: UTF8.self)
      consumed = end + 1
      if text.isEmpty || line.contains(text) { return line }
    }
    return nil
  }
}
