import Glibc
import SystemPackage

extension DesktopPlaces {
  /// Whether there is a program: a name in one of the directories of programs, or an absolute path.
  package func hasProgram(_ name: String) -> Bool {
    if name.contains("/") { return name.hasPrefix("/") && Self.isProgram(name) }
    return !name.isEmpty && programs.contains { Self.isProgram("\($0)/\(name)") }
  }

  private static func isProgram(_ path: String) -> Bool {
    guard let status = try? Stat(FilePath(path)), status.type == .regular else { return false }
    return unsafe access(path, X_OK) == 0
  }
}
