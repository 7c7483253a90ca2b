import Foundation
import Testing

/// The scripts in `Tests/Environment` that provide what the tests need of the world: a real systemd, its tools, another Varlink.
package enum Rig {
  /// Runs the rig `name`.
  ///
  /// Cancels the running test, with the rig's reason, if the rig cannot do its work on this machine.
  ///
  /// - Parameters:
  ///   - name: the script, such as `get-varlinkctl`.
  ///   - arguments: its arguments.
  /// - Returns: what it printed, without the newline at its end.
  /// - Throws: `Overdue` if it fails in any other way, or has not ended in an hour.
  @discardableResult
  package static func run(_ name: String, _ arguments: [String] = []) throws -> String {
    let (ending, output, error) = try SpawnedProgram.run(
      path(of: name),
      arguments,
      environment: environment,
      by: Deadline(in: .seconds(3600))
    )
    switch ending {
    case .exit(0): return output.trimmingCharacters(in: .newlines)
    case .exit(77): try Test.cancel("\(error.trimmingCharacters(in: .newlines))")
    default: throw Overdue("\(name) \(arguments) ended with \(ending): \(error)")
    }
  }

  /// Starts the rig `name`, for those that run a program of their own.
  package static func start(_ name: String, _ arguments: [String]) throws -> SpawnedProgram {
    try SpawnedProgram(path(of: name), arguments, environment: environment)
  }

  /// The path of the script `name`.
  package static func path(of name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Environment/\(name)").standardized.path
  }

  /// All of this process's environment, as it may say how this machine reaches the world.
  private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
