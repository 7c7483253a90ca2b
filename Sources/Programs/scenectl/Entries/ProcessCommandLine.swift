import DesktopEntries
import Glibc
import Installed
import SystemPackage

enum ProcessCommandLine {
  /// The value of the key `Exec`, without the escapes of a desktop entry.
  ///
  /// The program and the arguments that are files get absolute paths, because a desktop starts programs in another
  /// directory. Nil for an ended process, another user's, and arguments that are not UTF-8.
  static func execLine(ofProcess id: Int64) -> String? {
    guard case .file(let bytes, _) = FileContents.read("/proc/\(id)/cmdline"), bytes.last == 0,
      let directory = Host.canonicalPath(FilePath("/proc/\(id)/cwd"))
    else { return nil }
    let words = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
      .compactMap { String(validating: $0, as: UTF8.self) }
    guard words.count == bytes.count(where: { $0 == 0 }),
      let program = program(words[0], ofProcess: id, in: directory)
    else { return nil }
    let arguments = words.dropFirst().map { word in
      let path = directory.pushing(FilePath(word))
      return !word.hasPrefix("-") && Host.isRegularFile(path) ? path.lexicallyNormalized().string : word
    }
    return ([program] + arguments).map(ExecLine.quoted).joined(separator: " ")
  }

  /// `word` itself if it is the name of a program in `$PATH`.
  private static func program(_ word: String, ofProcess id: Int64, in directory: FilePath) -> String? {
    if word.contains("/") {
      let path = directory.pushing(FilePath(word))
      if Host.refusal(of: X_OK, path) == nil { return path.lexicallyNormalized().string }
    } else if DesktopPlaces(environment: DesktopPlaces.processEnvironment).hasProgram(word) {
      return word
    }
    return Host.canonicalPath(FilePath("/proc/\(id)/exe"))?.string
  }
}
