import CProcess
import Glibc

/// Starts programs as children of this process.
enum ChildProcess {
  /// Starts a program in its own session.
  ///
  /// - Parameters:
  ///   - path: The path of the program.
  ///   - arguments: The program's arguments, beginning with the program's name; no argument contains a NUL.
  ///   - environment: The program's whole environment.
  ///   - directory: The program's working directory; nil for the working directory of this process.
  /// - Returns: The process, and a descriptor. The descriptor becomes readable at the end of the process. The caller
  ///   reaps the process and closes the descriptor.
  static func start(
    _ path: String,
    _ arguments: [[UInt8]],
    environment: LaunchEnvironment,
    directory: String?
  ) -> Result<(process: pid_t, descriptor: CInt), LaunchFailure> {
    var step = SCENED_START_PROCESS
    let process = unsafe withPointers(to: arguments) { arguments in
      unsafe withPointers(to: environment.assignments.map { Array($0.utf8) }) { environment in
        unsafe scened_start_program(path, arguments, environment, directory, &step)
      }
    }
    guard process > 0 else {
      switch step {
      case SCENED_START_DIRECTORY: return .failure(.noWorkingDirectory(program: path, path: directory ?? ""))
      default: return .failure(.notExecuted(path: path, reason: unsafe String(cString: strerror(-process))))
      }
    }
    let descriptor = scened_open_process(process)
    guard descriptor >= 0 else {
      // The child is killed, because without a descriptor this process would not notice the child's end.
      kill(process, SIGKILL)
      _ = ending(of: process, waits: true)
      return .failure(.notExecuted(path: path, reason: unsafe String(cString: strerror(-descriptor))))
    }
    return .success((process, descriptor))
  }

  /// Reaps an ended child and returns how the child ended.
  ///
  /// For a running child, the result is nil. With `waits`, the function first waits for the end of the child.
  static func ending(of process: pid_t, waits: Bool = false) -> Ending? {
    var status: CInt = 0
    while true {
      let ended = unsafe waitpid(process, &status, waits ? 0 : WNOHANG)
      if ended == process { break }
      if ended == 0 || errno != EINTR { return nil }
    }
    // wait(2) describes how `status` is encoded. Swift cannot import the C macros that decode it.
    return status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }

  enum Ending {
    case exit(Int32)
    case signal(Int32)

    /// Why the program at a path has failed; nil after a success.
    func failure(of path: String) -> LaunchFailure? {
      switch self {
      case .exit(0): nil
      case .exit(let status): .exited(program: path, status: status)
      case .signal(let signal): .killed(program: path, signal: signal)
      }
    }
  }

  private static func withPointers<Value>(
    to texts: [[UInt8]],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
  ) -> Value {
    let pointers = unsafe texts.map { text in
      let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: text.count + 1)
      for (index, byte) in text.enumerated() { unsafe pointer[index] = CChar(bitPattern: byte) }
      unsafe pointer[text.count] = 0
      return unsafe UnsafeMutablePointer?(pointer)
    }
    defer { unsafe pointers.forEach { unsafe $0?.deallocate() } }
    return unsafe body(pointers + [nil])
  }
}
