import Foundation
import TestSupport
import Testing

@Suite(.blocking) struct DeclareTests {
  private let router: Router

  init() throws { router = try Router() }

  @Test func linkFindsTheSceneThatWasOpenedForIt() throws {
    let application = try router.declare(
      "--application",
      "MyPhotos",
      "--scene",
      "browser",
      "--scene",
      "detail=photoIdentifier=,other"
    )
    let first = try router.scenectl("open", "p:?photoIdentifier=1")
    #expect(first.status == 0)
    let line = try application.nextLine()
    let detail = String(line.prefix { $0 != ":" })
    #expect(line == "\(detail): open")
    #expect(
      first.output == """
        p:?photoIdentifier=1: taken by the new window "detail" of MyPhotos: \
        its declaration opens scenes for identifier 'photoIdentifier='

        """
    )
    #expect(try application.nextLine() == "\(detail): acknowledged p:?photoIdentifier=1")
    #expect(
      try router.scenectl("open", "p:?photoIdentifier=1").output == """
        p:?photoIdentifier=1: taken by window "detail" of MyPhotos: it shows this document

        """
    )
    #expect(try router.scenectl("open", "p:other").output.contains("opens scenes for identifier 'other'"))
    #expect(
      try router.scenectl("open", "p:albums").output.contains("of MyPhotos: its declaration has no condition")
    )
    let declarations = try router.scenectl("scenes", "--json").objects().map { $0["context.declarationId"] }
    #expect(declarations == ["detail", "detail", "browser"])
  }

  @Test func claimedSchemeGoesToItsApplicationOnly() throws {
    _ = try router.scene("--application", "Greedy", "--allow", "*")
    _ = try router.declare("--application", "Photos", "--claim-scheme", "photos", "--scene", "browser")
    #expect(try router.scenectl("open", "photos:1").output.contains("of Photos"))
    #expect(try router.scenectl("open", "other:1").output.contains("of Greedy: it allows"))
  }

  @Test func linksOfAClaimedHostComeBeforeThoseOfTheScheme() throws {
    _ = try router.declare("--application", "Browser", "--claim-scheme", "https", "--scene", "page")
    _ = try router.declare(
      "--application",
      "Meet",
      "--claim-host",
      "meet.example.org",
      "--claim-host",
      "*.meet.example.org/room",
      "--scene",
      "call"
    )
    let url = "https://meet.example.org/1"
    let explained = try router.scenectl("explain", url)
    #expect(explained.lines.first?.hasPrefix("\(url) would go to a new scene 'call' of Meet") == true)
    #expect(try router.scenectl("open", url).output.contains("of Meet"))
    #expect(try router.scenectl("open", "https://a.meet.example.org/room/1").output.contains("of Meet"))
    #expect(try router.scenectl("open", "https://example.org/1").output.contains("of Browser"))
  }

  @Test func malformedHostIsNamed() throws {
    let run = try router.scenectl(
      "declare",
      "--application",
      "Meet",
      "--claim-host",
      "https://meet.example.org",
      "--scene",
      "call"
    )
    #expect(run.status == 1)
    #expect(run.error.contains("claims.hosts[0]"))
  }

  @Test func declarationWithNoIdentifiersOpensForNothing() throws {
    _ = try router.declare("--application", "Photos", "--scene", "never=")
    #expect(try router.scenectl("open", "p:1").status == 3)
  }

  @Test func commandIsRunForEachEvent() throws {
    _ = try router.declare(
      "--application",
      "Photos",
      "--scene",
      "browser",
      "--exec",
      "sh",
      "--",
      "-c",
      "exit 9"
    )
    let run = try router.scenectl("open", "p:1")
    #expect(run.status == 4)
    #expect(run.output.contains("(sh ended with status 9)"))
    let missing = try router.scenectl(
      "declare",
      "--application",
      "B",
      "--scene",
      "b",
      "--exec",
      "no-such-program"
    )
    #expect(missing.status == 1)
    #expect(missing.error == "scenectl: There is no program 'no-such-program' for --exec.\n")
  }

  @Test func everythingIsToldAsJSON() throws {
    let application = try router.start(
      "declare",
      "--json",
      "--no-reconnect",
      "--application",
      "Photos",
      "--scene",
      "browser"
    )
    #expect(try JSONObject(application.nextLine())["applicationId"] == "Photos")
    #expect(try router.scenectl("open", "p:1").status == 0)
    let opened = try JSONObject(application.nextLine())
    #expect(opened["opened"] != nil)
    let delivery = try JSONObject(application.nextLine())
    #expect(delivery["sceneId"] == opened["sceneId"])
    #expect(delivery["result"] == "acknowledged")
    router.daemon.send(signal: SIGTERM)
    let closed = try [JSONObject(application.nextLine()), JSONObject(application.nextLine())]
    #expect(closed.map { $0["closed"] } == ["shutdown", "shutdown"])
    #expect(Set(closed.map { $0["applicationId"] ?? $0["sceneId"] }) == ["Photos", opened["sceneId"]])
    #expect(try application.waitForEnd() == .exit(1), "The router ended it.")
  }

  @Test func secondDeclarationOfAnApplicationIsRefused() throws {
    let first = try router.declare("--application", "Photos", "--scene", "browser")
    let run = try router.scenectl("declare", "--application", "Photos", "--scene", "browser")
    #expect(run.status == 1)
    #expect(
      run.error == "scenectl: The application 'Photos' is already declared by process \(first.processID).\n"
    )
  }
}
