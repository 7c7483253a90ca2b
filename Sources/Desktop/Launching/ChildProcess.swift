import CProcess
import Glibc

enum ChildProcess {
  /// Starts a program in its own session; no argument contains a NUL.
  ///
  /// The descriptor becomes readable at the end of the process. The caller reaps the process and closes the descriptor.
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
      // Without a descriptor this process would not notice the child's end.
      kill(process, SIGKILL)
      _ = ending(of: process, waits: true)
      return .failure(.notExecuted(path: path, reason: unsafe String(cString: strerror(-descriptor))))
    }
    return .success((process, descriptor))
  }

  /// Reaps an ended child; nil for a running child, for whose end the function can wait.
  static func ending(of process: pid_t, waits: Bool = false) -> Ending? {
    var status: CInt = 0
    while true {
      let ended = unsafe waitpid(process, &status, waits ? 0 : WNOHANG)
      if ended == process { break }
      if ended == 0 || errno != EINTR { return nil }
    }
    // Encoded as in wait(2); Swift cannot import the C macros that decode it.
    return status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }

  enum Ending {
    case exit(Int32)
    case signal(Int32)

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
