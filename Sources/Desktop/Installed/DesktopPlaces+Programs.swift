import Glibc
import SystemPackage

extension DesktopPlaces {
  /// Whether a program exists: `name` is looked up in the directories of programs, or is an absolute path.
  package func hasProgram(_ name: String) -> Bool {
    if name.contains("/") { return name.hasPrefix("/") && Self.isProgram(name) }
    return !name.isEmpty && programs.contains { Self.isProgram("\($0)/\(name)") }
  }

  private static func isProgram(_ path: String) -> Bool {
    guard let status = try? Stat(FilePath(path)), status.type == .regular else { return false }
    return unsafe access(path, X_OK) == 0
  }
}
