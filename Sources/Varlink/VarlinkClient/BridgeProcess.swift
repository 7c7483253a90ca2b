import CProcess
import Dispatch
import Glibc
import Synchronization
import UnixSocket
import Varlink

/// A program, such as ssh, whose standard input and output are one end of a connection.
///
/// A thread starts the program and waits until the program ends. When this process ends, the program gets SIGTERM.
final class BridgeProcess: Sendable {
  /// The most bytes that are read from the end of the program's standard error: 2 KiB.
  ///
  /// These bytes become part of the error that says why the program ended.
  private static let messageLimit = 2 << 10

  /// The name of the program.
  let name: String
  /// The identifier of the running process; nil before the start and after the end.
  private let process = Mutex<pid_t?>(nil)
  private let ending: AsyncStream<String>

  /// Starts `command` with `stream` as its standard input and output.
  ///
  /// The first string is the program, which is searched in `$PATH`. The other strings are the program's arguments.
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

  /// Returns the reason why the first call over the connection failed with `error`, and stops the program.
  ///
  /// If the connection has ended, the method first waits until the program ends or the task is cancelled. If the
  /// program ends, the way in which it ended is the reason. If the task is cancelled, the result is `cancelled`.
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
    // Closes this process's copy of the program's descriptor, so that the connection ends with the program.
    _ = consume stream
    guard started > 0 else {
      let reason = unsafe String(cString: strerror(-started))
      return "\(name) cannot be started: \(reason)."
    }
    let file = OwnedDescriptor(messages)
    // waitid(2) waits for the end of the program, but does not free the program's identifier. waitpid(2) then frees the
    // identifier under the lock. So `terminate` cannot signal a new process that gets the same identifier.
    var information = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(started), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    var status: CInt = 0
    process.withLock { process in
      while unsafe waitpid(started, &status, 0) == -1, errno == EINTR {}
      process = nil
    }
    // Swift cannot import the macros of wait(2) that decode a status, so these lines decode it.
    let signal = status & 0x7F
    let end = signal == 0 ? "ended with status \(status >> 8 & 0xFF)" : "was ended by signal \(signal)"
    let sentence = "\(name) \(end)" + Self.text(in: file)
    return sentence.hasSuffix(".") || sentence.hasSuffix("?") ? sentence : sentence + "."
  }

  /// Returns the end of a file as one line, at most ``messageLimit`` bytes of the file.
  ///
  /// The lines of the file are joined, each after a colon: `: first line: second line`.
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
  /// Calls `body` with the strings in the form that execvp(3) takes.
  fileprivate func withCStrings<Value>(
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
  ) -> Value {
    let pointers = unsafe map { unsafe strdup($0) }
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe body(pointers + [nil])
  }
}
