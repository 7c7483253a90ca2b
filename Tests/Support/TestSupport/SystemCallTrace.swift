import Foundation

/// A trace of the system calls of a running process, including all its threads, made with strace(1).
package struct SystemCallTrace: ~Copyable {
  private let directory: TemporaryDirectory
  private let tracer: SpawnedProgram

  private static func file(in directory: borrowing TemporaryDirectory) -> String {
    directory.appending("calls")
  }

  /// Starts the trace.
  ///
  /// The trace has every call that the process makes after this initializer has returned.
  ///
  /// - Parameters:
  ///   - process: The identifier of the process.
  ///   - strace: The path of the program.
  ///   - options: The options that select the output; by default, every call is on a line of its own.
  /// - Throws: `Overdue` with the message of strace, if strace is not allowed to trace the process.
  package init(of process: CInt, by strace: String, options: [String] = []) throws {
    let directory = try TemporaryDirectory()
    let arguments = ["-f", "-o", Self.file(in: directory)] + options + ["-p", "\(process)"]
    let tracer = try SpawnedProgram(strace, arguments)
    try tracer.errorLine(containing: "attached")
    self.directory = directory
    self.tracer = tracer
  }

  /// Ends the trace and detaches from the process.
  ///
  /// - Returns: The lines of the trace.
  package consuming func end() throws -> [String] {
    tracer.send(signal: SIGINT)
    try tracer.waitForEnd()
    let output = try Data(contentsOf: URL(filePath: Self.file(in: directory)))
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map { String($0) }
  }
}
