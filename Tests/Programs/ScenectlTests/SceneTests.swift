import Foundation
import TestSupport
import Testing

@Suite(.blocking) struct SceneTests {
  private let router: Router

  init() throws { router = try Router() }

  @Test func deliveriesAreToldAsJSON() throws {
    let scene = try router.start("scene", "--json", "--allow", "*", "--decline", "--no-reconnect")
    let id = try #require(try JSONObject(scene.nextLine())["sceneId"])
    #expect(try router.scenectl("open", "n:1").status == 4)
    let delivery = try JSONObject(scene.nextLine())
    #expect(delivery["sceneId"] == id)
    #expect(delivery["delivery.event.url"] == "n:1")
    #expect(delivery["result"] == "declined")
    router.daemon.send(signal: SIGTERM)
    #expect(try JSONObject(scene.nextLine())["closed"] == "shutdown")
    #expect(try scene.waitForEnd() == .exit(1), "The router ended it.")
  }

  @Test func eventIsInTheEnvironmentAndOnStandardInputOfTheCommand() throws {
    let directory = try TemporaryDirectory()
    let (id, _) = try router.scene(
      "--allow",
      "*",
      "--exec",
      "sh",
      "--",
      "-c",
      "cat >\(directory.path)/event; env >\(directory.path)/environment"
    )
    let run = try Router.scenectl(
      [
        "send", "--activity-type", "org.example.view", "--target-content-identifier", "doc/1",
        "--webpage-url", "web:1", "--title", "A title", "--user-info", #"{"a":1.0}"#,
      ],
      environment: router.environment
    )
    #expect(run.status == 0)
    let event = try JSONObject(String(contentsOfFile: directory.appending("event"), encoding: .utf8))
    #expect(event["activity.targetContentIdentifier"] == "doc/1")
    let environment = try String(contentsOfFile: directory.appending("environment"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
    for variable in [
      "SCENED_SCENE=\(id)", "SCENED_ACTIVITY_TYPE=org.example.view", "SCENED_TARGET_CONTENT_IDENTIFIER=doc/1",
      "SCENED_WEBPAGE_URL=web:1", "SCENED_TITLE=A title", #"SCENED_USER_INFO={"a":1.0}"#,
    ] {
      #expect(environment.contains(variable))
    }
    #expect(!environment.contains { $0.hasPrefix("SCENED_URL=") || $0.hasPrefix("XDG_ACTIVATION_TOKEN=") })
    // `scenectl send` has made up an id for the event.
    #expect(environment.contains { $0.hasPrefix("SCENED_EVENT_ID=") })

    _ = try router.scenectl(
      "open",
      "--event-id",
      "e",
      "n:1",
      environment: ["XDG_ACTIVATION_TOKEN": "token-1"]
    )
    let second = try String(contentsOfFile: directory.appending("environment"), encoding: .utf8)
    #expect(second.contains("SCENED_URL=n:1\n") && second.contains("XDG_ACTIVATION_TOKEN=token-1\n"))
    #expect(second.contains("SCENED_EVENT_ID=e\n"))
    #expect(!second.contains("SCENED_TITLE="))
  }

  @Test func commandDecidesByItsExitStatus() throws {
    let (id, scene) = try router.scene(
      "--allow",
      "*",
      "--exec",
      "sh",
      "--",
      "-c",
      "case $SCENED_URL in n:no) exit 3;; n:dead) kill $$;; esac"
    )
    #expect(try router.scenectl("open", "n:yes").status == 0)
    let declined = try router.scenectl("open", "n:no")
    #expect(declined.status == 4)
    #expect(declined.output == "n:no: declined by scene \(id) (sh ended with status 3)\n")
    #expect(try router.scenectl("open", "n:dead").output.contains("(sh was ended by signal 15)"))
    #expect(try scene.nextLine() == "\(id): acknowledged n:yes")
    #expect(try scene.nextLine() == "\(id): declined n:no (sh ended with status 3)")
  }

  /// The command `true` ends without reading its input.
  ///
  /// The scene must stay open and take the event all the same.
  @Test func commandNeedNotReadItsInput() throws {
    _ = try router.scene("--allow", "*", "--exec", "true")
    let userInfo = #"{"a":""# + String(repeating: "x", count: 60_000) + #""}"#
    for _ in 1...3 {
      let run = try router.scenectl("send", "--activity-type", "t", "--user-info", userInfo)
      #expect(run.status == 0, "\(run.output)")
    }
  }

  /// The scene prints a space for each tab, line feed and carriage return outside the strings of `userInfo`.
  ///
  /// The escape `\t` in a string stays as the sender wrote it.
  @Test func lineBreaksInUserInfoStayOutOfTheLine() throws {
    let scene = try router.start("scene", "--json", "--allow", "*")
    try scene.outputLine(containing: "opened")
    let userInfo = "{\"a\":\r\n\t\"\\t\"}"
    #expect(try router.scenectl("send", "--activity-type", "t", "--user-info", userInfo).status == 0)
    #expect(try scene.nextLine().contains(#""userInfo":{"a":   "\t"}"#))
  }

  @Test func missingCommandIsToldAtOnce() throws {
    let run = try router.scenectl("scene", "--allow", "*", "--exec", "no-such-program")
    #expect(run.status == 1)
    #expect(run.error == "scenectl: There is no program 'no-such-program' for --exec.\n")
    let file = try router.scenectl("scene", "--allow", "*", "--exec", "/dev/null")
    #expect(file.error == "scenectl: The program '/dev/null' of --exec cannot be run: Permission denied.\n")
  }

  @Test func commandThatHasGoneDeclines() throws {
    let directory = try TemporaryDirectory()
    let command = directory.appending("command")
    try FileManager.default.createSymbolicLink(atPath: command, withDestinationPath: "/bin/true")
    _ = try router.scene("--allow", "*", "--exec", command)
    #expect(try router.scenectl("open", "n:1").status == 0)
    try FileManager.default.removeItem(atPath: command)
    let run = try router.scenectl("open", "n:1")
    #expect(run.status == 4)
    #expect(run.output.contains("(\(command) could not be run: "))
  }

  @Test func optionsMayFollowTheCommand() throws {
    let scene = try router.start(
      "scene",
      "--exec",
      "sh",
      "--json",
      "--allow",
      "*",
      "--",
      "-c",
      "exit 9",
      "--json"
    )
    try scene.outputLine(containing: #""opened":true"#)
    #expect(try router.scenectl("open", "n:1").status == 4)
    #expect(try JSONObject(scene.nextLine())["reason"] == "sh ended with status 9")
  }

  @Test func commandsAreRunOneAfterTheOther() throws {
    let directory = try TemporaryDirectory()
    let gate = directory.appending("gate")
    #expect(mkfifo(gate, 0o600) == 0)
    let (id, scene) = try router.scene(
      "--allow",
      "*",
      "--exec",
      "sh",
      "--",
      "-c",
      "case $SCENED_URL in n:1) read line <\(gate);; esac"
    )
    let first = try router.openWithoutEnd("n:1")
    let second = try router.openWithoutEnd("n:2")
    try "go\n".write(toFile: gate, atomically: false, encoding: .utf8)
    #expect(try first.waitForEnd() == .exit(0))
    #expect(try second.waitForEnd() == .exit(0))
    #expect(try scene.nextLine() == "\(id): acknowledged n:1")
    #expect(try scene.nextLine() == "\(id): acknowledged n:2")
  }

  @Test func sceneWithoutIdentifiersIsWarnedOf() throws {
    let scene = try router.start("scene", "--application", "A")
    #expect(try scene.errorLine(containing: "").contains("no --showing, --prefer or --allow"))
    try scene.outputLine(containing: ": open")
    for option in ["--showing", "--prefer", "--allow"] {
      let (_, scene) = try router.scene(option, "p:1")
      #expect(scene.errorText == "")
    }
  }

  /// The page goes to the scene that shows the page, although the browser claims the scheme `https`.
  @Test func shownPageAndFileComeToTheScene() throws {
    let directory = try TemporaryDirectory()
    let file = directory.appending("a b.txt")
    _ = FileManager.default.createFile(atPath: file, contents: nil)
    _ = try router.declare("--application", "Browser", "--claim-scheme", "https", "--scene", "page")
    let page = "https://wiki.example.org/a"
    let (id, _) = try router.scene("--application", "Wiki", "--showing", page, "--showing", file + ":7")
    let urls = [page + "#section", "HTTPS://WIKI.example.org:443/./a"]
    for url in urls + [file, "file://\(machineName)\(directory.path)/a%20b%2Etxt"] {
      let run = try router.scenectl("open", "--json", url)
      let object = try #require(try run.objects().first)
      #expect(object["decision.rule"] == "showing")
      #expect(object["decision.sceneId"] == id)
    }
    #expect(
      try router.scenectl("open", "--json", page + "?b").objects()[0]["decision.applicationId"] == "Browser"
    )
    let listed = try #require(
      try router.scenectl("scenes", "--json", "--application", "Wiki").objects().first
    )
    #expect(listed["context.registrations.0.showing.0"] == page)
    #expect(listed["context.registrations.0.showing.1"] == "file://\(directory.path)/a%20b.txt")
    #expect(
      try router.scenectl("scenes", "--full").output.contains("\(page), file://\(directory.path)/a%20b.txt")
    )
    #expect(try router.scenectl("explain", "--full", page).output.contains("showing"))
  }

  @Test func lineOfAFileIsInTheEnvironmentOfTheCommand() throws {
    let directory = try TemporaryDirectory()
    let (id, scene) = try router.scene(
      "--allow",
      "*",
      "--exec",
      "sh",
      "--",
      "-c",
      "echo \"$SCENED_LINE,${SCENED_COLUMN-none}\""
    )
    _ = try router.scenectl(
      "open",
      "file://\(directory.path)/a#L10,3",
      "file://\(directory.path)/b#L7",
      "x:1"
    )
    for line in ["10,3", "7,none", ",none"] {
      #expect(try scene.nextLine() == line)
      #expect(try scene.nextLine().hasPrefix("\(id): acknowledged"))
    }
  }

  @Test func sceneEndsWithItsRouterIfItIsToldTo() throws {
    let (_, scene) = try router.scene("--allow", "*", "--no-reconnect")
    router.daemon.send(signal: SIGKILL)
    #expect(try scene.waitForEnd() == .exit(1))
    #expect(scene.errorText.contains("The connection to the router has ended."))
  }

  @Test func sceneOfADeclarationIsListedWithIt() throws {
    _ = try router.scene("--application", "A", "--declaration", "main")
    #expect(try router.scenectl("scenes", "--json").objects()[0]["context.declarationId"] == "main")
  }
}
