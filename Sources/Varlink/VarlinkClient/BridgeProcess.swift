import CProcess
import Dispatch
import Glibc
import Synchronization
import UnixSocket
import Varlink

/// A program, such as ssh, whose standard input and output are one end of a connection.
///
/// A thread starts the program and waits for its end. When this process ends, the program gets SIGTERM.
final class BridgeProcess: Sendable {
  private static let messageLimit = 2 << 10
  let name: String
  private let process = Mutex<pid_t?>(nil)
  private let ending: AsyncStream<String>

  init(_ command: [String], at stream: consuming StreamSocket) throws(SocketError) {
    name = command.first ?? ""
    let continuation: AsyncStream<String>.Continuation
    (ending, continuation) = AsyncStream.makeStream()
    let descriptor = try stream.releaseWaiting().release()
    DispatchQueue(label: "io.scened.bridge").async { [self] in
      continuation.yield(run(command, at: OwnedDescriptor(descriptor)))
      continuation.finish()
    }
  }

  /// Returns why the first call over the connection failed with `error`, and stops the program.
  ///
  /// If the connection has ended, waits for the end of the program, which is then the reason; `cancelled` if the task
  /// is cancelled.
  func reason(for error: VarlinkClientError) async -> VarlinkClientError {
    defer { terminate() }
    switch error {
    case .closedByService, .connectionFailed:
      for await sentence in ending { return .noBridge(sentence) }
      return .cancelled
    case .protocolViolation(.strayText(let text)):
      return .noBridge(
        "\(name) began with '\(text)' instead of an answer; a shell's profile there has to be silent."
      )
    default: return error
    }
  }

  private func terminate() {
    process.withLock { process in if let process { kill(process, SIGTERM) } }
  }

  private func run(_ command: [String], at stream: consuming OwnedDescriptor) -> String {
    var messages: CInt = -1
    let started = process.withLock { process in
      let result = unsafe command.withCStrings {
        unsafe scened_start_companion($0, stream.rawValue, &messages)
      }
      process = result > 0 ? result : nil
      return result
    }
    // Closes this process's copy, so that the connection ends with the program.
    _ = consume stream
    guard started > 0 else {
      let reason = unsafe String(cString: strerror(-started))
      return "\(name) cannot be started: \(reason)."
    }
    let file = OwnedDescriptor(messages)
    // waitid(2) leaves the program's identifier in use, and waitpid(2) frees it under the lock. So `terminate` cannot
    // signal a new process with the same identifier.
    var information = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(started), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    var status: CInt = 0
    process.withLock { process in
      while unsafe waitpid(started, &status, 0) == -1, errno == EINTR {}
      process = nil
    }
    let signal = status & 0x7F
    let end = signal == 0 ? "ended with status \(status >> 8 & 0xFF)" : "was ended by signal \(signal)"
    let sentence = "\(name) \(end)" + Self.text(in: file)
    return sentence.hasSuffix(".") || sentence.hasSuffix("?") ? sentence : sentence + "."
  }

  private static func text(in file: borrowing OwnedDescriptor) -> String {
    var bytes = [UInt8](repeating: 0, count: messageLimit)
    let start = max(0, lseek(file.rawValue, 0, SEEK_END) - off_t(messageLimit))
    let count = unsafe pread(file.rawValue, &bytes, messageLimit, start)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
      .split(whereSeparator: \.isNewline)
      .reduce(into: "") { text, line in text += ": " + line }
  }
}

extension [String] {
  /// As execve(2) takes them, with a null pointer at the end.
  package func withCStrings<Value>(
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
  ) -> Value {
    let pointers = unsafe map { unsafe strdup($0) }
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe body(pointers + [nil])
  }
}
