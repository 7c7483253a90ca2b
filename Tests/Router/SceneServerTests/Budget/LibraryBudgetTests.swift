import Foundation
import RouterInterface
import TestSupport
import Testing

@Suite struct LibraryBudgetTests {
  @Test func daemonUsesNoOtherLibraries() throws {
    let manager = try NotifySocket()
    let daemon = try MeasuredDaemon(environment: ["NOTIFY_SOCKET": manager.path])
    // An event makes the daemon load the libraries that are loaded on first use.
    try manager.message(with: "READY=1")
    try daemon.play(.deliveredEvent)
    let libraries = try Self.libraries(of: daemon.program.processID)
    #expect(libraries.contains("libc"))
    #expect(libraries.subtracting(Budget.libraries) == [])
  }

  /// Returns the names of the shared objects in a process, without version.
  private static func libraries(of process: CInt) throws -> Set<String> {
    let maps = try #require(FileHandle(forReadingAtPath: "/proc/\(process)/maps"))
    let text = String(decoding: try maps.readToEnd() ?? Data(), as: UTF8.self)
    return Set(
      text.split(separator: "\n").compactMap { line in
        guard let file = line.lastIndex(of: "/"), let end = line[file...].firstRange(of: ".so") else {
          return nil
        }
        return String(line[line.index(after: file)..<end.lowerBound])
      }
    )
  }
}
