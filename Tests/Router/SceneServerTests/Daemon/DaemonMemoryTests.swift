import Foundation
import RouterInterface
import TestSupport
import Testing
import Varlink

/// The memory that the daemon holds for its clients, as the kernel reports it.
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

  /// The resident set size, in MiB.
  private var memory: Int {
    get throws {
      let statistics = try String(contentsOfFile: "/proc/\(daemon.processID)/statm", encoding: .utf8)
      let pages = try #require(Int(statistics.split(separator: " ")[1]))
      return pages * Int(getpagesize()) / (1 << 20)
    }
  }

  /// The client's queue in the daemon is never empty, because the unread replies do not fit into the kernel's buffers.
  @Test func clientThatAlwaysLeavesSomethingUnreadCostsWhatIsUnread() throws {
    let (client, other) = (try WireClient(path: path), try WireClient(path: path))
    for _ in 0..<100 { try client.send(LargeText.callForDescription) }
    let start = try memory
    // If the daemon kept all replies of this loop, its memory would grow by about 16 MiB.
    for _ in 0..<800 {
      // While `other` waits for its reply, the daemon carries out the calls of `client`.
      try other.call(Wire.GetStatisticsCall())
      _ = try client.message()
      try client.send(LargeText.callForDescription)
    }
    let end = try memory
    #expect(end - start < 8, "from \(start) to \(end) MiB")
  }

  @Test func activityThatIsReplacedIsHeldNoLonger() throws {
    let (scene, calls) = (try WireClient(path: path), try WireClient(path: path))
    let context = SceneContext(applicationID: "app")
    guard case .opened(let opened) = try scene.call(Wire.OpenSceneCall(context: context), .more) else {
      throw Overdue("The scene was not opened.")
    }
    let userInfo = UserInfo(bytes: Array(#"{"a":"\#(String(repeating: "x", count: 60_000))"}"#.utf8))
    let activity = Activity(activityType: "t", userInfo: userInfo, statedEligibility: true)
    func set() throws {
      try calls.call(Wire.SetActivityCall(sceneHandle: opened.sceneHandle, activity: activity))
      #expect(try calls.call(Wire.TakeActivityCall(sceneID: opened.sceneID)).activity == activity)
      _ = try scene.message()
    }
    for _ in 0..<10 { try set() }
    let start = try memory
    // If the daemon kept all activities of this loop, its memory would grow by about 18 MB.
    for _ in 0..<300 { try set() }
    let end = try memory
    #expect(end - start < 8, "from \(start) to \(end) MiB")
  }
}
