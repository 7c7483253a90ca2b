import Glibc
import TestSupport
import Testing

/// Windows of a program that uses Debian's GTK 4 and `scened.gtk`.
@Suite(.blocking) struct WindowTests {
  private let session: DesktopSession

  init() throws {
    session = try DesktopSession()
    try session.startRouter(opening: "https")
  }

  private func open(_ link: String) throws {
    try session.run("env", "XDG_ACTIVATION_TOKEN=token_TIME0", session.scenectl, "open", link)
  }

  private func scenes() throws -> String { try session.run(session.scenectl, "scenes") }

  @Test func linksComeToTheWindowThatShowsTheirAlbumAndRaiseIt() throws {
    let application = try session.startPython("windows.py")
    let limit = Deadline()
    try application.outputLine(containing: "Album 2 is active", by: limit)
    try limit.wait("There is no Album 2.") { try scenes().contains("Album 2") }

    try open("x:album/1")
    try application.outputLine(containing: "Album 1 took x:album/1", by: limit)
    try application.outputLine(containing: "Album 1 is active", by: limit)
    let startup = try session.run("xprop", "-name", "Album 1", "_NET_STARTUP_ID")
    #expect(startup.contains("token_TIME0"))

    // This link changes the window's album. The identifiers and the title of the scene change with it.
    try open("x:album/2/album?7")
    try application.outputLine(containing: "Album 7 took", by: limit)
    try application.outputLine(containing: "Album 7 is active", by: limit)
    try open("x:album/7")
    try application.outputLine(containing: "Album 7 took x:album/7", by: limit)
    #expect(try scenes().contains("Album 7") && !scenes().contains("Album 2"))
    #expect(throws: Overdue.self) { try open("x:album/7/no") }

    try open("x:new")
    try application.outputLine(containing: "Album 3 took x:new", by: limit)
    try open("x:album/3/close")
    try application.outputLine(containing: "Album 3 took", by: limit)
    try limit.wait("There is Album 3.") { try !scenes().contains("Album 3") }
    #expect(try scenes().contains("Album 1"))
  }

  @Test func windowsEndWithTheProgramAlthoughItsWorkerLivesOn() throws {
    let application = try session.startPython("windows.py")
    let limit = Deadline()
    try limit.wait("There is no Album 2.") { try scenes().contains("Album 2") }
    try open("x:album/1/fork")
    let worker = try application.outputLine(containing: "worker ", by: limit).dropFirst("worker ".count)
    try application.outputLine(containing: "Album 1 took x:album/1/fork", by: limit)
    application.send(signal: SIGKILL)
    try limit.wait("There is Album.") { try !scenes().contains("Album") }
    try session.run("kill", String(worker))
  }

  @Test func activeWindowComesFirst() throws {
    let application = try session.startPython("windows.py")
    let limit = Deadline()
    try application.outputLine(containing: "Album 2 is active", by: limit)
    try limit.wait("There is no Album 2.") { try scenes().contains("Album 2") }
    // Both windows prefer the link `x:album/1/album/2`. This link goes to the window that was raised last.
    for album in [1, 2, 1, 2] {
      try open("x:album/\(album)")
      let line = try #require(
        session.run(session.scenectl, "scenes", "--json").split(separator: "\n").first {
          $0.contains("Album \(album)")
        }
      )
      let scene = try #require(line.firstMatch(of: /"sceneId":"([^"]+)"/)).1
      try limit.wait(application.outputText) {
        try session.run(session.scenectl, "explain", "--json", "x:album/1/album/2")
          .contains("\"sceneId\":\"\(scene)\",\"applicationId\"")
      }
    }
  }
}
