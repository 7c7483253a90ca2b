import Foundation
import RouterInterface
import TestSupport
import Testing
import Varlink

/// The daemon reads the entries of installed applications, and routes events to these applications.
@Suite(.blocking) struct DesktopDaemonTests {
  private let desktop: DesktopDaemon

  init() throws { desktop = try DesktopDaemon() }

  @Test func applicationsAreThereFromTheStart() throws {
    try desktop.install(
      "photos",
      "MimeType=image/png;x-scheme-handler/photos;",
      "X-Scened-ActivityTypes=org.example.view;",
      "X-Scened-SingleScene=true",
      "Actions=detail;",
      "[Desktop Action detail]",
      "Name=Detail",
      "Exec=app --detail %u",
      "X-Scened-Matching=photoIdentifier=;",
      "X-Scened-Singleton=true"
    )
    try desktop.start()
    let application = try #require(try desktop.applications.first)
    #expect(
      application
        == ApplicationDescription(
          id: "photos",
          scenes: [
            SceneDeclaration(
              id: "main",
              title: "photos",
              kind: .windowGroup,
              supportedTypes: [],
              isSingleton: false
            ),
            SceneDeclaration(
              id: "detail",
              title: "Detail",
              kind: .windowGroup,
              matching: ["photoIdentifier="],
              supportedTypes: [],
              isSingleton: true
            ),
          ],
          claims: Claims(
            schemes: ["photos"],
            activityTypes: ["org.example.view"],
            mimeTypes: ["image/png"],
            hosts: []
          ),
          isSingleScene: true,
          desktopID: "photos.desktop",
          source: .file,
          path: desktop.path("home/.local/share/applications/photos.desktop"),
          isRunning: false
        )
    )
    #expect(try desktop.explain("photos:photoIdentifier=1").declarationID == "detail")
    #expect(try desktop.explain("file:///a.png", contentType: "image/png").declarationID == "main")
  }

  @Test func theUsersDefaultComesFirstThenTheOthersInTheirOrder() throws {
    for name in ["a", "b"] { try desktop.install(name, "MimeType=x-scheme-handler/x;") }
    for name in ["c", "d"] { try desktop.install(name, "MimeType=x-scheme-handler/y;") }
    try desktop.write(
      "home/.config/mimeapps.list",
      """
      [Default Applications]
      x-scheme-handler/x=scened-open.desktop;b.desktop;
      [Added Associations]
      x-scheme-handler/y=d.desktop;
      """
    )
    try desktop.install("scened-open", "MimeType=x-scheme-handler/x;")
    try desktop.start()
    let ids = ["a", "b", "c", "d"]
    #expect(try desktop.applications.map(\.id) == ids)
    // The user's default application comes first. Then comes an open scene that allows everything. An application that
    // is first in the user's order, but is not the default, comes after such a scene.
    let view = Registration(id: "view", preferring: [], allowing: ["*"])
    let scenes = try ["a.desktop", "c.desktop"].map { application in
      let scene = try desktop.connect()
      let context = SceneContext(applicationID: application, registrations: [view])
      try scene.call(Wire.OpenSceneCall(context: context), .more)
      return scene
    }
    #expect(try desktop.explain("x:1").applicationID == "b")
    #expect(try desktop.explain("y:1").applicationID == "c")
    for scene in scenes { try scene.leave() }
    while try desktop.explain("y:1").target == .scene {}
    #expect(try desktop.explain("y:1").applicationID == "d")
    #expect(try desktop.explain("z:1").target == .nothing)
  }

  @Test func whatClaimsNothingHasToBeNamed() throws {
    try desktop.install("plain")
    try desktop.install("argumentless", exec: "app", "MimeType=x-scheme-handler/x;")
    try desktop.install("scenes", "X-Scened-Matching=m;")
    try desktop.start()
    #expect(try desktop.explain("x:1").target == .nothing)
    #expect(try desktop.explain("x:m").applicationID == "scenes")
    for name in ["plain", "argumentless"] {
      #expect(try desktop.explain("x:1", named: name).applicationID == name)
    }
  }

  /// The types are invented, so that the types of the machine have no effect.
  @Test func namesOfFilesHaveTheTypesOfTheDatabase() throws {
    try desktop.write("home/.local/share/mime/globs2", "50:text/x-lute:*.lutesource\n")
    try desktop.write("home/.local/share/mime/aliases", "application/lute text/x-lute\n")
    try desktop.write("home/.local/share/mime/subclasses", "text/x-lute text/x-song\n")
    try desktop.install("a", "MimeType=text/x-song;")
    try desktop.install("b", "X-Scened-Kind=DocumentGroup", "X-Scened-SupportedTypes=text/plain;")
    try desktop.install("c", "MimeType=application/lute;")
    try desktop.start()
    #expect(try desktop.explain("file:///a.lutesource").applicationID == "c")
    #expect(try desktop.explain("file:///README", contentType: "text/x-song").applicationID == "a")
    let document = try desktop.explain("https://h/a.lutesource")
    #expect(document.applicationID == "b" && document.rule == .document)
    #expect(document.matchedPattern == "text/plain" && document.matchedField == .url)
    #expect(try desktop.explain("https://h/README").target == .nothing)
  }

  @Test func aDatabaseThatCannotBeReadIsReported() throws {
    try desktop.write("home/.local/share/mime/globs2/inside", "")
    try desktop.install("a", "MimeType=text/x-song;")
    try desktop.start()
    let program = try #require(desktop.program)
    try program.errorLine(containing: "globs2:1: error: The file cannot be read: it is not a regular file.")
    #expect(try desktop.explain("file:///a", contentType: "text/x-song").applicationID == "a")
  }

  /// An entry is trusted if it belongs to root and nobody else can write it.
  ///
  /// If the tests do not run as root, no entry of the test is trusted.
  @Test func hostsAreClaimedByTrustedEntriesAndTheUsersChoice() throws {
    let handler = ["MimeType=x-scheme-handler/https;", "Implements=org.freedesktop.UriHandler;"]
    func install(_ name: String, _ host: String, mode: Int = 0o644) throws {
      try desktop.install(
        name,
        mode: mode,
        handler[0],
        handler[1],
        "[org.freedesktop.UriHandler]",
        "Supports=\(host);"
      )
    }
    try desktop.install("browser", "MimeType=x-scheme-handler/https;")
    try install("meet", "meet.example.org")
    try install("unpacked", "bank.example.org", mode: 0o666)
    try desktop.write(
      "home/.config/intentapps.list",
      "[org.freedesktop.UriHandler]\nchosen.example.org=unpacked.desktop;\n"
    )
    try desktop.start()
    let isRoot = geteuid() == 0
    let expected = isRoot ? "meet" : "browser"
    #expect(try desktop.explain("https://meet.example.org/x").applicationID == expected)
    #expect(try desktop.explain("https://bank.example.org/x").applicationID == "browser")
    #expect(try desktop.explain("https://chosen.example.org/x").applicationID == "unpacked")
  }

  /// If an application cannot be started, the event goes on to the next application.
  ///
  /// The event ends with the reason why the last application could not be started.
  @Test func anApplicationThatIsNotRunningIsALaunchFailure() throws {
    try desktop.install("a", "MimeType=x-scheme-handler/x;")
    try desktop.install("b", "MimeType=x-scheme-handler/x;")
    try desktop.start()
    let failure = try desktop.connect().failure(of: Wire.SendEventCall.url("x:1"))
    guard case .launchFailed(let decision, let settlement, let attempts) = failure else {
      throw Overdue("It ended as \(failure).")
    }
    #expect(decision.applicationID == "b")
    #expect(settlement.result == .launchFailed && attempts.count == 2)
    #expect(settlement.reason == "There is no program 'app'.")
  }

  /// A declaration that was made over a connection lasts as long as the connection.
  @Test func aConnectionTakesThePlaceOfTheEntry() throws {
    try desktop.install("a", "MimeType=x-scheme-handler/x;")
    try desktop.start()
    let application = try desktop.connect()
    let scenes = [SceneDeclaration(id: "own")]
    try application.call(Wire.DeclareApplicationCall(applicationID: "a", scenes: scenes), .more)
    let listed = try #require(try desktop.applications.first)
    #expect(listed.source == .connection && listed.path == nil && listed.isRunning)
    #expect(listed.desktopID == "a.desktop" && listed.scenes.map(\.id) == ["own"])
    try application.leave()
    while try desktop.applications.first?.source != .file {}
  }

  @Test func theSystemsInstanceReadsNone() throws {
    try desktop.install("a", "MimeType=x-scheme-handler/x;")
    try desktop.start(["--system"])
    #expect(try desktop.applications == [])
  }

  @Test func complaintsAreLoggedWithFileAndLine() throws {
    try desktop.install("a", "X-Scened-Kind=Window")
    try desktop.install("b", "MimeType=x-scheme-handler/x;")
    try desktop.start()
    let place = desktop.path("home/.local/share/applications/a.desktop") + ":5: error: "
    #expect(try #require(desktop.program).errorLine(containing: place).hasPrefix("scened: "))
    #expect(try desktop.applications.map(\.id) == ["b"])
  }

  @Test func onlyTheFirstOfManyComplaintsAreLogged() throws {
    for number in 0..<201 { try desktop.write("home/.local/share/applications/\(number).desktop", "[") }
    try desktop.start()
    let program = try #require(desktop.program)
    try program.errorLine(containing: "202 more complaints")
    #expect(program.errorText.split(separator: "\n").count { $0.contains(".desktop:1: ") } == 200)
  }
}
