import DesktopEntries
import Glibc
import SystemPackage

extension DesktopPlaces {
  /// An absolute path, or a name in one of the directories ``programs``.
  package func hasProgram(_ name: String) -> Bool {
    if name.contains("/") { return name.hasPrefix("/") && Self.isProgram(name) }
    return !name.isEmpty && programs.contains { Self.isProgram("\($0)/\(name)") }
  }

  package func hasService(_ name: String) -> Bool {
    services.contains { directory in
      if case .file = FileContents.read("\(directory)/\(name).service") { return true }
      return Self.serviceFiles(in: directory).contains { ServiceFile.name(in: $0) == name }
    }
  }

  /// The names of service files need not be those of the services.
  private static func serviceFiles(in directory: String) -> [[UInt8]] {
    guard let stream = unsafe opendir(directory) else { return [] }
    defer { unsafe closedir(stream) }
    var contents: [[UInt8]] = []
    while let entry = unsafe readdir(stream) {
      guard let name = unsafe EntryDirectory.name(of: entry), name.hasSuffix(".service"),
        case .file(let bytes, _) = FileContents.read("\(directory)/\(name)")
      else { continue }
      contents.append(bytes)
    }
    return contents
  }

  private static func isProgram(_ path: String) -> Bool {
    guard let status = try? Stat(FilePath(path)), status.type == .regular else { return false }
    return unsafe access(path, X_OK) == 0
  }
}
