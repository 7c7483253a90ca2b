import Foundation
import RouterInterface
import TestSupport
import Testing
import Varlink

/// The examples, started cold by their desktop entries.
@Suite(.blocking) struct ExampleTests {
  private let desktop: DesktopDaemon
  private let starts: String

  init() throws {
    desktop = try DesktopDaemon()
    starts = desktop.path("starts")
  }

  /// Installs an example's own entry, in which a script takes the program's place: it notes the start.
  private func install(_ example: String, _ script: String? = nil) throws {
    let id = "org.example.\(example)"
    let entry = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Examples/\(example)/\(id).desktop")
    let text = try String(contentsOf: entry, encoding: .utf8)
    let program = desktop.path("program")
    try desktop.write(
      "home/.local/share/applications/\(id).desktop",
      text.replacing("Exec=\(example)\n", with: "Exec=/bin/sh \(program)\n")
    )
    try write(script ?? "exec '\(SpawnedProgram.buildDirectory)/\(example)'")
  }

  private func write(_ script: String) throws {
    try desktop.write("program", "echo start >>\(starts)\n\(script)\n")
  }

  private var startCount: Int {
    FileManager.default.contents(atPath: starts).map { $0.count(where: { $0 == UInt8(ascii: "\n") }) } ?? 0
  }

  private func view(_ identifier: String, title: String? = nil) -> Wire.SendEvent {
    let activity = Wire.Activity(
      activityType: "org.example.MyPhotos.view",
      targetContentIdentifier: identifier,
      title: title
    )
    return Wire.SendEvent(event: Wire.Event(activity: activity))
  }

  @Test func hundredEventsOfOnePhotoStartOneProcessAndComeInOrder() throws {
    try install("MyPhotos")
    try desktop.start()
    let sender = try desktop.connect()
    for number in 0..<100 { try sender.send(view("photoIdentifier=sunset", title: "\(number).")) }
    let outcomes = try (0..<100).map { _ in try sender.reply(to: Wire.SendEvent.self) }
    #expect(outcomes.allSatisfy { $0.settlement?.result == "acknowledged" })
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
    for url in urls { try sender.send(Wire.SendEvent.url(url)) }
    let outcomes = try urls.map { _ in try sender.reply(to: Wire.SendEvent.self) }
    #expect(outcomes.allSatisfy { $0.settlement?.result == "acknowledged" })
    #expect(Set(outcomes.map { $0.settlement?.sceneID }).count == 100)
    #expect(startCount == 1)
    let scenes = try desktop.connect().call(Wire.ListScenes()).scenes
    #expect(scenes.count == 100)
    // Those that show a photo keep it, also from photos whose names begin alike.
    let again = try sender.call(Wire.SendEvent.url("photos:?photoIdentifier=1001"))
    #expect(again.attempts?.map(\.result) == ["declined", "acknowledged"])
    #expect(again.decision?.rule == "matching")
  }

  @Test(arguments: [
    ("exit 3", "The program ended at once with status 3."),
    ("kill -9 $$", "The program was killed at once by signal 9 (Killed)."),
    ("exec /nonexistent/MyPhotos", "The program ended at once with status 127."),
    ("exec /etc/passwd", "The program ended at once with status 126."),
  ])
  func failureIsReportedAndTheNextEventStartsIt(_ script: String, _ reason: String) throws {
    try install("MyPhotos", script)
    try desktop.start()
    let sender = try desktop.connect()
    let failure = try sender.failure(of: view("photoIdentifier=1"))
    guard case .launchFailed(_, _, let attempts) = failure else {
      throw Overdue("It ended as \(failure).")
    }
    // The detail is tried first, and then the browser.
    #expect(attempts.map(\.reason) == [reason, reason])
    try write("exec '\(SpawnedProgram.buildDirectory)/MyPhotos'")
    let outcome = try sender.call(view("photoIdentifier=1"))
    #expect(outcome.settlement?.result == "acknowledged")
    #expect(startCount == 3)
  }

  @Test func contactIsShownByTheListThatShowsIt() throws {
    try install("ContactList")
    try desktop.start()
    let sender = try desktop.connect()
    let contacts = ["01", "02"].map { "contact:3B1C6A52-4E0C-4D5A-9A54-6B5E1B0F1A\($0)" }
    let first = try sender.call(Wire.SendEvent.url(contacts[0]))
    let second = try sender.call(Wire.SendEvent.url(contacts[1]))
    #expect(first.settlement?.sceneID != second.settlement?.sceneID)
    for (contact, outcome) in [(contacts[0], first), (contacts[1], second), (contacts[0], first)] {
      let again = try sender.call(Wire.SendEvent.url(contact))
      #expect(again.decision?.rule == "preferring")
      #expect(again.settlement?.sceneID == outcome.settlement?.sceneID)
    }
    let offered = try sender.call(Wire.ListActivities()).activities
    #expect(
      Set(offered.map { "contact:" + ($0.activity.targetContentIdentifier ?? "") }) == Set(contacts)
    )
    #expect(startCount == 1)
  }
}
