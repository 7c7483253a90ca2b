import TestSupport
import Testing

/// `scenectl send`: user activities.
@Suite(.blocking) struct SendTests {
  private let router: Router

  init() throws { router = try Router() }

  @Test func everyOptionArrives() throws {
    let scene = try router.start("scene", "--json", "--allow", "*")
    try scene.outputLine(containing: "opened")
    let run = try Router.scenectl(
      [
        "send", "--activity-type", "org.example.view", "--target-content-identifier", "doc/1",
        "--webpage-url", "https://example.org/1", "--title", "A title", "--user-info",
        #"{"b":1.0,"a":[true]}"#,
      ],
      environment: router.environment
    )
    #expect(run.status == 0)
    let line = try scene.nextLine()
    #expect(line.contains(#""userInfo":{"b":1.0,"a":[true]}"#), "It is handed on byte for byte.")
    let delivery = try JSONObject(line)
    #expect(delivery["delivery.event.activity.activityType"] == "org.example.view")
    #expect(delivery["delivery.event.activity.targetContentIdentifier"] == "doc/1")
    #expect(delivery["delivery.event.activity.webpageURL"] == "https://example.org/1")
    #expect(delivery["delivery.event.activity.title"] == "A title")
  }

  @Test(arguments: [
    (["--target-content-identifier", "doc/1", "--title", "T"], "org.example.view doc/1"),
    (["--webpage-url", "web:doc/1", "--title", "T"], "org.example.view web:doc/1"),
  ])
  func activityIsToldWithWhatIsCompared(options: [String], summary: String) throws {
    let (id, _) = try router.scene("--prefer", "doc/1")
    let run = try Router.scenectl(
      ["send", "--activity-type", "org.example.view"] + options,
      environment: router.environment
    )
    #expect(
      run.output == "\(summary): taken by scene \(id) of scenectl: it prefers identifier 'doc/1'\n"
    )
  }

  @Test(arguments: [
    ("{", "The user info is not valid. "),
    (#"{"a":1,"a":2}"#, "The user info is not valid. "),
    ("[]", "The user info is not a JSON object."),
  ])
  func badUserInfoIsAnError(userInfo: String, sentence: String) throws {
    let run = try router.scenectl("send", "--activity-type", "t", "--user-info", userInfo)
    #expect(run.status == 1)
    #expect(run.error.hasPrefix("scenectl: \(sentence)"))
    #expect(run.output == "")
  }

  @Test func errorNamesTheOption() throws {
    let run = try router.scenectl("send", "--activity-type", "t", "--webpage-url", "relative")
    #expect(run.status == 1)
    #expect(
      run.error == """
        scenectl: t relative: The value of --webpage-url is not an absolute URL without white space.

        """
    )
  }

  @Test func pageIsRepaired() throws {
    let (id, scene) = try router.scene("--prefer", "a%20b")
    let run = try router.scenectl("send", "--activity-type", "t", "--webpage-url", "https://e.example/a b\n")
    #expect(run.output.contains("taken by scene \(id)"))
    #expect(try scene.nextLine().contains("https://e.example/a%20b"))
  }

  @Test func routingOptionsAreThoseOfOpen() throws {
    let (id, scene) = try router.scene("--application", "Second")
    for options in [
      ["--scene", id], ["--scene", id, "--event-id", "e"], ["--scene", id, "--event-id", "e"],
    ] {
      let run = try Router.scenectl(
        ["send", "--activity-type", "t", "--timeout", "5", "--no-new-scene"] + options,
        environment: router.environment
      )
      #expect(run.output == "t: taken by scene \(id) of Second: the sender named this scene\n")
    }
    _ = try router.scenectl("send", "--activity-type", "last", "--scene", id, "--no-wait")
    #expect(try (1...3).map { _ in try scene.nextLine() }.last == "\(id): acknowledged last")
    #expect(try router.scenectl("send", "--activity-type", "t", "--application", "Second").status == 3)
  }
}
