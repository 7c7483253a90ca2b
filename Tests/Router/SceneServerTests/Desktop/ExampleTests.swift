import Foundation
import RouterInterface
import TestSupport
import Testing
import Varlink

/// The example programs, started through their desktop entries.
@Suite(.blocking) final class ExampleTests {
  private let desktop: DesktopDaemon
  private let starts: String

  init() throws {
    desktop = try DesktopDaemon()
    starts = desktop.path("starts")
  }

  /// Ends the example programs, which would otherwise wait for the next router.
  deinit {
    for process in startedProcesses {
      let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
      if program?.hasPrefix(SpawnedProgram.buildDirectory) == true { kill(process, SIGKILL) }
    }
  }

  /// Installs the entry of an example, with a script in place of the program.
  ///
  /// The script notes its own process id.
  private func install(_ example: String, _ script: String? = nil) throws {
    let id = "org.example.\(example)"
    let entry = URL(filePath: PackageDirectory.appending("Sources/Examples/\(example)/\(id).desktop"))
    let text = try String(contentsOf: entry, encoding: .utf8)
    let program = desktop.path("program")
    try desktop.write(
      "home/.local/share/applications/\(id).desktop",
      text.replacing("Exec=\(example)\n", with: "Exec=/bin/sh \(program)\n")
    )
    try write(script ?? "exec '\(SpawnedProgram.buildDirectory)/\(example)'")
  }

  private func write(_ script: String) throws {
    try desktop.write("program", "echo $$ >>\(starts)\n\(script)\n")
  }

  private var startedProcesses: [pid_t] {
    let text = try? String(contentsOfFile: starts, encoding: .utf8)
    return text?.split(separator: "\n").compactMap { pid_t($0) } ?? []
  }

  private var startCount: Int { startedProcesses.count }

  private func view(_ identifier: String, title: String? = nil, timeoutUSec: Int64? = nil)
    -> Wire.SendEventCall
  {
    let activity = Activity(
      activityType: "org.example.MyPhotos.view",
      targetContentIdentifier: identifier,
      title: title
    )
    return Wire.SendEventCall(event: Event(.activity(activity)), timeoutUSec: timeoutUSec)
  }

  /// Sends an event that opens no scene, and returns the reason why each attempt failed.
  private func reasons(of event: Wire.SendEventCall, from sender: WireClient) throws -> [String?] {
    let failure = try sender.failure(of: event)
    guard case .launchFailed(_, _, let attempts) = failure else { throw Overdue("It ended as \(failure).") }
    return attempts.map(\.reason)
  }

  @Test func hundredEventsOfOnePhotoStartOneProcessAndComeInOrder() throws {
    // The FIFO delays the program until the router has decided all events. Otherwise an event could come after the window
    // has opened and before it has registered its identifiers, and would open another window.
    let start = desktop.path("start")
    try #require(mkfifo(start, 0o600) == 0)
    try install("MyPhotos", "read line <'\(start)'; exec '\(SpawnedProgram.buildDirectory)/MyPhotos'")
    try desktop.start()
    let sender = try desktop.connect()
    try desktop.waitForDecisions(100) {
      for number in 0..<100 { try sender.send(view("photoIdentifier=sunset", title: "\(number).")) }
    }
    try Data("\n".utf8).write(to: URL(filePath: start))
    let outcomes = try (0..<100).map { _ in try sender.reply(to: Wire.SendEventCall.self) }
    #expect(outcomes.allSatisfy { $0.settlement?.result == .acknowledged })
    #expect(Set(outcomes.map { $0.settlement?.sceneID }).count == 1)
    #expect(startCount == 1)
    let program = try #require(desktop.program)
    try program.outputLine(containing: "Photo sunset: continues 99.")
    let numbers = program.outputText.matches(of: /Photo sunset: continues (\d+)\./).map { Int($0.1) }
    #expect(numbers == Array(0..<100))
  }

  @Test func hundredPhotosAndAlbumsGetAWindowEach() throws {
    try install("MyPhotos")
    try desktop.start()
    let sender = try desktop.connect()
    let urls = (0..<50).flatMap { ["photos:?photoIdentifier=\($0 + 100)", "photos:album/\($0)"] }
    for url in urls { try sender.send(Wire.SendEventCall.url(url)) }
    let outcomes = try urls.map { _ in try sender.reply(to: Wire.SendEventCall.self) }
    #expect(outcomes.allSatisfy { $0.settlement?.result == .acknowledged })
    #expect(Set(outcomes.map { $0.settlement?.sceneID }).count == 100)
    #expect(startCount == 1)
    let scenes = try desktop.connect().call(Wire.ListScenesCall()).scenes
    #expect(scenes.count == 100)
    // The scene of photo 100 is asked first, because `photoIdentifier=1001` contains the identifier of this scene. The
    // scene declines the event.
    let again = try sender.call(Wire.SendEventCall.url("photos:?photoIdentifier=1001"))
    #expect(again.attempts.map(\.result) == [.declined, .acknowledged])
    #expect(again.decision?.rule == .matching)
  }

  @Test(arguments: [
    ("exit 3", "'/bin/sh' ended at once with status 3."),
    ("kill -9 $$", "'/bin/sh' was killed at once by signal 9 (Killed)."),
    ("exec /nonexistent/MyPhotos", "'/bin/sh' ended at once with status 127."),
    ("exec /etc/passwd", "'/bin/sh' ended at once with status 126."),
  ])
  func failureIsReportedAndTheNextEventStartsIt(_ script: String, _ reason: String) throws {
    try install("MyPhotos", script)
    try desktop.start()
    let sender = try desktop.connect()
    let messages = " Its messages are in the output of scened."
    // The detail scene is tried first, and then the browser scene.
    #expect(
      try reasons(of: view("photoIdentifier=1"), from: sender) == [reason + messages, reason + messages]
    )
    try write("exec '\(SpawnedProgram.buildDirectory)/MyPhotos'")
    let outcome = try sender.call(view("photoIdentifier=1"))
    #expect(outcome.settlement?.result == .acknowledged)
    #expect(startCount == 3)
  }

  /// Each thread of a process stops only when it runs the next time.
  private func isStopped(_ process: pid_t) throws -> Bool {
    let threads = "/proc/\(process)/task"
    return try FileManager.default.contentsOfDirectory(atPath: threads).allSatisfy { thread in
      try String(contentsOfFile: "\(threads)/\(thread)/stat", encoding: .utf8).contains(") T ")
    }
  }

  /// A suspended program answers a request only after the router has given up the request.
  ///
  /// The router does not take this late answer for the answer to the next request.
  @Test func programThatHangsIsGivenUpUntilItGoesOn() throws {
    try install("MyPhotos")
    try desktop.start()
    let sender = try desktop.connect()
    #expect(try sender.call(view("photoIdentifier=1")).settlement?.result == .acknowledged)
    let number = try #require(startedProcesses.first)
    kill(number, SIGSTOP)
    while try !isStopped(number) {}
    let reason = "The application did not open the scene in time."
    let given = try reasons(of: view("photoIdentifier=2", timeoutUSec: 200_000), from: sender)
    #expect(given == [reason, reason])
    kill(number, SIGCONT)
    let outcome = try sender.call(view("photoIdentifier=3"))
    #expect(outcome.settlement?.result == .acknowledged && outcome.attempts.count == 1)
    let scenes = try desktop.connect().call(Wire.ListScenesCall()).scenes
    #expect(scenes.map(\.context.declarationID) == ["detail", "detail"])
    #expect(startCount == 1)
    kill(number, SIGKILL)
    while try desktop.connect().call(Wire.ListScenesCall()).scenes.count > 0 {}
    #expect(try sender.call(view("photoIdentifier=2")).settlement?.result == .acknowledged)
    #expect(startCount == 2)
  }

  /// The router waits at least a minute for a started program, even if the sender's timeout is shorter.
  ///
  /// The test takes a minute only if `SCENED_LONG_CHECKS` is set. Otherwise the program ends immediately.
  @Test(arguments: TestRun.isLong ? ["exec sleep 100"] : ["exit 4"])
  func programThatNeverOpensTheSceneIsGivenUp(_ script: String) throws {
    try install("MyPhotos", script)
    try desktop.start()
    let sender = try desktop.connect()
    let album = "photos:album/1"
    let reason =
      TestRun.isLong
      ? "The program was started, and did not open the scene in time."
      : "'/bin/sh' ended at once with status 4. Its messages are in the output of scened."
    #expect(try reasons(of: Wire.SendEventCall.url(album), from: sender) == [reason])
    try write("exec '\(SpawnedProgram.buildDirectory)/MyPhotos'")
    #expect(try sender.call(Wire.SendEventCall.url(album)).settlement?.result == .acknowledged)
  }

  @Test func nameThatNeverAppearsIsReportedAndTheNextEventStartsIt() throws {
    try install("MyPhotos")
    let id = "home/.local/share/applications/org.example.MyPhotos.desktop"
    let text = try String(contentsOfFile: desktop.path(id), encoding: .utf8)
    try desktop.write(id, text.replacing("Exec=", with: "DBusActivatable=true\nExec="))
    let name = "org.example.MyPhotos"
    let service = "\(SpawnedProgram.buildDirectory)/ServeApplicationOnBus \(name) /nonexistent hide"
    let bus = try MessageBus(services: [name: service], startTimeout: 200)
    try desktop.start(under: ["/usr/bin/env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)"])
    let sender = try desktop.connect()
    let reasons = try reasons(of: view("photoIdentifier=1"), from: sender)
    #expect(reasons.count == 2)
    for reason in reasons {
      let start = "The call of 'org.example.MyPhotos' over D-Bus failed: Failed to activate service"
      #expect(reason?.hasPrefix(start) == true && reason?.contains("timed out") == true)
    }
    try desktop.write(id, text)
    _ = try desktop.reload()
    #expect(try sender.call(view("photoIdentifier=1")).settlement?.result == .acknowledged)
  }

  @Test func contactIsShownByTheListThatShowsIt() throws {
    try install("ContactList")
    try desktop.start()
    let sender = try desktop.connect()
    let contacts = ["01", "02"].map { "contact:3B1C6A52-4E0C-4D5A-9A54-6B5E1B0F1A\($0)" }
    let first = try sender.call(Wire.SendEventCall.url(contacts[0]))
    let second = try sender.call(Wire.SendEventCall.url(contacts[1]))
    #expect(first.settlement?.sceneID != second.settlement?.sceneID)
    for (contact, outcome) in [(contacts[0], first), (contacts[1], second), (contacts[0], first)] {
      let again = try sender.call(Wire.SendEventCall.url(contact))
      #expect(again.decision?.rule == .preferring)
      #expect(again.settlement?.sceneID == outcome.settlement?.sceneID)
    }
    let offered = try sender.call(Wire.ListActivitiesCall()).activities
    #expect(
      Set(offered.map { "contact:" + ($0.activity.targetContentIdentifier ?? "") }) == Set(contacts)
    )
    #expect(startCount == 1)
  }
}
