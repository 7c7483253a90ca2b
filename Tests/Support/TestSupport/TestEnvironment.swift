import Foundation
import Testing

/// The scripts in `Tests/Environment`, which provide what a test needs: a real systemd, a bus, another Varlink library.
package enum TestEnvironment {
  /// Runs the script `name`.
  ///
  /// Cancels the running test, with the script's reason, if the script cannot do its work on this machine.
  ///
  /// - Parameters:
  ///   - name: The script, such as `get-varlinkctl`.
  ///   - arguments: The arguments of the script.
  /// - Returns: The output of the script without its last newline.
  /// - Throws: `Overdue` if the script fails for another reason, or has not ended within an hour.
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

  /// Starts the script `name`, and does not wait until the script ends.
  package static func start(_ name: String, _ arguments: [String]) throws -> SpawnedProgram {
    try SpawnedProgram(path(of: name), arguments, environment: environment)
  }

  /// Returns the path of the script `name`.
  package static func path(of name: String) -> String {
    PackageDirectory.appending("Tests/Environment/\(name)")
  }

  /// The whole environment of this process, which may hold the proxy settings of the machine.
  private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
