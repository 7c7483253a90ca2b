import Foundation

/// What strace(1) writes down of a process that runs already, all its threads included.
package struct SystemCallTrace: ~Copyable {
  private let directory: TemporaryDirectory
  private let tracer: SpawnedProgram

  private static func file(in directory: borrowing TemporaryDirectory) -> String {
    directory.appending("calls")
  }

  /// Begins; from here on no call is missed.
  ///
  /// - Parameters:
  ///   - process: the identifier of the process.
  ///   - strace: the path of the program.
  ///   - options: what to write down, if not every call on a line of its own.
  /// - Throws: `Overdue`, with what strace says, if it may not trace the process.
  package init(of process: CInt, by strace: String, options: [String] = []) throws {
    let directory = try TemporaryDirectory()
    let arguments = ["-f", "-o", Self.file(in: directory)] + options + ["-p", "\(process)"]
    let tracer = try SpawnedProgram(strace, arguments)
    try tracer.errorLine(containing: "attached")
    self.directory = directory
    self.tracer = tracer
  }

  /// Ends, and lets go of the process.
  ///
  /// - Returns: the lines that were written.
  package consuming func end() throws -> [String] {
    tracer.send(signal: SIGINT)
    try tracer.waitForEnd()
    let output = try Data(contentsOf: URL(filePath: Self.file(in: directory)))
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map { String($0) }
  }
}
