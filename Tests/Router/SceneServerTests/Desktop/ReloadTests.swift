import Foundation
import RouterInterface
import TestSupport
import Testing
import Varlink

/// Reloads of files, with and without broken entries.
@Suite(.blocking) struct ReloadTests {
  private let desktop: DesktopDaemon

  init() throws { desktop = try DesktopDaemon() }

  private let applications = "home/.local/share/applications"

  @Test func replyComesWhenWhatWasWrittenBeforeIsInPlace() throws {
    try desktop.start()
    for number in 1...20 {
      try desktop.install("a\(number)", "MimeType=x-scheme-handler/x\(number);")
      #expect(try desktop.reload() == Reload(loaded: Int64(number), problems: []))
      #expect(try desktop.explain("x\(number):1").applicationID == "a\(number)")
    }
  }

  @Test func everyOneOfManyCallsAtOnceIsAnswered() throws {
    try desktop.install("a", "MimeType=x-scheme-handler/x;")
    try desktop.start()
    let clients = try (0..<100).map { _ in try desktop.connect() }
    for client in clients { try client.send(Wire.ReloadCall()) }
    for client in clients { #expect(try client.reply(to: Wire.ReloadCall.self).loaded == 1) }
  }

  @Test func hangUpReloadsBeforeTheServiceManagerHearsOfItsEnd() throws {
    try desktop.start()
    let program = try #require(desktop.program)
    for number in 1...20 {
      try desktop.install("a\(number)", "MimeType=x-scheme-handler/x\(number);")
      program.send(signal: SIGHUP)
      try desktop.waitForManager("RELOADING=1")
      try desktop.waitForManager("READY=1")
      #expect(try desktop.explain("x\(number):1").applicationID == "a\(number)")
    }
  }

  @Test func systemsInstanceLoadsNothing() throws {
    try desktop.install("a", "MimeType=x-scheme-handler/x;")
    try desktop.start(["--system"])
    #expect(try desktop.reload() == Reload(loaded: 0, problems: []))
    #expect(try desktop.applications == [])
  }

  /// Replaces a file with a pipe in one step, so that the daemon never finds the file missing.
  private func putPipe(_ name: String) throws {
    let new = desktop.path("pipe")
    try #require(mkfifo(new, 0o644) == 0 && rename(new, desktop.path(name)) == 0)
  }

  /// The entry has wrong lines, exceeds a limit of the router, or cannot be read.
  @Test(arguments: ["[", "[Desktop Entry]\n", nil, String(repeating: "a;", count: 2049)])
  func brokenEntryKeepsItsLastGoodState(_ broken: String?) throws {
    let name = "\(applications)/a.desktop"
    func install(_ scheme: String, _ line: String = "") throws {
      try desktop.install("a", "MimeType=x-scheme-handler/\(scheme);", line)
    }
    try install("x")
    try desktop.start()
    let path = desktop.path(name)
    let before = try desktop.applications
    if let broken, broken.hasSuffix(";") {
      try install("y", "X-Scened-Matching=\(broken)")
    } else if let broken {
      try desktop.write(name, broken)
    } else {
      try putPipe(name)
    }
    for _ in 0..<3 {
      let reply = try desktop.reload()
      #expect(reply.loaded == 1)
      let errors = reply.problems.filter { !$0.isWarning }
      #expect(errors.map(\.path) == [path] && errors.map(\.line) == [1])
      #expect(try desktop.applications == before)
      #expect(try desktop.explain("x:1").applicationID == "a")
    }
    // The journal has one line about the fault.
    let program = try #require(desktop.program)
    try program.errorLine(containing: "\(path):1: error: ")
    #expect(program.errorText.components(separatedBy: "\(path):1: error: ").count == 2)

    if broken == nil { try desktop.remove(name) }
    try install("y")
    #expect(try desktop.reload() == Reload(loaded: 1, problems: []))
    #expect(try desktop.explain("y:1").applicationID == "a")
    #expect(try desktop.explain("x:1").target == .nothing)
    try desktop.write(name, "[")
    #expect(try desktop.reload().loaded == 1)
    #expect(try desktop.explain("y:1").applicationID == "a")
    try desktop.remove(name)
    #expect(try desktop.reload() == Reload(loaded: 0, problems: []))
  }

  @Test func brokenEntryThatWasNeverGoodIsNotThere() throws {
    try desktop.start()
    try desktop.write("\(applications)/a.desktop", "[")
    let reply = try desktop.reload()
    #expect(reply.loaded == 0 && reply.problems.count { !$0.isWarning } == 1)
  }

  @Test func warningsComeAfterErrorsAndAreLoggedAsNotices() throws {
    try desktop.install("a", "MimeType=nonsense;x-scheme-handler/x;")
    try desktop.write("\(applications)/b.desktop", "[Desktop Entry]\n")
    try desktop.start(["--log-level", "warning"])
    let reply = try desktop.reload()
    #expect(reply.loaded == 1)
    #expect(reply.problems.map(\.path) == ["b", "a"].map { desktop.path("\(applications)/\($0).desktop") })
    #expect(reply.problems.map(\.isWarning) == [false, true])
    #expect(try desktop.explain("x:1").target == .newScene)
    let program = try #require(desktop.program)
    try program.errorLine(containing: "b.desktop:1: error: ")
    #expect(!program.errorText.contains("warning"))
  }

  @Test func listsApplyToTheLastGoodState() throws {
    for name in ["a", "b"] { try desktop.install(name, "MimeType=x-scheme-handler/x;x-scheme-handler/y;") }
    try desktop.start()
    try desktop.write("\(applications)/a.desktop", "[")
    try desktop.write(
      "home/.config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/y=b.desktop\n[Removed Associations]\nx-scheme-handler/x=a.desktop\n"
    )
    _ = try desktop.reload()
    #expect(try desktop.explain("x:1").applicationID == "b")
    #expect(try desktop.explain("y:1").applicationID == "b")
    try desktop.remove("home/.config/mimeapps.list")
    _ = try desktop.reload()
    #expect(try desktop.explain("x:1").applicationID == "a")
  }

  @Test(arguments: [
    ("mimeapps.list", "[Default Applications]\nx-scheme-handler/https=b.desktop\n", "https://e.org/"),
    ("intentapps.list", "[org.freedesktop.UriHandler]\ne.org=b.desktop\n", "https://e.org/"),
  ])
  func listThatCannotBeReadKeepsItsLastGoodState(_ name: String, _ text: String, _ url: String) throws {
    for name in ["a", "b"] { try desktop.install(name, "MimeType=x-scheme-handler/https;") }
    let list = "home/.config/\(name)"
    try desktop.write(list, text)
    try desktop.start()
    for unreadable in [nil, String(repeating: "#", count: 1 << 20 + 1)] {
      if let unreadable { try desktop.write(list, unreadable) } else { try putPipe(list) }
      #expect(try desktop.reload().problems.map(\.path) == [desktop.path(list)])
      #expect(try desktop.explain(url).applicationID == "b")
    }
    try desktop.remove(list)
    #expect(try desktop.reload().problems == [])
    #expect(try desktop.explain(url).applicationID == "a")
  }

  @Test(arguments: [
    ("config/mimeapps.list", "[Default Applications]\nx-scheme-handler/https=b.desktop\n", "userDefault"),
    ("config/intentapps.list", "[org.freedesktop.UriHandler]\ne.org=b.desktop\n", "userHost"),
  ])
  func decisionSaysWhereAChoiceStands(_ name: String, _ text: String, _ because: String) throws {
    for name in ["a", "b"] { try desktop.install(name, "MimeType=x-scheme-handler/https;") }
    try desktop.write("home/.\(name)", text)
    try desktop.start()
    let decision = try desktop.explain("https://e.org/")
    #expect(decision.applicationID == "b" && decision.applicationBecause?.rawValue == because)
    #expect(decision.applicationSource == desktop.path("home/.\(name):2"))
  }

  @Test func noMoreProblemsAreToldThanFitIntoAReply() throws {
    for number in 0..<1001 { try desktop.write("\(applications)/\(number).desktop", "[") }
    try desktop.start()
    #expect(try desktop.reload().problems.count == 1000)
  }
}
