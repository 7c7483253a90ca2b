import Foundation

/// An empty directory, removed with everything in it at the end of its life.
///
/// Its path is short, as a socket address has room for 107 bytes only.
package struct TemporaryDirectory: ~Copyable {
  /// The absolute path, without a slash at its end.
  package let path: String

  /// Makes a directory that only this user can enter.
  package init() throws {
    path = try TestRun.makeDirectory(prefix: "\(TestRun.directory)/")
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of `name` in the directory; nothing is made.
  package borrowing func appending(_ name: String) -> String {
    "\(path)/\(name)"
  }

  /// Writes a program for `/bin/sh`, or another one of the same name anew.
  ///
  /// Another process writes it: a file that this one has open for writing cannot be executed, until programs that other
  /// tests start at that moment have become what they are to be.
  package borrowing func writeScript(_ name: String, _ lines: String) throws {
    let command = #"printf '#!/bin/sh\n%s\n' "$1" >"$0" && chmod 755 "$0""#
    let (ending, _, error) = try SpawnedProgram.run("/bin/sh", ["-c", command, appending(name), lines])
    guard ending == .exit(0) else { throw Overdue("'\(name)' was not written: \(error)") }
  }
}
