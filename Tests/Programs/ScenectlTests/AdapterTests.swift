import Foundation
import TestSupport
import Testing

/// `scenectl adapter`: scenes for a program that speaks JSON.
@Suite(.blocking) final class AdapterTests {
  private let router: Router
  private let directory: TemporaryDirectory

  init() throws {
    router = try Router()
    directory = try TemporaryDirectory()
  }

  private func adapter() throws -> AdapterProgram {
    let adapter = try AdapterProgram(environment: router.environment)
    #expect(try adapter.object("ready")["adapter"] == "1")
    #expect(try adapter.object("state")["state"] == "connected")
    return adapter
  }

  private func scenes() throws -> [JSONObject] { try router.scenectl("scenes", "--json").objects() }

  /// Waits until the router knows everything that the adapter has been told.
  private func settle(_ adapter: AdapterProgram) throws {
    try adapter.say(#"{"explain": 99, "event": {"url": "none:"}}"#)
    _ = try adapter.object("explained")
  }

  @Test func sceneIsAsTheProgramSaysAndClosesWithTheInput() throws {
    let adapter = try adapter()
    try adapter.say(
      #"{"scene": "w 1", "application": "org.example.Editor", "title": "A", "showing": ["https://x.org/a"], "#
        + #""preferring": ["doc/1"], "allowing": ["*"], "declaration": "main"}"#
    )
    let opened = try adapter.object("opened")
    #expect(opened["opened"] == "w 1")
    let first = try #require(try scenes().first)
    #expect(first["runtime.sceneId"] == opened["scene"])
    #expect(first["context.applicationId"] == "org.example.Editor")
    #expect(first["context.declarationId"] == "main")
    #expect(first["context.title"] == "A")
    #expect(first["context.registrations.0.showing.0"] == "https://x.org/a")
    #expect(first["context.registrations.0.preferring.0"] == "doc/1")
    #expect(first["context.registrations.0.allowing.0"] == "*")

    // Members that are missing in the second line become empty. The scene keeps its id.
    try adapter.say(#"{"scene": "w 1", "application": "org.example.Editor", "declaration": "main"}"#)
    try settle(adapter)
    let second = try #require(try scenes().first)
    #expect(second["runtime.sceneId"] == opened["scene"])
    #expect(second["context.title"] ?? "" == "")
    #expect(second["context.registrations.0.showing.0"] == nil)
    #expect(second["context.registrations.0.allowing.0"] == nil)

    // If the application of `w 1` changes, the adapter closes the scene and opens another one.
    try adapter.say(#"{"scene": "w 1", "application": "org.example.Other"}"#)
    let other = try adapter.object("opened")
    #expect(other["scene"] != opened["scene"])
    #expect(try scenes().map { $0["runtime.sceneId"] } == [other["scene"]])
    try adapter.say(#"{"close": "w 1"}"#)
    try settle(adapter)
    #expect(try scenes().isEmpty)

    try adapter.say(#"{"scene": "w 1", "application": "org.example.Editor"}"#)
    _ = try adapter.object("opened")
    adapter.endInput()
    #expect(try adapter.program.waitForEnd() == .exit(0))
    #expect(try scenes().isEmpty)
  }

  /// If several requests to raise the window of one scene wait, the adapter carries out only the last request.
  ///
  /// The script that replaces wezterm blocks, so that later requests have to wait.
  @Test func onlyTheLastOfWaitingRaisesIsCarriedOut() throws {
    let called = directory.appending("wezterm.called")
    let held = directory.appending("wezterm.held")
    try #require(mkfifo(held, 0o600) == 0)
    try directory.writeScript(
      "wezterm",
      #"echo "$4" >>"$0.called"; [ ! -e "$0.held" ] || read line <"$0.held""#
    )
    let panes = try (0..<3).map { pane in
      try SpawnedProgram("/bin/sleep", ["1000"], environment: ["WEZTERM_PANE": "\(pane)"])
    }
    let adapter = try AdapterProgram(environment: router.environment.merging(["PATH": directory.path]) { $1 })
    for key in ["a", "b"] { try adapter.say(#"{"scene": "\#(key)", "application": "A"}"#) }
    func raise(_ key: String, _ pane: Int) throws {
      try adapter.say(#"{"raise": "\#(key)", "process": \#(panes[pane].processID)}"#)
    }
    try raise("a", 0)
    try Deadline().wait("Nothing is raised.") { FileManager.default.fileExists(atPath: called) }
    try raise("b", 2)
    for _ in 0..<100 { try raise("a", 0) }
    try raise("a", 1)
    try settle(adapter)
    let end = open(held, O_RDWR)
    unlink(held)
    close(end)
    adapter.endInput()
    #expect(try adapter.program.waitForEnd() == .exit(0))
    #expect(try String(contentsOfFile: called, encoding: .utf8) == "0\n2\n1\n")
  }

  /// The adapter must end without an error, even if its last calls to the router have no reply when its input ends.
  @Test func inputMayEndBehindAnyObject() throws {
    let said = #"{"scene": "w", "application": "A"}\n{"declare": "B", "scenes": []}\n{"active": "w"}\n"#
    for _ in 0..<20 {
      let (ending, _, error) = try SpawnedProgram.run(
        "/bin/sh",
        ["-c", #"printf '\#(said)' | "$0" adapter"#, SpawnedProgram.buildDirectory + "/scenectl"],
        environment: router.environment
      )
      #expect(ending == .exit(0) && error.isEmpty, "\(error)")
    }
  }

  @Test func whatIsSaidAgainChangesNothing() throws {
    let adapter = try adapter()
    let scene = #"{"scene": "w", "application": "A", "title": "T", "allowing": ["a:"]}"#
    let declared = #"{"declare": "A", "scenes": [{"declarationId": "main"}], "claims": {"schemes": ["a"]}}"#
    func generation() throws -> String? {
      try router.scenectl("status", "--json").objects().first?["generation"]
    }
    for line in [declared, scene] { try adapter.say(line) }
    try settle(adapter)
    let before = try generation()
    #expect(before != nil)
    for line in [scene, declared, scene] { try adapter.say(line) }
    try settle(adapter)
    #expect(try generation() == before)
  }

  @Test func lastOfManyStatesCounts() throws {
    let adapter = try adapter()
    let lines = (1...1000).map {
      #"{"scene": "w", "application": "A", "title": "\#($0)", "allowing": ["page/\#($0)"]}"#
    }
    try adapter.say(lines.joined(separator: "\n"))
    try settle(adapter)
    let scene = try #require(try scenes().first)
    #expect(scene["context.title"] == "1000")
    #expect(scene["context.registrations.0.allowing.0"] == "page/1000")
    #expect(scene["context.registrations.0.allowing.1"] == nil)
    #expect(scene["context.registrations.1.registrationId"] == nil)
  }

  @Test func activeSceneComesFirst() throws {
    let adapter = try adapter()
    for key in ["a", "b"] { try adapter.say(#"{"scene": "\#(key)", "application": "A", "allowing": ["*"]}"#) }
    try settle(adapter)
    for key in ["b", "a"] {
      try adapter.say(#"{"active": "\#(key)"}"#)
      try adapter.say(#"{"explain": 1, "event": {"url": "x:1"}}"#)
      let explained = try adapter.object("explained")
      #expect(explained["scene"] == key)
      #expect(
        explained["target"] == "scene" && explained["rule"] == "allowing" && explained["application"] == "A"
      )
    }
  }

  /// What the program says before its scene is open, in the order of the lines; `b` is the active scene in the end.
  ///
  /// `NONE` closes a scene that is not there, `BAD` is an activity that the router refuses.
  @Test(arguments: [
    ["active b", "scene a", "scene b"], ["active b", "scene b", "scene a"],
    ["active a", "scene a", "active b", "scene b"],
    ["active b", "active a", "active b", "scene b", "scene a"],
    ["scene a", "scene b", "active a", "active b"], ["active a", "scene b", "scene a", "active b"],
    ["active b", "other b", "scene b", "scene a"], ["active b", "refused b", "scene a", "scene b"],
    ["active b", "scene a", "BAD b", "scene b"], ["scene a", "active b", "BAD b"],
    ["scene b", "active b", "scene a", "close b", "scene b", "active b"],
    ["active a", "NONE", "scene b", "scene a", "close a", "active b", "scene a"],
  ])
  func focusBeforeTheSceneIsKept(_ lines: [String]) throws {
    let adapter = try adapter()
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      let key = words.last ?? ""
      let scene = #""scene": "\#(key)", "allowing": ["*"]"#
      switch words[0] {
      case "active", "close": try adapter.say(#"{"\#(words[0])": "\#(key)"}"#)
      case "NONE": try adapter.say(#"{"close": "none"}"#)
      case "other": try adapter.say(#"{\#(scene), "application": "B"}"#)
      case "refused": try adapter.say(#"{"scene": "\#(key)", "application": "A", "showing": ["no url"]}"#)
      case "BAD":
        let activity = #"{"activityType": "\#(String(repeating: "t", count: 2000))"}"#
        try adapter.say(#"{\#(scene), "application": "A", "activity": \#(activity)}"#)
      default: try adapter.say(#"{\#(scene), "application": "A"}"#)
      }
    }
    try settle(adapter)
    try adapter.say(#"{"explain": 1, "event": {"url": "x:1"}}"#)
    #expect(try adapter.object("explained")["scene"] == "b")
  }

  @Test func closedSceneIsNotActiveWhenItIsOpenedAgain() throws {
    let adapter = try adapter()
    try adapter.say(#"{"active": "b"}"#)
    try adapter.say(#"{"close": "b"}"#)
    for key in ["a", "b"] {
      try adapter.say(#"{"scene": "\#(key)", "application": "A", "allowing": ["*"]}"#)
      _ = try adapter.object("opened")
    }
    try adapter.say(#"{"explain": 1, "event": {"url": "x:1"}}"#)
    #expect(try adapter.object("explained")["scene"] == "a")
  }

  /// A file system of a program that never answers.
  private static let lostMount = #"""
    import ctypes, os, sys
    fuse = os.open("/dev/fuse", os.O_RDWR)
    os.set_inheritable(fuse, True)
    options = "fd=%d,rootmode=40000,user_id=0,group_id=0" % fuse
    os.makedirs(sys.argv[1])
    if ctypes.CDLL(None).mount(b"lost", sys.argv[1].encode(), b"fuse.lost", 0, options.encode()):
        sys.exit("fuse")
    os.execv(sys.argv[2], sys.argv[2:])
    """#

  @Test func fileOnALostMountKeepsItsNameAndDelaysNothing() throws {
    let mount = directory.appending("lost mount")
    try #require(symlink("lost mount/project", directory.appending("link")) == 0)
    let adapter: AdapterProgram
    do {
      adapter = try AdapterProgram(
        environment: router.environment,
        through: ["unshare", "-Urm", "python3", "-c", Self.lostMount, mount]
      )
      _ = try adapter.object("ready")
    } catch {
      try Test.cancel("No file system can be mounted here: \(error)")
    }
    let files = ["lost%20mount/a.txt", "lost%20mount", "link/b.txt"].map { "file://\(directory.path)/\($0)" }
    let texts = files.map { #""\#($0)""# }.joined(separator: ", ")
    try adapter.say(#"{"scene": "w", "application": "A", "showing": [\#(texts)], "allowing": [\#(texts)]}"#)
    _ = try adapter.object("opened")
    for file in files {
      try adapter.say(#"{"explain": 1, "event": {"url": "\#(file)"}}"#)
      #expect(try adapter.object("explained")["scene"] == "w")
    }
    let names = try #require(try scenes().first)
    #expect(names["context.registrations.0.showing.0"] == files[0])
    #expect(names["context.registrations.0.showing.1"] == files[1])
    #expect(names["context.registrations.0.showing.2"] == files[2])
    let resolved = try #require(names["context.registrations.0.showing.3"])
    #expect(resolved.hasSuffix("/lost%20mount/project/b.txt"))
    #expect(names["context.registrations.0.showing.4"] == nil)
  }

  @Test func deliveryIsTakenOrDeclined() throws {
    let adapter = try adapter()
    try adapter.say(#"{"scene": "w", "application": "A", "allowing": ["*"]}"#)
    _ = try adapter.object("opened")
    let file = directory.appending("a b.txt")
    _ = FileManager.default.createFile(atPath: file, contents: nil)
    let first = try router.start("open", "--timeout", "600", file + ":10:3")
    let delivery = try adapter.object("deliver")
    #expect(delivery["scene"] == "w" && delivery["path"] == file && delivery["timeout"] == "600")
    #expect(delivery["line"] == "10" && delivery["column"] == "3")
    #expect(delivery["event.url"] == "file://\(directory.path)/a%20b.txt")
    try adapter.say(#"{"taken": "\#(delivery["deliver"] ?? "")"}"#)
    #expect(try first.waitForEnd() == .exit(0))
    let second = try router.start("open", "x:1")
    let other = try adapter.object("deliver")
    #expect(other["path"] == nil && other["line"] == nil && other["event.url"] == "x:1")
    try adapter.say(#"{"declined": "\#(other["deliver"] ?? "")", "reason": "a prompt is open"}"#)
    #expect(try second.waitForEnd() == .exit(4))
    #expect(second.outputText.contains("a prompt is open"))
    // The delivery is already declined, so that a second answer has no effect.
    try adapter.say(#"{"taken": "\#(other["deliver"] ?? "")"}"#)
    try settle(adapter)
    #expect(!adapter.program.outputText.contains("error"))
  }

  /// A program may close its window, or end, as soon as it has taken an event, which may be the one that the window was
  /// opened for.
  @Test(arguments: [true, false]) func eventTakenBeforeTheEndOfItsSceneIsTaken(isClosed: Bool) throws {
    for number in 1...20 {
      let adapter = try adapter()
      try adapter.say(#"{"declare": "A", "scenes": [{"declarationId": "s", "matching": ["x:"]}]}"#)
      try settle(adapter)
      let sender = try router.start("open", "x:\(number)")
      let request = try adapter.object("request")["request"] ?? ""
      let scene = #"{"scene": "w", "application": "A", "request": "\#(request)""#
      try adapter.say(scene + #", "activity": {"activityType": "a"}}"# + "\n" + #"{"active": "w"}"#)
      let taken = #"{"taken": "\#(try adapter.object("deliver")["deliver"] ?? "")"}"#
      try adapter.say([scene + "}", taken, isClosed ? #"{"close": "w"}"# : ""].joined(separator: "\n"))
      adapter.endInput()
      #expect(try sender.waitForEnd() == .exit(0), "\(sender.outputText)")
    }
  }

  /// Whoever sends the same event again finds the scene that shows it, and causes no second window.
  @Test(arguments: ["w", "new"]) func scenesAreAsTheProgramSaidWhenAnEventIsTaken(key: String) throws {
    let adapter = try adapter()
    try adapter.say(#"{"scene": "w", "application": "A", "allowing": ["*"]}"#)
    try settle(adapter)
    let monitor = try router.start("monitor", "--json")
    try monitor.outputLine(containing: #""allowing":["*"]"#)
    let sender = try router.start("open", "x:1")
    let taken = #"{"taken": "\#(try adapter.object("deliver")["deliver"] ?? "")"}"#
    let scene = #"{"scene": "\#(key)", "application": "A", "title": "T", "showing": ["x:1"]}"#
    try adapter.say([scene, #"{"active": "\#(key)"}"#, taken].joined(separator: "\n"))
    #expect(try sender.waitForEnd() == .exit(0))
    let settled = try monitor.outputLine(containing: "acknowledged")
    let before = monitor.outputText.split(separator: settled)[0]
    #expect(before.contains(#""title":"T""#) && before.contains("activeUSec"))
  }

  /// The adapter reads the line and the column from the fragment of a URL.
  ///
  /// `scenectl open` would remove the fragment and send the line and the column separately. Other senders leave the
  /// fragment in the URL.
  @Test func positionInAURLIsRead() throws {
    let adapter = try adapter()
    try adapter.say(#"{"scene": "w", "application": "A", "allowing": ["*"]}"#)
    try adapter.say(#"{"send": 1, "event": {"url": "file://\#(machineName)/a%2520%C3%B1#L7,2"}}"#)
    let delivery = try adapter.object("deliver")
    #expect(delivery["path"] == "/a%20ñ" && delivery["line"] == "7" && delivery["column"] == "2")
    try adapter.say(#"{"taken": "\#(delivery["deliver"] ?? "")"}"#)
    let sent = try adapter.object("sent")
    #expect(sent["sent"] == "1" && sent["outcome"] == "acknowledged" && sent["scene"] == "w")
  }

  @Test func deliveryThatNobodySettlesIsWithdrawn() throws {
    let adapter = try adapter()
    try adapter.say(#"{"scene": "w", "application": "A", "allowing": ["*"]}"#)
    _ = try adapter.object("opened")
    let program = try router.start("open", "--timeout", "0.2", "x:1")
    let delivery = try adapter.object("deliver")
    let withdrawn = try adapter.object("withdrawn")
    #expect(withdrawn["withdrawn"] == delivery["deliver"] && withdrawn["reason"] == "timeout")
    #expect(try program.waitForEnd() == .exit(5))
  }

  @Test func eventIsSentFromASceneToOthers() throws {
    let adapter = try adapter()
    for key in ["a", "b"] {
      try adapter.say(#"{"scene": "\#(key)", "application": "A", "allowing": ["x:"]}"#)
    }
    try adapter.say(#"{"send": 7, "event": {"url": "x:1"}, "from": "a"}"#)
    let delivery = try adapter.object("deliver")
    #expect(delivery["scene"] == "b", "It never comes back to the scene that it comes from.")
    try adapter.say(#"{"taken": "\#(delivery["deliver"] ?? "")"}"#)
    let sent = try adapter.object("sent")
    #expect(sent["sent"] == "7" && sent["outcome"] == "acknowledged")
    #expect(sent["application"] == "A" && sent["scene"] == "b" && sent["error"] == nil)
    try adapter.say(#"{"send": 8, "event": {"url": "y:1"}}"#)
    #expect(try adapter.object("sent")["outcome"] == "notRouted")
    try adapter.say(#"{"send": 9, "event": {"url": "x:1"}, "to": "None"}"#)
    let refused = try adapter.object("sent")
    #expect(refused["outcome"] == "refused" && refused["error"]?.contains("None") == true)
    try adapter.say(#"{"explain": 10, "event": {"url": "y:1"}}"#)
    #expect(try adapter.object("explained")["target"] == "none")
  }

  @Test func requestIsAnsweredWithASceneOrDeclined() throws {
    let adapter = try adapter()
    try adapter.say(
      #"{"declare": "A", "scenes": [{"declarationId": "page", "matching": ["page"]}, {"declarationId": "main"}], "#
        + #""claims": {"schemes": ["a"]}}"#
    )
    try settle(adapter)
    let first = try router.start("open", "a:page/1")
    let request = try adapter.object("request")
    #expect(request["application"] == "A" && request["declaration"] == "page")
    #expect(request["event.url"] == "a:page/1" && request["timeout"] != nil)
    try adapter.say(#"{"scene": "w", "application": "A", "request": "\#(request["request"] ?? "")"}"#)
    #expect(try adapter.object("opened")["opened"] == "w")
    let delivery = try adapter.object("deliver")
    #expect(delivery["scene"] == "w" && delivery["event.url"] == "a:page/1")
    try adapter.say(#"{"taken": "\#(delivery["deliver"] ?? "")"}"#)
    #expect(try first.waitForEnd() == .exit(0))
    #expect(try scenes().first?["context.declarationId"] == "page")

    let second = try router.start("open", "a:2")
    let other = try adapter.object("request")
    #expect(other["declaration"] == "main")
    try adapter.say(#"{"declined": "\#(other["request"] ?? "")", "reason": "no more windows"}"#)
    #expect(try second.waitForEnd() == .exit(6))
    #expect(second.outputText.contains("no more windows"))

    // The second declaration of `A` replaces the first one.
    try adapter.say(
      #"{"declare": "A", "scenes": [{"declarationId": "other"}], "claims": {"schemes": ["b"]}}"#
    )
    try settle(adapter)
    let declared = try router.scenectl("applications", "--json").objects()
    #expect(declared.map { $0["scenes.0.declarationId"] } == ["other"])
    #expect(declared.map { $0["claims.schemes.0"] } == ["b"])
  }

  /// Each case is a line that the adapter refuses, the value of `in` in the error, and a part of the error's sentence.
  @Test(
    arguments: [
      ("nonsense", nil, "JSON"), ("[1]", nil, "not a JSON object"), (#"{"scene": "a""#, nil, "JSON"),
      (#"{"hello": 1}"#, nil, "'declare'"), (#"{"scene": "w", "application": 1}"#, "scene", "'application'"),
      (#"{"scene": "w"}"#, "scene", "'application' is missing"),
      (#"{"scene": "w", "application": "A", "tite": "T"}"#, "scene", "'tite'"),
      (#"{"scene": "w", "application": "A", "showing": ["a", 1]}"#, "scene", "'showing[1]'"),
      (#"{"scene": "w", "application": "A", "showing": ["no url"]}"#, "scene", "showing"),
      (#"{"scene": "w", "application": "A", "activity": {}}"#, "scene", "'activity.activityType'"),
      (#"{"close": "none"}"#, "close", "'none'"),
      (#"{"raise": "none"}"#, "raise", "'none'"), (#"{"raise": "none", "process": 0}"#, "raise", "'process'"),
      (#"{"send": 1, "event": {}}"#, "send", "'event'"),
      (#"{"send": "1", "event": {"url": "x:"}}"#, "send", "'send'"),
      (#"{"send": 1, "event": {"url": "x:"}, "from": "none"}"#, "send", "'none'"),
      (#"{"explain": 1, "event": {"url": "no url"}}"#, "explain", "event.url"),
      (#"{"declare": "A", "scenes": [{}]}"#, "declare", "'scenes[0].declarationId'"),
      (#"{"declare": "A", "claims": {"hosts": ["https://x"]}, "scenes": []}"#, "declare", "claims.hosts[0]"),
      (#"{"scene": "w", "application": "A", "scene": "w"}"#, nil, "JSON"),
    ] as [(String, String?, String)]
  )
  func badLineIsAnsweredAndChangesNothing(line: String, word: String?, text: String) throws {
    let adapter = try adapter()
    let good = #"{"scene": "w", "application": "A", "title": "T", "allowing": ["*"]}"#
    try adapter.say(good)
    _ = try adapter.object("opened")
    try adapter.say(line)
    let error = try adapter.object("error")
    #expect(error["in"] == word)
    #expect(error["error"]?.contains(text) == true, "\(error["error"] ?? "")")
    try settle(adapter)
    let scene = try #require(try scenes().first)
    #expect(scene["context.title"] == "T" && scene["context.registrations.0.allowing.0"] == "*")
    #expect(try router.scenectl("applications", "--json").output == "")
  }

  /// With `explain`, a program asks about a link before it sends the link.
  ///
  /// The answer says whether a window shows the link, and whether a program claims the link.
  @Test func explanationSaysWhyTheApplicationIsAsked() throws {
    let adapter = try adapter()
    try adapter.say(
      #"{"declare": "A", "scenes": [{"declarationId": "main"}], "claims": {"hosts": ["x.org"]}}"#
    )
    try adapter.say(#"{"scene": "w", "application": "B", "showing": ["https://x.org/1"]}"#)
    for (url, application, rule, because) in [
      ("https://x.org/1", "B", "showing", "showing"), ("https://x.org/2", "A", "default", "only"),
    ] {
      try adapter.say(#"{"explain": 1, "event": {"url": "\#(url)"}}"#)
      let explained = try adapter.object("explained")
      #expect(explained["application"] == application && explained["rule"] == rule)
      #expect(explained["because"] == because)
    }
  }

  @Test(arguments: ["org.example.Browser", "org.example.Browser.desktop"])
  func programIsToldAsWhichApplicationItIsInstalled(id: String) throws {
    let adapter = try AdapterProgram("--application \(id)", environment: router.environment)
    #expect(try adapter.object("ready")["application"] == "org.example.Browser")
  }

  /// A browser may start a new adapter before the adapter that it has killed has ended.
  @Test func declarationWaitsForTheEndOfThatBefore() throws {
    let line = #"{"declare": "A", "scenes": [{"declarationId": "main"}]}"#
    let (before, next) = (try adapter(), try adapter())
    try before.say(line)
    try settle(before)
    try next.say(line)
    before.program.send(signal: SIGKILL)
    try settle(next)
    #expect(!next.program.outputText.contains("error"))
    #expect(try router.scenectl("applications", "--json").objects().count == 1)
  }

  @Test func sceneThatTheRouterRefusesIsClosedAndMayBeSaidAgain() throws {
    let adapter = try adapter()
    try adapter.say(#"{"declare": "A", "scenes": [{"declarationId": "main"}], "isSingleScene": true}"#)
    try adapter.say(#"{"scene": "a", "application": "A"}"#)
    #expect(try adapter.object("opened")["opened"] == "a")
    try adapter.say(#"{"scene": "b", "application": "A"}"#)
    let closed = try adapter.object("closed")
    #expect(closed["closed"] == "b" && closed["reason"] != nil)
    try adapter.say(#"{"close": "a"}"#)
    try settle(adapter)
    try adapter.say(#"{"scene": "b", "application": "A"}"#)
    #expect(try adapter.object("opened")["opened"] == "b")
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func everythingIsSaidAgainToTheNextRouter(_ signal: CInt) throws {
    let adapter = try adapter()
    try adapter.say(#"{"declare": "A", "scenes": [{"declarationId": "main"}], "claims": {"schemes": ["a"]}}"#)
    try adapter.say(#"{"scene": "w", "application": "A", "title": "T", "preferring": ["one"]}"#)
    try adapter.say(#"{"scene": "w", "application": "A", "title": "T", "preferring": ["two"]}"#)
    let opened = try adapter.object("opened")
    try settle(adapter)
    router.daemon.send(signal: signal)
    _ = try router.daemon.waitForEnd()
    #expect(try adapter.object("state")["state"] == "reconnecting")
    // No router runs when the adapter reads this line. The next router must get the new state.
    try adapter.say(#"{"scene": "w", "application": "A", "title": "U", "preferring": ["three"]}"#)
    let next = try SpawnedProgram("scened", ["--system", "--socket", router.socket])
    try next.errorLine(containing: "Ready.")
    let again = try adapter.object("opened")
    #expect(again["opened"] == "w" && again["scene"] != opened["scene"])
    try settle(adapter)
    let scene = try #require(try scenes().first)
    #expect(scene["context.title"] == "U")
    #expect(scene["context.registrations.0.preferring.0"] == "three")
    #expect(try router.scenectl("applications", "--json").objects().map { $0["claims.schemes.0"] } == ["a"])
  }

  @Test func adapterWaitsForARouter() throws {
    let socket = directory.appending("later")
    let adapter = try AdapterProgram(environment: ["SCENED_SOCKET": socket])
    _ = try adapter.object("ready")
    #expect(try adapter.object("state")["state"] == "reconnecting")
    try adapter.say(#"{"scene": "w", "application": "A", "allowing": ["*"]}"#)
    let daemon = try SpawnedProgram("scened", ["--system", "--socket", socket])
    try daemon.errorLine(containing: "Ready.")
    #expect(try adapter.object("state")["state"] == "connected")
    #expect(try adapter.object("opened")["opened"] == "w")
  }

  @Test func adapterWithoutAPlaceForARouterEnds() throws {
    let adapter = try AdapterProgram(environment: ["XDG_RUNTIME_DIR": ""])
    _ = try adapter.object("ready")
    #expect(try adapter.program.waitForEnd() == .exit(1))
    #expect(adapter.program.errorText.contains("SCENED_SOCKET"))
  }

  /// A desktop entry starts a shell script, which opens its window through an adapter.
  ///
  /// The router starts the script for a link, and the first scene of the script gets the link.
  @Test func programThatTheRouterStartsAnswersWithItsFirstScene() throws {
    let bash = try TestEnvironment.run("get-command", ["bash", "bash"])
    let data = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: data.appending("applications"),
      withIntermediateDirectories: true
    )
    let script = data.appending("application")
    let lines = #"""
      coproc adapter { '\#(SpawnedProgram.buildDirectory)/scenectl' adapter; }
      echo '{"scene": "w", "application": "shell", "showing": ["shell:1"]}' >&"${adapter[1]}"
      while read -r line <&"${adapter[0]}"; do
        case $line in
        '{"deliver":'*)
          id=${line#'{"deliver":"'}
          echo "{\"taken\": \"${id%%\"*}\"}" >&"${adapter[1]}"
        esac
      done
      """#
    try lines.write(toFile: script, atomically: true, encoding: .utf8)
    // `Exec` runs bash with the script as its argument. The kernel would refuse to execute the script itself while a
    // child of another test still has the file open for writing.
    try """
    [Desktop Entry]
    Type=Application
    Name=Shell
    Exec=\(bash) \(script)
    X-Scened-Aware=true
    MimeType=x-scheme-handler/shell;

    """.write(toFile: data.appending("applications/shell.desktop"), atomically: true, encoding: .utf8)
    let router = try Router(environment: ["XDG_DATA_DIRS": data.path])
    let run = try router.scenectl("open", "shell:1")
    #expect(run.status == 0, "\(run.output)")
    #expect(try router.scenectl("open", "--json", "shell:1").objects().first?["decision.rule"] == "showing")
  }

  @Test func browsersFramingIsUnderstood() throws {
    let output = directory.appending("output")
    let adapter = try AdapterProgram(
      "--native-messaging",
      environment: router.environment,
      output: output
    )
    let objects = [
      #"{"scene": "w", "application": "A", "title": "ñ", "allowing": ["*"]}"#, "nonsense",
      #"{"explain": 1, "event": {"url": "x:1"}}"#,
    ]
    for object in objects { try adapter.say(message: object) }
    try Deadline().wait("The adapter does not answer.") {
      (try? Data(contentsOf: URL(filePath: output)))?.contains("explained".utf8) == true
    }
    adapter.endInput()
    #expect(try adapter.program.waitForEnd() == .exit(0))
    var bytes = try Data(contentsOf: URL(filePath: output))[...]
    var texts: [String] = []
    while !bytes.isEmpty {
      let length = Int(bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) })
      texts.append(String(decoding: bytes.dropFirst(4).prefix(length), as: UTF8.self))
      bytes = bytes.dropFirst(4 + length)
    }
    let words = try texts.map { try JSONObject($0) }
    #expect(words.contains { $0["ready"] != nil } && words.contains { $0["opened"] == "w" })
    #expect(words.contains { $0["error"]?.contains("JSON") == true })
    #expect(words.contains { $0["explained"] == "1" && $0["scene"] == "w" })
  }

  /// The unit of the adapter starts it again.
  @Test(arguments: [true, false]) func adapterOfProgramsEndsWithTheSessionBus(isThere: Bool) throws {
    let bus = try MessageBus()
    if !isThere { try bus.end() }
    let adapter = try SpawnedProgram(
      "scenectl",
      ["adapter", "--programs"],
      environment: router.environment.merging(bus.environment) { $1 }
    )
    if isThere { try bus.end() }
    #expect(try adapter.waitForEnd() == .exit(1))
    #expect(adapter.errorText.hasPrefix("scenectl: Players and document viewers cannot be reached. "))
  }

  /// The adapter skips objects of more than 64 MiB, which is the most that a browser sends.
  @Test(arguments: [true, false])
  func objectThatIsTooLongIsSkipped(isNative: Bool) throws {
    let output = directory.appending("output")
    let adapter = try AdapterProgram(
      isNative ? "--native-messaging" : nil,
      environment: router.environment,
      output: output
    )
    try adapter.say(tooLong: 64 << 20, isNative: isNative)
    let next = #"{"explain": 5, "event": {"url": "x:1"}}"#
    try isNative ? adapter.say(message: next) : adapter.say(next)
    adapter.endInput()
    #expect(try adapter.program.waitForEnd() == .exit(0))
    let text = try String(decoding: Data(contentsOf: URL(filePath: output)), as: UTF8.self)
    #expect(text.contains("longer than 67108864 bytes") && text.contains(#""explained":5"#))
  }
}
