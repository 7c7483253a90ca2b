import Foundation
import TestSupport
import Testing

/// Debian's Chromium and Firefox with their adapter, on an X server with a window manager.
///
/// The tests look from outside: at the list of scenes, at the requests that reach the sites, and at the window that has
/// the focus.
@Suite(.blocking, .serialized) final class BrowserTests {
  private let session: DesktopSession
  private let web: SpawnedProgram
  private let proxy: String
  private let limit = Deadline(in: .seconds(120))

  init() throws {
    session = try DesktopSession(on: .openbox)
    web = try session.startPython("web.py", session.path(""))
    proxy = try web.outputLine(containing: "", by: limit)
    try session.startRouter(opening: "https", "http")
  }

  /// Starts a browser with a page, and returns it when its window is a scene.
  private func browser(_ kind: BrowserKind, _ page: String) throws -> BrowserUnderTest {
    let browser = try BrowserUnderTest(kind, in: session, proxy: proxy)
    try browser.start(page)
    try session.waitForScenes(of: kind.application, showing: [[page]], by: limit)
    try web.outputLine(containing: "shown?\(page)", by: limit)
    return browser
  }

  /// Opens a link, and returns how that ended.
  @discardableResult
  private func open(_ link: String, _ options: String...) throws -> String {
    let (_, output, error) = try SpawnedProgram.run(
      session.scenectl,
      ["open"] + options + [link],
      environment: session.environment,
      by: limit
    )
    return output + error
  }

  /// How often the sites were asked for something.
  private func requests(_ text: String) -> Int {
    web.outputText.split(separator: "\n").count { $0.hasSuffix("GET \(text)") }
  }

  @Test(arguments: BrowserKind.allCases)
  func linkGoesToTheTabThatShowsItAndElseToTheWindowUsedLast(kind: BrowserKind) throws {
    let (first, second) = ("http://a.test/1", "http://b.test/2")
    let browser = try browser(kind, first)
    let application = kind.application
    try browser.drive("window", second)
    try session.waitForScenes(of: application, showing: [[first], [second]])
    try browser.waitForFocus(second)
    #expect(try session.scenes(of: application).allSatisfy { $0.context.registrations[0].allowing == ["*"] })

    #expect(try open(first).contains("it shows this page"))
    try browser.waitForFocus(first)
    // The page of a tab behind another one, by another spelling of its address.
    try browser.drive("tab", "http://a.test/3")
    try session.waitForScenes(of: application, showing: [[first, "http://a.test/3"], [second]])
    try browser.waitForFocus("http://a.test/3")
    #expect(try open("HTTP://A.test:80/%31").contains("it shows this page"))
    try browser.waitForFocus(first)
    #expect(try open("\(first)#place").contains("it shows this page"))
    try web.outputLine(containing: "moved?\(first)%23place", by: limit)
    try browser.waitForFocus(first)
    #expect(requests(first) == 1, "The page is loaded once.")

    // The window that was used last gets all other links.
    let other = "http://c.test/?\(first)"
    #expect(try open(other).contains("it allows every event"))
    try session.waitForScenes(of: application, showing: [[first, "http://a.test/3", other], [second]])
    try browser.waitForFocus(other)

    // A tab that is moved to a window of its own, and the end of a window.
    try browser.drive("move", other)
    try session.waitForScenes(of: application, showing: [[first, "http://a.test/3"], [other], [second]])
    try browser.drive("close", second)
    try session.waitForScenes(of: application, showing: [[first, "http://a.test/3"], [other]])
    #expect(try open(first).contains("it shows this page"))
    try browser.waitForFocus(first)

    // A private window is none of scened's business, and a link to its page goes to another window.
    try browser.openPrivateWindow("http://private.test/")
    try web.outputLine(containing: "shown?http://private.test/", by: limit)
    #expect(try open("http://private.test/").contains("it allows every event"))
    try web.outputLine(containing: "shown?http://private.test/", by: limit)
    let pages: [Set<String>] = [[first, "http://a.test/3", "http://private.test/"], [other]]
    try session.waitForScenes(of: application, showing: pages)
  }

  /// The host, the router, the worker and the browser end in turn.
  ///
  /// After each end the same scenes are open, each once.
  @Test(arguments: BrowserKind.allCases)
  func everythingIsSaidAgainAfterEachEnd(kind: BrowserKind) throws {
    let (first, second, third) = ("http://a.test/1", "http://b.test/2", "http://b.test/3")
    let browser = try browser(kind, first)
    try browser.drive("window", second)
    try session.waitForScenes(of: kind.application, showing: [[first], [second]])

    func expectBack(showing pages: [Set<String>], after end: () throws -> Void) throws {
      let before = Set(try session.scenes(of: kind.application).map(\.runtime.sceneId))
      try end()
      var scenes: [BrowserScene]
      repeat {
        scenes = try session.waitForScenes(of: kind.application, showing: pages, by: limit)
      } while !before.isDisjoint(with: scenes.map(\.runtime.sceneId))
      #expect(try open(first).contains("it shows this page"))
      #expect(try session.scenes(of: kind.application).count == pages.count)
    }
    try expectBack(showing: [[first], [second]]) { try session.killHost(of: kind.application) }
    try expectBack(showing: [[first], [second]]) { try session.restartRouter() }
    // The next act of the user starts the worker again.
    try browser.waitForFocus(first)
    let pages: [Set<String>] = [[first, third], [second]]
    try expectBack(showing: pages) {
      try browser.drive("endworker")
      try browser.drive("tab", third)
    }
    // The session is restored.
    try expectBack(showing: pages) {
      try browser.quit()
      try browser.start()
    }
  }

  @Test func namedProfileOfABrowserGetsTheLinksOfItsSites() throws {
    let profile = "scened-profile-firefox-esr-My_20Work"
    let chromium = try browser(.chromium, "http://a.test/1")
    let firefox = try browser(.firefox, "http://f.test/1")
    try session.run(session.scenectl, "handler", "set", "http", "chromium")
    let options = #"{"name": "My Work", "sites": "work.test\nhttps://other.test/team/"}"#
    #expect(try firefox.drive("options", options) == "Saved.")
    try session.waitForScenes(of: profile, showing: [["http://f.test/1"]])
    #expect(try firefox.drive("status", "Connected").contains("as \"\(profile)\""))
    let declared = try session.run(session.scenectl, "applications", "--json")
    #expect(declared.contains(#""hosts":["work.test","other.test/team"]"#), "\(declared)")

    #expect(try open("http://work.test/1").contains("of \(profile)"))
    #expect(try open("http://other.test/team/1").contains("of \(profile)"))
    #expect(try open("http://other.test/").contains("of chromium"))
    #expect(try open("http://f.test/1").contains("of \(profile): it shows this page"))
    let pages: [Set<String>] = [["http://f.test/1", "http://work.test/1", "http://other.test/team/1"]]
    try session.waitForScenes(of: profile, showing: pages)

    // The menu of a link that another application claims, of a link that nobody claims or shows, and of a link that
    // another application shows.
    let events = try session.events()
    try chooseRightWindow(for: "http://work.test/2", in: chromium, until: "shown?http://work.test/2")
    try chooseRightWindow(for: "http://nobody.test/", in: chromium, until: "shown?http://nobody.test/")
    #expect(try session.scenes(of: "chromium")[0].showing.contains("http://nobody.test/"))
    try chooseRightWindow(for: "http://a.test/1", in: firefox, until: "seen?http://a.test/1")
    #expect(requests("http://work.test/2") == 1 && requests("http://a.test/1") == 1)
    #expect(try session.events() == events + 2, "A link that has come is never sent on.")

    // The profile has no window left that people may see, so that one is opened for its link.
    try firefox.openPrivateWindow("http://private.test/")
    try web.outputLine(containing: "shown?http://private.test/", by: limit)
    for page in ["http://f.test/1", "work.test/1", "work.test/2", "other.test", "links.test"] {
      try firefox.drive("close", page)
    }
    try session.waitForScenes(of: profile, showing: [])
    #expect(try open("http://work.test/3").contains("taken by the new scene"))
    try session.waitForScenes(of: profile, showing: [["http://work.test/3"]])
  }

  /// Opens a page that is one large link, clicks on it, and chooses the extension's entry of the menu.
  private func chooseRightWindow(for link: String, in browser: BrowserUnderTest, until line: String) throws {
    let page = "http://links.test/link?\(link)"
    try browser.drive("tab", page)
    while true {
      try browser.waitForFocus(page)
      try session.run("xdotool", "mousemove", "512", "500", "click", "3")
      let end = Deadline(in: .seconds(2))
      // Nothing tells that the menu is open.
      while end.millisecondsLeft > 0 {
        try session.run("xdotool", "key", "h")
        if (try? web.outputLine(containing: line, by: Deadline(in: .milliseconds(300)))) != nil { return }
      }
      try session.run("xdotool", "key", "Escape")
      try #require(limit.millisecondsLeft > 0)
    }
  }

  @Test(arguments: BrowserKind.allCases)
  func pagesThatScenedIsNotToSeeStayUnknown(kind: BrowserKind) throws {
    let browser = try browser(kind, "http://bank.test/1")
    try browser.drive("tab", "http://www.bank.test/2")
    try browser.drive("tab", "http://a.test/3")
    try session.waitForScenes(
      of: kind.application,
      showing: [["http://bank.test/1", "http://www.bank.test/2", "http://a.test/3"]],
      by: limit
    )
    try browser.drive("options", #"{"never": "bank.test"}"#)
    try session.waitForScenes(of: kind.application, showing: [["http://a.test/3"]])
    try browser.drive("options", #"{"sitesOnly": true}"#)
    let scene = try #require(try session.waitForScenes(of: kind.application, showing: [[]]).first)
    #expect(scene.context.title ?? "" == "")
    // The browser itself still finds the tab.
    try open("http://a.test/3")
    try browser.waitForFocus("http://a.test/3")
    #expect(requests("http://a.test/3") == 1)
    #expect(try !browser.isFoundWithoutAdapter())
    try browser.drive("options", #"{"on": false}"#)
    try session.waitForScenes(of: kind.application, showing: [])
    #expect(try browser.isFoundWithoutAdapter())
  }

  @Test(arguments: BrowserKind.allCases)
  func unusualPagesAndLinksChangeNothing(kind: BrowserKind) throws {
    let first = "http://a.test/1"
    let browser = try browser(kind, first)
    let tooLong = "http://a.test/\(String(repeating: "x", count: 1 << 16))"
    for page in ["about:blank", "data:text/html,x", tooLong] {
      try browser.drive("tab", page)
    }
    // Addresses of 4,000 bytes, of which a scene shows 200 KiB.
    let long = "http://many.test/\(String(repeating: "y", count: 3980))"
    try browser.drive("tabs", "60", long)
    var scenes: [BrowserScene] = []
    repeat {
      scenes = try session.scenes(of: kind.application)
      try #require(limit.millisecondsLeft > 0)
    } while scenes.first.map { $0.showing.count < 50 } ?? true
    #expect(scenes.count == 1)
    #expect(scenes[0].showing.reduce(0) { $0 + $1.utf8.count } <= 200 << 10)
    #expect(scenes[0].showing.allSatisfy { $0.hasPrefix("http://") })
    #expect(try browser.drive("status", "are not shown").contains("Connected"))

    // A popup is no window of scened's, and of many addresses of a page the last one counts.
    try browser.drive("run", first, "void open('http://popup.test/', '', 'popup,width=200,height=200')")
    try web.outputLine(containing: "shown?http://popup.test/", by: limit)
    let storm = "for (let i = 0; i < 150; i++) history.replaceState(null, '', '/storm' + i)"
    try browser.drive("run", first, "(() => { \(storm) })()")
    repeat {
      scenes = try session.scenes(of: kind.application)
      try #require(limit.millisecondsLeft > 0)
    } while !(scenes.first?.showing.contains("http://a.test/storm149") ?? false)
    #expect(scenes.count == 1)
    #expect(!scenes[0].showing.contains { $0.contains("popup") || $0.hasSuffix("/storm1") })

    let count = try session.events()
    for link in ["javascript:alert(1)", "data:text/html,x", "about:config", "chrome://settings"] {
      let scene = scenes[0].runtime.sceneId
      #expect(try open(link, "--scene", scene).contains("opens only pages of the web and files"), "\(link)")
    }
    #expect(try session.events() == count + 4)
    #expect(try open(tooLong).contains("urlLength"))
    #expect(try open("http://a.test/storm149").contains("it shows this page"))
    try browser.waitForFocus("http://a.test/1")
  }
}
