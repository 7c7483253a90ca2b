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
  private let limit = Deadline()

  init() throws {
    session = try DesktopSession(on: .openbox)
    web = try session.startPython("web.py", session.path(""))
    proxy = try web.outputLine(containing: "", by: limit)
  }

  /// Starts a browser with a page, waits until the browser's window is a scene, and returns the browser.
  private func browser(
    _ kind: BrowserKind,
    _ page: String,
    profile: String = "profile",
    host: String? = nil,
    extension: String? = nil
  ) throws -> BrowserUnderTest {
    if session.router == nil { try startRouter(for: kind) }
    let browser = try BrowserUnderTest(
      kind,
      in: session,
      proxy: proxy,
      profile: profile,
      host: host,
      extension: `extension`
    )
    try browser.start(page)
    try session.waitForScenes(of: kind.application, showing: [[page]], by: limit)
    try web.outputLine(containing: "shown?\(page)", by: limit)
    return browser
  }

  /// Starts scened with the browser as the user's default.
  ///
  /// Otherwise each link would first try to start Debian's first browser, if that is the other one.
  private func startRouter(for kind: BrowserKind) throws {
    try session.run("xdg-settings", "set", "default-web-browser", "\(kind.application).desktop")
    try session.startRouter(opening: "https", "http")
  }

  /// Writes a script that runs `host.py` between the browser and the adapter's host, and returns the script's path.
  private func newerHost() throws -> String {
    let program = PackageDirectory.appending("Tests/EndToEnd/DesktopTests/Python/host.py")
    return try session.writeScript(
      "host",
      "exec /usr/bin/python3 \(program) \(session.path("")) \(BrowserUnderTest.host) \"$@\""
    )
  }

  /// The messages that the browser has sent to the script of ``newerHost()``, each a JSON object.
  private func said() throws -> [Substring] {
    try String(contentsOfFile: session.path("said"), encoding: .utf8).split(separator: "\n")
  }

  /// Opens a link, and returns how that ended.
  @discardableResult
  private func open(_ link: String, _ options: String...) throws -> String {
    let (_, output, error) = try SpawnedProgram.run(
      session.scenectl,
      ["open", "--timeout", "90"] + options + [link],
      environment: session.environment,
      by: limit
    )
    return output + error
  }

  /// The number of requests that the sites got for an address.
  private func requests(_ text: String) -> Int {
    web.outputText.split(separator: "\n").count { $0.hasSuffix("GET \(text)") }
  }

  @Test(arguments: BrowserKind.allCases)
  func linkGoesToTheTabThatShowsItAndElseToTheWindowUsedLast(kind: BrowserKind) throws {
    let (first, second) = ("http://a.test/1?33cc66", "http://b.test/2?cc3366")
    let third = "http://a.test/3?3366cc"
    let browser = try browser(kind, first)
    let application = kind.application
    try browser.drive("window", second)
    try session.waitForScenes(of: application, showing: [[first], [second]])
    try browser.waitForFocus(second)
    try session.takePicture("\(application)-1-second-window", of: "cc3366")
    #expect(try session.scenes(of: application).allSatisfy { $0.context.registrations[0].allowing == ["*"] })

    #expect(try open(first).contains("it shows this page"))
    try browser.waitForFocus(first)
    try session.takePicture("\(application)-2-link-to-first-window", of: "33cc66")
    // The user moves on to another tab. A link to the first page brings its tab to the front again, although the link
    // spells the page's address differently.
    try browser.drive("tab", third)
    try session.waitForScenes(of: application, showing: [[first, third], [second]])
    try browser.waitForFocus(third)
    try session.takePicture("\(application)-3-tab-before", of: "3366cc")
    #expect(try open("HTTP://A.test:80/%31?33cc66").contains("it shows this page"))
    try browser.waitForFocus(first)
    try session.takePicture("\(application)-4-link-to-tab-behind", of: "33cc66")
    #expect(try open("\(first)#place").contains("it shows this page"))
    try web.outputLine(containing: "moved?\(first)%23place", by: limit)
    try browser.waitForFocus(first)
    #expect(requests(first) == 1, "The page is loaded once.")

    // A link whose page no window shows goes to the window that was used last.
    let other = "http://c.test/?\(first)"
    #expect(try open(other).contains("it allows every event"))
    try session.waitForScenes(of: application, showing: [[first, third, other], [second]])
    try browser.waitForFocus(other)

    try browser.drive("move", other)
    try session.waitForScenes(of: application, showing: [[first, third], [other], [second]])
    try browser.drive("close", second)
    try session.waitForScenes(of: application, showing: [[first, third], [other]])
    #expect(try open(first).contains("it shows this page"))
    try browser.waitForFocus(first)

    // A private window is not a scene, so that a link to its page goes to another window.
    try browser.openPrivateWindow("http://private.test/")
    try web.outputLine(containing: "shown?http://private.test/", by: limit)
    #expect(try open("http://private.test/").contains("it allows every event"))
    try web.outputLine(containing: "shown?http://private.test/", by: limit)
    let pages: [Set<String>] = [[first, third, "http://private.test/"], [other]]
    try session.waitForScenes(of: application, showing: pages)
  }

  /// Writes an extension that is late; returns its directory.
  ///
  /// Its descriptions of windows name the first one as focused, and it raises a window a second after the link was taken.
  private func lateExtension() throws -> String {
    let directory = session.path("late")
    try session.run("cp", "-r", BrowserUnderTest.ownExtension, directory)
    var script = try String(contentsOfFile: "\(directory)/scened.js", encoding: .utf8)
    let late = """
      const pause = (time) => new Promise((resolve) => setTimeout(resolve, time))
      const late = async (what) => {
        const windows = (await chrome.windows.getAll(what)).map((window, index) => ({ ...window, focused: !index }))
        await pause(500)
        return windows
      }

      """
    for (call, lateCall) in [
      ("await chrome.windows.getAll(", "await late("),
      ("await chrome.action.setTitle(", "await pause(1000)\nawait chrome.action.setTitle("),
    ] {
      try #require(script.ranges(of: call).count == 1)
      script.replace(call, with: lateCall)
    }
    try session.write("late/scened.js", late + script)
    return directory
  }

  /// Opens windows one after the other, each followed by a link that has to open in the new window.
  private func expectLinksInNewWindows(of browser: BrowserUnderTest, _ count: Int) throws {
    for number in 1...count {
      let (page, link) = ("http://new.test/\(number)", "http://link.test/\(number)")
      try browser.drive("window", page)
      try session.waitForActiveScene(of: browser.kind.application, showing: page)
      let opened = try open(link)
      #expect(opened.contains("it allows every event"), "\(opened)")
      var scenes: [BrowserScene] = []
      try limit.wait("\(link) is not with \(page): \(scenes)") {
        scenes = try session.scenes(of: browser.kind.application)
        return scenes.contains { $0.showing == [page, link] }
      }
    }
  }

  @Test(arguments: BrowserKind.allCases)
  func linkAfterANewWindowOpensInThisWindow(kind: BrowserKind) throws {
    try expectLinksInNewWindows(of: browser(kind, "http://a.test/1"), 20)
  }

  @Test(arguments: BrowserKind.allCases)
  func focusThatComesWhileAWindowIsDescribedIsKept(kind: BrowserKind) throws {
    let browser = try browser(kind, "http://a.test/1", extension: lateExtension())
    try expectLinksInNewWindows(of: browser, 3)
    // The user leaves a new window before scened knows it. The next link follows the user.
    try browser.drive("window", "http://left.test/")
    try browser.waitForFocus("http://left.test/")
    try session.run("wmctrl", "-a", "http://link.test/2")
    try browser.waitForFocus("http://link.test/2")
    try session.waitForScenes(
      of: kind.application,
      showing: [["http://a.test/1"], ["http://left.test/"]]
        + (1...3).map { ["http://new.test/\($0)", "http://link.test/\($0)"] }
    )
    try session.waitForActiveScene(of: kind.application, showing: "http://new.test/2")
    try open("http://link.test/4")
    let pages: Set<String> = ["http://new.test/2", "http://link.test/2", "http://link.test/4"]
    try limit.wait("No window shows \(pages).") {
      try session.scenes(of: kind.application).contains { $0.showing == pages }
    }
  }

  /// Fragments that are routes of an application tell pages apart; all others stay unknown to scened.
  @Test(arguments: BrowserKind.allCases)
  func pagesOfAnApplicationDifferInTheirRoutes(kind: BrowserKind) throws {
    let (first, second, third) = ("http://app.test/#/m/1", "http://app.test/#!m/2", "http://app.test/#/m/3")
    let browser = try BrowserUnderTest(kind, in: session, proxy: proxy)
    try startRouter(for: kind)
    try browser.start(first)
    try session.waitForScenes(of: kind.application, showing: [[first]])
    for fragment in ["access_token=secret", "place", "", "x/#/y", "%2Fm"] {
      try browser.drive("tab", "http://token.test/\(fragment.count)#\(fragment)")
    }
    try browser.drive("tab", second)
    let pages = Set([19, 5, 0, 4].map { "http://token.test/\($0)" }).union([first, second])
    try session.waitForScenes(of: kind.application, showing: [pages])
    for link in [first, second, first] {
      #expect(try open(link).contains("it shows this page"))
      try browser.waitForFocus(link)
    }
    try browser.drive("window", third)
    try session.waitForScenes(of: kind.application, showing: [pages, [third]])
    try browser.waitForFocus(third)
    for link in [second, third, first] {
      #expect(try open(link).contains("it shows this page"))
      try browser.waitForFocus(link)
    }
    // No tab has this route, so that the application in one of the tabs goes there.
    #expect(try open("http://app.test/#/m/4").contains("it shows this page"))
    try browser.waitForFocus("http://app.test/#/m/4")
  }

  /// Each window of the browser is one scene after scened is installed, and again after each end of a process.
  ///
  /// The native host, scened, the extension's worker and the browser end one after the other.
  @Test(arguments: BrowserKind.allCases)
  func everythingIsSaidWhenScenedComesAndAgainAfterEachEnd(kind: BrowserKind) throws {
    let (first, second, third) = ("http://a.test/1", "http://b.test/2", "http://b.test/3")
    let browser = try BrowserUnderTest(kind, in: session, proxy: proxy)
    try browser.start(first)
    try browser.drive("status", "are scened and scened-browser installed?")
    try session.installRouter(opening: ["https", "http"])
    try browser.drive("status", "finds no scened: run")
    try session.startInstalledRouter()
    try session.waitForScenes(of: kind.application, showing: [[first]])
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
    // After the extension's worker has ended, the next tab that the user opens starts the worker again.
    try browser.waitForFocus(first)
    let pages: [Set<String>] = [[first, third], [second]]
    try expectBack(showing: pages) {
      try browser.drive("endworker")
      try browser.drive("tab", third)
    }
    // The browser restores its windows when it starts.
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
    let usual = try browser(.firefox, "http://u.test/1", profile: "usual")
    #expect(try firefox.drive("status", "Connected").contains("as \"\(profile)\""))
    let declared = try session.run(session.scenectl, "applications", "--json")
    #expect(declared.contains(#""hosts":["work.test","other.test/team"]"#), "\(declared)")

    #expect(try open("http://work.test/1").contains("of \(profile)"))
    #expect(try open("http://other.test/team/1").contains("of \(profile)"))
    #expect(try open("http://other.test/").contains("of chromium"))
    #expect(try open("http://u.test/1").contains("of firefox-esr: it shows this page"))
    try usual.waitForFocus("http://u.test/1")
    #expect(try open("http://f.test/1").contains("of \(profile): it shows this page"))
    try firefox.waitForFocus("http://f.test/1")
    let pages: [Set<String>] = [["http://f.test/1", "http://work.test/1", "http://other.test/team/1"]]
    try session.waitForScenes(of: profile, showing: pages)

    // The menu is used for three links. Another application claims the first link, nobody claims or shows the second
    // link, and another application shows the third link.
    let events = try session.events()
    try chooseRightWindow(for: "http://work.test/2", in: chromium, until: "shown?http://work.test/2")
    try chooseRightWindow(for: "http://nobody.test/", in: chromium, until: "shown?http://nobody.test/")
    // The extension may report the new page to scened only after the site has got the request.
    try limit.wait("No window shows the page.") {
      try session.scenes(of: "chromium")[0].showing.contains("http://nobody.test/")
    }
    try chooseRightWindow(for: "http://a.test/1", in: firefox, until: "seen?http://a.test/1")
    #expect(requests("http://work.test/2") == 1 && requests("http://a.test/1") == 1)
    #expect(try session.events() == events + 2, "A link that has come is never sent on.")

    // Closes all windows of the profile except a private window. A private window is no scene, so the next link opens a
    // new window.
    try firefox.openPrivateWindow("http://private.test/")
    try web.outputLine(containing: "shown?http://private.test/", by: limit)
    for page in ["http://f.test/1", "work.test/1", "work.test/2", "other.test", "links.test"] {
      try firefox.drive("close", page)
    }
    try session.waitForScenes(of: profile, showing: [])
    #expect(try open("http://work.test/3").isTakenByANewWindow)
    try session.waitForScenes(of: profile, showing: [["http://work.test/3"]])
  }

  /// Chromium runs all profiles in one process, each with an extension and a host of its own.
  @Test func profilesOfAChromiumKeepTheirPagesAndLinksApart() throws {
    let profile = "scened-profile-chromium-Work"
    // The test writes the names of the profiles, because Chromium writes the names only later.
    let names = #"{"profile": {"info_cache": {"Default": {"name": "Usual"}, "Profile 1": {"name": "Work"}}}}"#
    try session.write(".config/chromium/Local State", names)
    let (first, second, third) = ("http://a.test/1", "http://b.test/2", "http://b.test/3")
    let chromium = try browser(.chromium, first)
    let command = chromium.command + ["--profile-directory=Profile 1"]
    try session.run(command + [second])
    try session.waitForScenes(of: "chromium", showing: [[first], [second]])
    for page in [first, second] {
      #expect(try open(page).contains("of chromium: it shows this page"))
      try chromium.waitForFocus(page)
    }
    // The second start of the profile adds its page to the window of the first start.
    try session.run(command + [third])
    try session.waitForScenes(of: "chromium", showing: [[first], [second, third]])

    try chromium.drive("options", #"{"name": "Work", "sites": "work.test"}"#, second)
    try session.waitForScenes(of: profile, showing: [[second, third]])
    try session.waitForScenes(of: "chromium", showing: [[first]])
    #expect(try open("http://work.test/1").contains("of \(profile)"))
    #expect(try open("http://other.test/").contains("of chromium"))
    let pages: Set<String> = [second, third, "http://work.test/1"]
    try session.waitForScenes(of: profile, showing: [pages])

    // Gives the other profile the same name. The windows of both profiles are now scenes of one application. The
    // application keeps the sites of the profile that had the name first, and does not get the other profile's sites.
    try chromium.drive("options", #"{"name": "Work", "sites": "other.test"}"#, first)
    try session.waitForScenes(of: profile, showing: [pages, [first, "http://other.test/"]])
    try chromium.drive("status", "is already declared over another connection", first)
    #expect(try session.run(session.scenectl, "applications", "--json").contains(#""hosts":["work.test"]"#))
    try chromium.drive("options", #"{"name": "", "sites": ""}"#, first)
    try session.waitForScenes(of: "chromium", showing: [[first, "http://other.test/"]])

    // The user chooses the profile for the site. A link to the site then starts the browser if no browser runs.
    let exec = chromium.command.joined(separator: " ") + " %U"
    try session.install("chromium.desktop", exec: exec, "MimeType=x-scheme-handler/http;")
    try session.run(session.scenectl, "handler", "set", "work.test", "chromium", "--profile", "Work")
    #expect(try open("http://work.test/1").contains("of \(profile): it shows this page"))
    try chromium.quit()
    try session.waitForScenes(of: profile, showing: [])
    #expect(try open("http://work.test/2").contains(profile))
    try session.waitForScenes(of: profile, showing: [["http://work.test/2"]])
    #expect(try open("http://work.test/3").contains("of \(profile)"))
    try session.waitForScenes(of: profile, showing: [["http://work.test/2", "http://work.test/3"]])
  }

  /// Only Firefox is tested, because only Firefox can open two thousand tabs without loading their pages.
  @Test func windowWithTwoThousandTabsShowsThoseThatWereUsedLast() throws {
    let first = "http://a.test/1"
    let browser = try browser(.firefox, first)
    try browser.drive("tabs", "2000", "http://many.test/")
    func waitForPages(_ condition: (Set<String>) -> Bool) throws {
      while true {
        let scenes = try session.scenes(of: "firefox-esr")
        if scenes.count == 1, scenes[0].showing.count == 1500, condition(scenes[0].showing) { return }
        try #require(limit.millisecondsLeft > 0, "\(scenes.map(\.showing.count))")
      }
    }
    try waitForPages { $0.contains(first) && $0.contains("http://many.test/1999") }
    #expect(try !session.scenes(of: "firefox-esr")[0].showing.contains("http://many.test/3"))
    try browser.drive("select", "http://many.test/3")
    try waitForPages { $0.contains("http://many.test/3") }
    // This page is not among the 1,500 pages that the scene shows, but the browser still finds the page's tab.
    #expect(try open("http://many.test/7").contains("it allows every event"))
    try browser.waitForFocus("http://many.test/7")
    try waitForPages { $0.contains("http://many.test/3") && $0.contains("http://many.test/7") }
    #expect(requests("http://many.test/7") == 1)
  }

  /// Opens a page with one large link, clicks on the link, and chooses the extension's entry in the menu.
  private func chooseRightWindow(for link: String, in browser: BrowserUnderTest, until line: String) throws {
    let page = "http://links.test/link?\(link)"
    try browser.drive("tab", page)
    while true {
      // The browser that had the last link may still take the focus.
      try limit.wait("'\(page)' does not get the focus.") {
        if try session.focusedWindow?.hasPrefix(page) == true { return true }
        _ = try? session.run("wmctrl", "-a", page)
        return false
      }
      try session.run("xdotool", "mousemove", "512", "500", "click", "3")
      let end = Deadline(in: .seconds(2))
      // The key is pressed repeatedly, because the test cannot see whether the menu is open.
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
    // scened knows no page of the browser any more, but the browser itself still finds the tab.
    try open("http://a.test/3")
    try browser.waitForFocus("http://a.test/3")
    #expect(requests("http://a.test/3") == 1)
    // Replaces the file of `scenectl`, which the adapter is running, as an upgrade would.
    try session.run("sh", "-c", #"cp "$0" "$0.new" && mv "$0.new" "$0""#, session.scenectl)
    #expect(try !browser.isFoundWithoutAdapter())
    try browser.drive("options", #"{"on": false}"#)
    try session.waitForScenes(of: kind.application, showing: [])
    #expect(try browser.isFoundWithoutAdapter())
  }

  /// The browser opens a window on request.
  ///
  /// The request is withdrawn before the window becomes a scene.
  @Test(arguments: BrowserKind.allCases)
  func blankWindowIsClosedWhenItsRequestIsWithdrawn(kind: BrowserKind) throws {
    let page = "http://a.test/1"
    let browser = try browser(kind, page, host: newerHost())
    try session.write("request", "")
    try open(page)
    let isRequested = { (line: Substring) in line.contains(#""request":"a""#) }
    try limit.wait("No window answers the request.") { try said().contains(where: isRequested) }
    let line = try #require(try said().first(where: isRequested))
    let key = try #require(line.firstMatch(of: /"scene":"(\d+)"/)?.1)
    try limit.wait("The window stays open.") { try said().contains(#"{"close":"\#(key)"}"#) }
    try session.waitForScenes(of: kind.application, showing: [[page]])
    try browser.waitForFocus(page)
  }

  @Test(arguments: BrowserKind.allCases)
  func unusualPagesAndLinksAndOtherVersionsChangeNothing(kind: BrowserKind) throws {
    let first = "http://a.test/1"
    // `host.py` sends words of newer versions to the browser and to its host, which do not know these words.
    let browser = try browser(kind, first, host: newerHost())
    #expect(try browser.drive("status", "The word 'novelty' is not known here.").hasPrefix("Connected"))
    // The host speaks a version of the contract that the extension does not know, and later the right version.
    try session.write("version", "2")
    try session.killHost(of: kind.application)
    try browser.drive("status", "do not fit: update the older one")
    try session.waitForScenes(of: kind.application, showing: [])
    try session.run("rm", session.path("version"))
    try session.waitForScenes(of: kind.application, showing: [[first]])
    let tooLong = "http://a.test/\(String(repeating: "x", count: 1 << 16))"
    for page in ["about:blank", "data:text/html,x", tooLong] {
      try browser.drive("tab", page)
    }
    // Each of these addresses has 4,000 bytes. A scene shows at most 200 KiB of addresses.
    let long = "http://many.test/\(String(repeating: "y", count: 3980))"
    try browser.drive("tabs", "60", long)
    var scenes: [BrowserScene] = []
    try limit.wait("\(scenes)") {
      scenes = try session.scenes(of: kind.application)
      return scenes.first.map { $0.showing.count >= 50 } ?? false
    }
    #expect(scenes.count == 1)
    #expect(scenes[0].showing.reduce(0) { $0 + $1.utf8.count } <= 200 << 10)
    #expect(scenes[0].showing.allSatisfy { $0.hasPrefix("http://") })
    #expect(try browser.drive("status", "are not shown").contains("Connected"))

    // A popup must not become a scene.
    try browser.drive("run", first, "void open('http://popup.test/', '', 'popup,width=200,height=200')")
    try web.outputLine(containing: "shown?http://popup.test/", by: limit)
    // This script changes the page's address a thousand times. It uses messages instead of timers, because timers are
    // slow in a hidden tab.
    let storm = """
      const { port1, port2 } = new MessageChannel()
      let i = 0
      port1.onmessage = () => {
        history.pushState(null, '', '/storm' + ++i)
        if (i < 1000) port2.postMessage(null)
      }
      port2.postMessage(null)
      """
    let (before, begin) = (try said().count, ContinuousClock.now)
    try browser.drive("run", first, "(() => { \(storm) })()")
    try limit.wait("\(scenes)") {
      scenes = try session.scenes(of: kind.application)
      return scenes.first?.showing.contains("http://a.test/storm1000") ?? false
    }
    let count = try said().count - before
    let most: Double = 1 + (ContinuousClock.now - begin) / Duration.milliseconds(50)
    #expect(Double(count) <= most)
    #expect(scenes.count == 1)
    #expect(!scenes[0].showing.contains { $0.contains("popup") || $0.hasSuffix("/storm1") })

    let events = try session.events()
    for link in ["javascript:alert(1)", "data:text/html,x", "about:config", "chrome://settings"] {
      let scene = scenes[0].runtime.sceneId
      #expect(try open(link, "--scene", scene).contains("opens only pages of the web and files"), "\(link)")
    }
    #expect(try session.events() == events + 4)
    #expect(try open(tooLong).contains("urlLength"))
    #expect(try open("http://a.test/storm1000").contains("it shows this page"))
    try browser.waitForFocus("http://a.test/1")
  }
}
