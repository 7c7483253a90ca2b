import Foundation
import RouterInterface
import TestSupport
import Testing
import Varlink

/// What the daemon holds for its clients, seen from outside.
@Suite(.blocking) final class DaemonMemoryTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let daemon: SpawnedProgram

  init() throws {
    let directory = try TemporaryDirectory()
    path = directory.appending("router")
    daemon = try SpawnedProgram("scened", ["--socket", path])
    try daemon.errorLine(containing: "Ready.")
    self.directory = directory
  }

  /// The resident set, in MiB.
  private var memory: Int {
    get throws {
      let statistics = try String(contentsOfFile: "/proc/\(daemon.processID)/statm", encoding: .utf8)
      let pages = try #require(Int(statistics.split(separator: " ")[1]))
      return pages * Int(getpagesize()) / (1 << 20)
    }
  }

  /// The queue of the client is never empty: more is under way than the kernel has room for.
  @Test func clientThatAlwaysLeavesSomethingUnreadCostsWhatIsUnread() throws {
    let (client, other) = (try WireClient(path: path), try WireClient(path: path))
    for _ in 0..<100 { try client.send(LargeText.callForDescription) }
    let start = try memory
    // 18 MiB of replies in all.
    for _ in 0..<1200 {
      // Meanwhile the daemon catches up with the other calls.
      try other.call(Wire.GetStatistics())
      _ = try client.message()
      try client.send(LargeText.callForDescription)
    }
    let end = try memory
    #expect(end - start < 8, "from \(start) to \(end) MiB")
  }
}
