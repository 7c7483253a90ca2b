import Foundation

/// A temporary directory that is removed, with all files in the directory, when this value is destroyed.
///
/// The path is short, because a socket address has room for only 107 bytes.
package struct TemporaryDirectory: ~Copyable {
  /// The absolute path, without a slash at the end.
  package let path: String

  /// Makes a directory that only this user can enter.
  package init() throws {
    path = try TestRun.makeDirectory(prefix: "\(TestRun.directory)/")
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Returns the path of `name` in the directory.
  ///
  /// No file is made.
  package borrowing func appending(_ name: String) -> String {
    "\(path)/\(name)"
  }

  /// Writes a script for `/bin/sh`, or overwrites the script with the same name, and makes the directories above it.
  ///
  /// A shell writes the script, because a file that is open for writing cannot be executed. If this process wrote the
  /// script, a child process that another test is just starting might hold the file open.
  package borrowing func writeScript(_ name: String, _ lines: String) throws {
    let command = #"mkdir -p "${0%/*}" && printf '#!/bin/sh\n%s\n' "$1" >"$0" && chmod 755 "$0""#
    let (ending, _, error) = try SpawnedProgram.run("/bin/sh", ["-c", command, appending(name), lines])
    guard ending == .exit(0) else { throw Overdue("'\(name)' was not written: \(error)") }
  }
}
