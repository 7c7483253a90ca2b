import Glibc
import SystemPackage

extension DesktopPlaces {
  /// Whether there is a program with this absolute path, or with this name in one of the directories ``programs``.
  package func hasProgram(_ name: String) -> Bool {
    if name.contains("/") { return name.hasPrefix("/") && Self.isProgram(name) }
    return !name.isEmpty && programs.contains { Self.isProgram("\($0)/\(name)") }
  }

  private static func isProgram(_ path: String) -> Bool {
    guard let status = try? Stat(FilePath(path)), status.type == .regular else { return false }
    return unsafe access(path, X_OK) == 0
  }
}
