import Foundation

/// The temporary files of this process, and the programs that this process starts.
///
/// When this process has ended, the program `Tests/Environment/clean-up` removes the files and ends the programs. A
/// test that fails, crashes or is interrupted does not clean up after itself.
package enum TestRun {
  /// Whether the long forms of tests run, which `.ci/run` asks for with `SCENED_LONG_CHECKS`.
  package static let isLong = getenv("SCENED_LONG_CHECKS") != nil

  /// The directory for the temporary files of this process and of the programs that it starts.
  ///
  /// A started program has this directory as its `$TMPDIR`. `clean-up` ends all programs that have this `$TMPDIR`.
  static let directory: String = {
    do {
      let directory = try makeDirectory(prefix: "/tmp/scened.")
      // Tests let other users into directories below this one.
      chmod(directory, 0o711)
      let cleaning = Process()
      cleaning.executableURL = URL(filePath: PackageDirectory.appending("Tests/Environment/clean-up"))
      cleaning.arguments = [directory]
      // The kernel closes the writing end of this pipe when this process ends. `clean-up` waits for that.
      cleaning.standardInput = try FileHandle(
        fileDescriptor: SpawnedProgram.makePipe().reading,
        closeOnDealloc: true
      )
      try cleaning.run()
      return directory
    } catch {
      fatalError("There is no directory for temporary files: \(error)")
    }
  }()

  /// Makes a directory that only this user can enter, with a name that begins with `prefix`.
  static func makeDirectory(prefix: String) throws -> String {
    var template = Array("\(prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
    return String(decoding: template.dropLast().map { UInt8($0) }, as: UTF8.self)
  }
}
