import Foundation
import TestSupport
import Testing

/// One file under two names: what scenes and events say comes together in the router.
@Suite(.blocking) final class FileNamesTests {
  private let router: Router
  private let directory: TemporaryDirectory

  init() throws {
    router = try Router()
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: directory.appending("real/my proj"),
      withIntermediateDirectories: true
    )
    try Data("x".utf8).write(to: URL(filePath: directory.appending("real/my proj/a.txt")))
    try #require(symlink("real", directory.appending("link")) == 0)
    try #require(symlink("link", directory.appending("other")) == 0)
  }

  /// The scene that gets a link to the file or URL.
  private func target(_ file: String) throws -> String? {
    try JSONObject(router.scenectl("explain", "--json", file).output)["sceneId"]
  }

  @Test(
    arguments: [
      ("--showing", "real/my proj/a.txt"), ("--allow", "real/my%20proj/"), ("--prefer", "real/my%20proj"),
    ],
    [("real", "link"), ("link", "real"), ("link", "other"), ("other", "link"), ("real", "other")]
  )
  func fileIsFoundUnderItsOtherName(
    _ said: (option: String, name: String),
    _ names: (scene: String, event: String)
  ) throws {
    // A scene of another name and one of every event come before and after.
    _ = try router.scene("--allow", "file://\(directory.path)/re/")
    let name = directory.appending(said.name.replacing("real", with: names.scene))
    let (id, _) = try router.scene(said.option, name)
    _ = try router.scene("--allow", "*")
    #expect(try target(directory.appending("\(names.event)/my proj/a.txt")) == id)
    #expect(try target("file://\(directory.path)/\(names.event)/my%20proj/a.txt#L3") == id)
  }

  /// `scenectl open --wait` ends although the window names the document by its real path.
  @Test func waitEndsWithTheDocumentUnderItsOtherName() throws {
    let url = "file://\(directory.path)/real/my%20proj/a.txt"
    let adapter = try AdapterProgram(environment: router.environment)
    let scene = #""scene": "w", "application": "A", "allowing": ["*"]"#
    try adapter.say("{\(scene)}")
    _ = try adapter.object("opened")
    let waiting = try router.start("open", "--wait", directory.appending("link/my proj/a.txt"))
    let delivery = try adapter.object("deliver")
    #expect(delivery["path"] == directory.appending("link/my proj/a.txt"))
    try adapter.say(#"{\#(scene), "showing": ["\#(url)"]}"#)
    try adapter.say(#"{"taken": "\#(delivery["deliver"] ?? "")"}"#)
    try adapter.say(#"{"explain": 1, "event": {"url": "x:"}}"#)
    _ = try adapter.object("explained")
    try adapter.say("{\(scene)}")
    #expect(try waiting.waitForEnd() == .exit(0))
  }

  @Test func messageOfAWorktreeComesToItsWindow() throws {
    let git = try TestEnvironment.run("get-command", ["git", "git"])
    func run(_ arguments: String...) throws {
      let settings = ["-C", directory.path, "-c", "user.email=a@example.org", "-c", "user.name=A"]
      #expect(try Router.run(git, settings + arguments, environment: ["HOME": directory.path]).status == 0)
    }
    try run("init", "-q", "main")
    try run("-C", "main", "commit", "-q", "--allow-empty", "-m", "1")
    try run("clone", "-q", "--bare", "main", "bare")
    try run("-C", "main", "worktree", "add", "-q", "../tree", "-b", "t")
    try run("-C", "bare", "worktree", "add", "-q", "../bareTree", "-b", "t")
    let main = try router.scene("--allow", "file://\(directory.path)/main/").id
    let tree = try router.scene("--allow", "file://\(directory.path)/tree/").id
    let bareTree = try router.scene("--allow", directory.path + "/bareTree").id
    for (repository, id) in [("main/.git/worktrees/tree", tree), ("bare/worktrees/bareTree", bareTree)] {
      let message = directory.appending(repository + "/COMMIT_EDITMSG")
      _ = FileManager.default.createFile(atPath: message, contents: nil)
      #expect(try target(message) == id)
    }
    let message = directory.appending("main/.git/COMMIT_EDITMSG")
    #expect(try target(message) == main)
  }
}
