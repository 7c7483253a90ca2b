import Foundation
import Testing

/// The scripts in `Tests/Environment`, which provide the world around a test: a real systemd, a bus, another Varlink.
package enum TestEnvironment {
  /// Runs the script `name`.
  ///
  /// Cancels the running test, with the script's reason, if the script cannot do its work on this machine.
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

  /// Starts the script `name`, which keeps running because it runs a program of its own.
  package static func start(_ name: String, _ arguments: [String]) throws -> SpawnedProgram {
    try SpawnedProgram(path(of: name), arguments, environment: environment)
  }

  /// The path of the script `name`.
  package static func path(of name: String) -> String {
    PackageDirectory.appending("Tests/Environment/\(name)")
  }

  /// All of this process's environment, as it may say how this machine reaches the world.
  private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
