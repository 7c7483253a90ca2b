import Foundation
import ScriptedService
import TestSupport
import Testing
import UnixSocket
import VarlinkClient

@testable import SceneClient

/// The further names of files: what an event and a registration say beside what the program has said.
@Suite(.blocking) final class FileNamesTests {
  private let directory: TemporaryDirectory
  /// The path of the directory, without symbolic links.
  private let root: String

  init() throws {
    directory = try TemporaryDirectory()
    root = try #require(realpath(directory.path, nil).map { String(cString: $0) })
    try make("real/proj/a.txt")
    try link("link", to: "real")
  }

  private func make(_ file: String, _ text: String = "x") throws {
    let url = URL(filePath: "\(root)/\(file)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: url)
  }

  private func link(_ name: String, to target: String) throws {
    try #require(symlink(target, "\(root)/\(name)") == 0)
  }

  /// Returns the URL that an event for a file has beside its own; `ROOT` stands for the directory of the test.
  private func resolved(_ url: String) -> String? {
    Event(url: filled(url)).resolved.resolvedURL.map(shortened)
  }

  private func names(
    showing: [String] = [],
    preferring: [String] = [],
    allowing: [String] = []
  ) -> [String] {
    let registration = Registration(
      id: "r",
      showing: showing.map(filled),
      preferring: preferring.map(filled),
      allowing: allowing.map(filled)
    )
    return [registration].withAllNames().flatMap { $0.showing + $0.preferring + $0.allowing }.map(shortened)
  }

  private func filled(_ text: String) -> String { text.replacingOccurrences(of: "ROOT", with: root) }

  private func shortened(_ text: String) -> String { text.replacingOccurrences(of: root, with: "ROOT") }

  @Test(arguments: [
    ("file://ROOT/link/proj/a.txt", "file://ROOT/real/proj/a.txt"),
    ("file:ROOT/link/proj/a.txt", "file://ROOT/real/proj/a.txt"),
    ("file://localhostROOT/link/proj/a.txt", "file://ROOT/real/proj/a.txt"),
    ("FILE://ROOT/link/proj/a.txt?q#L1", "file://ROOT/real/proj/a.txt?q#L1"),
    ("file://ROOT/link/proj/", "file://ROOT/real/proj/"), ("file://ROOT/link", "file://ROOT/real"),
    ("file://ROOT/link/../a", "file://ROOT/a"),
    ("file://ROOT/link/./proj//a.txt", "file://ROOT/real/proj/a.txt"),
    ("file://ROOT/link/proj/new.txt", "file://ROOT/real/proj/new.txt"),
    ("file://ROOT/real/proj/a.txt", nil), ("file://ROOT/missing/a.txt", nil), ("file:///", nil),
    ("file://elsewhere.example.orgROOT/link/proj/a.txt", nil), ("file://ROOT/link/%zz", nil),
    ("file://ROOT/link%00/proj", nil), ("file://ROOT/link%2Fproj", nil), ("https://x.org/link", nil),
    ("filesystem:ROOT/link", nil), ("file:link", nil), ("x:ROOT/link", nil),
  ])
  func eventTellsTheFileWithoutLinks(url: String, resolved: String?) {
    #expect(self.resolved(url) == resolved)
  }

  @Test func callersOwnResolvedURLStays() {
    let event = Event(url: "file://\(root)/link/proj/a.txt", resolvedURL: "file:///own")
    #expect(event.resolved == event)
  }

  @Test func everyKindOfLinkIsFollowed() throws {
    try link("file", to: "real/proj/a.txt")
    try link("chain", to: "\(root)/link2")
    try link("link2", to: "./link/../link/proj")
    try link("dangling", to: "nowhere/b")
    try link("loop", to: "loop2")
    try link("loop2", to: "loop")
    try link("step0", to: "real/proj/a.txt")
    for step in 1...41 { try link("step\(step)", to: "step\(step - 1)") }
    #expect(resolved("file://ROOT/file") == "file://ROOT/real/proj/a.txt")
    #expect(resolved("file://ROOT/chain/a.txt") == "file://ROOT/real/proj/a.txt")
    #expect(resolved("file://ROOT/chain/../../b") == "file://ROOT/b")
    #expect(resolved("file://ROOT/dangling") == "file://ROOT/nowhere/b")
    #expect(resolved("file://ROOT/loop/a") == nil)
    #expect(resolved("file://ROOT/step39") == "file://ROOT/real/proj/a.txt")
    #expect(resolved("file://ROOT/step40") == nil)
  }

  @Test func namesNeedNotBeText() throws {
    try make("real/my proj/100%/a b.txt")
    try #require(
      "\(root)/real/".withCString { base in
        mkdir(
          Array(UnsafeBufferPointer(start: base, count: strlen(base))) + [CChar(bitPattern: 0xFF), 0],
          0o700
        )
      } == 0
    )
    let name = "file://ROOT/real/my%20proj/100%25/a%20b.txt"
    #expect(resolved("file://ROOT/link/my%20proj/100%25/a%20b.txt") == name)
    #expect(resolved("file://ROOT/link/%FF/a") == "file://ROOT/real/%FF/a")
    // An identifier is a part of a URL, so names of one file in other spellings are added too.
    let directory = "file://ROOT/real/my%20proj/"
    #expect(
      names(allowing: ["file://ROOT/link/my%20pro%6A/"]) == ["file://ROOT/link/my%20pro%6A/", directory]
    )
    #expect(names(allowing: ["ROOT/link/my%20proj/"]) == ["ROOT/link/my%20proj/", "ROOT/real/my%20proj/"])
    #expect(names(allowing: ["ROOT/link/my proj/100%/"]).last == "ROOT/real/my%20proj/100%25/")
    #expect(names(showing: ["file://ROOT/real/my%20pro%6A/"]).count == 1)
  }

  @Test func registrationNamesTheSameFilesInTheSameForm() {
    let url = "file://ROOT/link/proj/a.txt"
    #expect(names(showing: [url]) == [url, "file://ROOT/real/proj/a.txt"])
    #expect(names(showing: ["file://ROOT/real/proj/a.txt", url]) == ["file://ROOT/real/proj/a.txt", url])
    #expect(
      names(preferring: ["file://ROOT/link/proj"]) == ["file://ROOT/link/proj", "file://ROOT/real/proj"]
    )
    #expect(
      names(allowing: ["file://ROOT/link/proj/"]) == ["file://ROOT/link/proj/", "file://ROOT/real/proj/"]
    )
    #expect(names(allowing: ["ROOT/link/proj/"]) == ["ROOT/link/proj/", "ROOT/real/proj/"])
    #expect(names(allowing: ["ROOT/link"]) == ["ROOT/link", "ROOT/real"])
    // Other texts are no names of files.
    for text in [
      "ROOT/link/missing", "ROOT/link/proj/a.txt", "link/", "*", "/album/4711", "", "/", "~/link/",
    ] {
      #expect(names(allowing: [text]) == [text])
    }
    #expect(names(showing: ["ROOT/link/proj/"]) == ["ROOT/link/proj/"])
  }

  @Test func unreadableDirectoryKeepsItsName() throws {
    try #require(chmod("\(root)/real", 0) == 0)
    defer { chmod("\(root)/real", 0o700) }
    // The superuser may see everything.
    let seen = geteuid() == 0
    try link("here", to: "link/proj/a.txt")
    #expect(resolved("file://ROOT/here") == "file://ROOT/real/proj/a.txt" || !seen)
    #expect(resolved("file://ROOT/link/proj/a.txt") == "file://ROOT/real/proj/a.txt")
  }

  @Test func manyEntriesAreSentAsTheyAre() {
    let links = (0..<512).map { "file://ROOT/link/\($0)" }
    #expect(names(showing: links).count == 1024)
    #expect(names(showing: links, allowing: ["*"]).count == 513)
    let registration = Registration(id: "r", showing: [filled("file://ROOT/link/0")])
    #expect([registration].withAllNames(others: 511) != [registration])
    #expect([registration].withAllNames(others: 512) == [registration])
    // The scene would be longer than the router allows.
    let long = (0..<500).map { "file://ROOT/link/\($0)/\(String(repeating: "n", count: 200))" }
    #expect(names(showing: long) == long)
    #expect(names(showing: ["file://ROOT/link/" + String(repeating: "%20", count: 1400)]).count == 1)
  }

  /// However many links lead to one file, it is one file.
  @Test func linksToOneFileAddOneName() throws {
    for number in 0..<1000 { try link("n\(number)", to: "real/proj/a.txt") }
    let links = (0..<500).map { "file://ROOT/n\($0)" }
    #expect(names(showing: links).count == 501)
    #expect((0..<1000).allSatisfy { resolved("file://ROOT/n\($0)") == "file://ROOT/real/proj/a.txt" })
  }

  @Test func movedProjectHasItsNewNames() throws {
    #expect(names(allowing: ["file://ROOT/link/"]) == ["file://ROOT/link/", "file://ROOT/real/"])
    try #require(rename("\(root)/real", "\(root)/moved") == 0)
    #expect(names(allowing: ["file://ROOT/link/"]) == ["file://ROOT/link/", "file://ROOT/real/"])
    unlink("\(root)/link")
    try link("link", to: "moved")
    #expect(names(allowing: ["file://ROOT/link/"]) == ["file://ROOT/link/", "file://ROOT/moved/"])
    #expect(names(allowing: ["file://ROOT/real/"]) == ["file://ROOT/real/"])
  }
}

// MARK: - git

extension FileNamesTests {
  private func git(_ arguments: String...) throws {
    let git = try TestEnvironment.run("get-command", ["git", "git"])
    let settings = ["user.email=a@example.org", "user.name=A", "protocol.file.allow=always"].flatMap {
      ["-c", $0]
    }
    let (ending, _, error) = try SpawnedProgram.run(
      git,
      ["-C", root] + settings + arguments,
      environment: ["HOME": root, "GIT_CONFIG_NOSYSTEM": "1"]
    )
    try #require(ending == .exit(0), "\(arguments): \(error)")
  }

  @Test func workingTreesHaveTheirDirectoriesOfGit() throws {
    try git("init", "-q", "-b", "main", "M")
    try git("-C", "M", "commit", "-q", "--allow-empty", "-m", "1")
    try git("-C", "M", "worktree", "add", "-q", "../WT", "-b", "f")
    try link("WL", to: "WT")
    try git("clone", "-q", "--bare", "M", "B.git")
    try git("-C", "B.git", "worktree", "add", "-q", "../BT", "-b", "g")
    try git("init", "-q", "--separate-git-dir", "elsewhere", "S")
    try git("-C", "M", "submodule", "--quiet", "add", "\(root)/B.git", "sub")
    #expect(names(allowing: ["file://ROOT/M/"]) == ["file://ROOT/M/"])
    #expect(names(allowing: ["file://ROOT/WT/"]) == ["file://ROOT/WT/", "file://ROOT/M/.git/worktrees/WT/"])
    #expect(names(preferring: ["ROOT/BT"]) == ["ROOT/BT", "ROOT/B.git/worktrees/BT"])
    #expect(names(allowing: ["file://ROOT/S"]) == ["file://ROOT/S", "file://ROOT/elsewhere"])
    #expect(names(allowing: ["ROOT/M/sub/"]) == ["ROOT/M/sub/", "ROOT/M/.git/modules/sub/"])
    #expect(
      names(allowing: ["file://ROOT/WL/"])
        == ["file://ROOT/WL/", "file://ROOT/WT/", "file://ROOT/M/.git/worktrees/WT/"]
    )
    // What is shown is a single file.
    #expect(names(showing: ["file://ROOT/WT/"]) == ["file://ROOT/WT/"])
  }

  /// A stranger's `.git` file claims nothing that is not a directory of git's.
  @Test(arguments: [
    "gitdir: /", "gitdir: .", "gitdir: ..", "gitdir: ROOT", "gitdir: ../real", "gitdir: ../real/proj/a.txt",
    "gitdir: .git", "gitdir: ", "gitdir:", "", "x", "gitdir: \0", "gitdir: ../missing", "ref: ../git",
    "gitdir: ../git" + String(repeating: "\n", count: 8192),
  ])
  func strangersGitFileIsIgnored(_ text: String) throws {
    try make("HEAD")
    try make("tree/HEAD")
    try make("git/HEAD")
    try make("tree/.git", filled(text))
    #expect(names(allowing: ["file://ROOT/tree/"]) == ["file://ROOT/tree/"])
    try make("tree/.git", "gitdir: ../git\n")
    #expect(names(allowing: ["file://ROOT/tree/"]) == ["file://ROOT/tree/", "file://ROOT/git/"])
  }

  @Test func specialGitFilesAreIgnored() throws {
    try make("git/HEAD")
    try make("file", "gitdir: ../git\n")
    try make("a/HEAD")
    try make("b/HEAD")
    try #require(mkfifo("\(root)/a/.git", 0o600) == 0)
    try link("b/.git", to: "../file")
    for name in ["a", "b"] { #expect(names(allowing: ["ROOT/\(name)/"]) == ["ROOT/\(name)/"]) }
  }
}

// MARK: - What is sent

/// The names on the wire.
@Suite(.timeLimit(.minutes(20))) final class SentFileNamesTests {
  private let directory: TemporaryDirectory
  private let (link, file): (String, String)

  init() throws {
    directory = try TemporaryDirectory()
    let root = try #require(realpath(directory.path, nil).map { String(cString: $0) })
    try #require(symlink("/dev", "\(root)/link") == 0)
    (link, file) = ("file://\(root)/link/null", "file:///dev/null")
  }

  @Test func eventsAndScenesSayAllNames() async throws {
    defer { withExtendedLifetime(directory.path) {} }
    let event = #"{"event":{"url":"\#(link)","resolvedUrl":"\#(file)"}"#
    let sets = #""preferring":[],"allowing":[],"showing":["\#(link)","\#(file)"]"#
    try await withRouter { listener, ordinary in
      let scene = try listener.accept()
      #expect(try scene.nextCall().parameters.contains(#"[{"registrationId":"r",\#(sets)}]"#))
      try scene.reply(#"{"opened":{"sceneId":"s","sceneHandle":"h","generation":1}}"#, continues: true)
      try ordinary.expect(
        "Router.SetRegistration",
        #"{"sceneHandle":"h","registration":{"registrationId":"q",\#(sets)}}"#
      )
      try ordinary.reply(#"{"generation":2}"#)
      try ordinary.expect("Router.ExplainEvent", event + "}")
      try ordinary.reply(#"{"decision":\#(Sample.decision)}"#)
      let events = try listener.accept()
      try events.expect("Router.SendEvent", event + "}")
      try events.fail("NotRouted", #"{"decision":\#(Sample.decision)}"#)
      try events.expect("Router.SendEvent", event + #","waitFor":"decision"}"#)
      try events.reply(#"{"decision":\#(Sample.decision)}"#)
      let updates = try listener.accept()
      try updates.expect("Router.SendEvent", event + "}")
      try updates.fail("NotRouted", #"{"decision":\#(Sample.decision)}"#)
    } _: { router in
      let scene = try await router.openScene(
        application: "a",
        registrations: [Registration(id: "r", showing: [link])]
      )
      try await scene.setRegistration("q", showing: [link])
      _ = try await router.explain(Event(url: link))
      _ = try await router.send(Event(url: link))
      _ = try await router.route(Event(url: link))
      for try await _ in try await router.sendUpdates(Event(url: link)) {}
    }
  }

  /// The router of another machine is reached through a program, and has other files.
  @Test func anotherMachineHearsOnlyWhatTheProgramSays() async throws {
    defer { withExtendedLifetime(directory.path) {} }
    let listener = try ScriptedListener()
    let script = Task.immediate { [link] in
      try await onThread {
        let scene = try listener.accept()
        #expect(try scene.nextCall().parameters.contains(#""showing":["\#(link)"]"#))
        try scene.reply(#"{"opened":{"sceneId":"s","sceneHandle":"h","generation":1}}"#, continues: true)
        let calls = try listener.accept()
        try calls.expect("Router.ExplainEvent", #"{"event":{"url":"\#(link)"}}"#)
        try calls.reply(#"{"decision":\#(Sample.decision)}"#)
      }
    }
    let address = try SocketAddress(path: listener.path)
    // Without a path, the connection counts as one through a program.
    let router = try await RouterConnection(socketPath: nil, nil, false) {
      () async throws(VarlinkClientError) in
      try await VarlinkConnection.connect(to: address)
    }
    let registration = Registration(id: "r", showing: [link])
    let scene = try await router.openScene(application: "a", registrations: [registration])
    _ = try await router.explain(Event(url: link))
    try await script.value
    withExtendedLifetime(scene) {}
  }

  /// A project can move while its window is open.
  @Test func reopenedSceneSaysItsNamesAnew() async throws {
    defer { withExtendedLifetime(directory.path) {} }
    let root = String(link.dropFirst("file://".count).dropLast("/null".count))
    try await withRouter(reconnects: true) { [link, file] listener, ordinary in
      let scene = try listener.accept()
      #expect(try scene.nextCall().parameters.contains(#"["\#(link)","\#(file)"]"#))
      try scene.reply(#"{"opened":{"sceneId":"s","sceneHandle":"h","generation":1}}"#, continues: true)
      unlink(root)
      try #require(symlink("/proc", root) == 0)
      for peer in [ordinary, scene] { peer.close() }
      let next = try listener.accept()
      let again = try listener.accept()
      #expect(try again.nextCall().parameters.contains(#"["\#(link)","file:///proc/null"]"#))
      try again.reply(#"{"opened":{"sceneId":"t","sceneHandle":"i","generation":1}}"#, continues: true)
      try again.reply(#"{"closed":"requested"}"#)
      try next.expectEnd()
    } _: { router in
      let registration = Registration(id: "r", showing: [link])
      let scene = try await router.openScene(application: "a", registrations: [registration])
      for try await _ in scene.messages {}
      router.close()
    }
  }
}
