import Foundation
import TestSupport
import Testing

/// The everyday cases in which a link belongs to a window, with Debian's browser, editors and terminal.
///
/// `scenectl scene` stands for the windows of programs that know scened.
@Suite(.blocking, .serialized) final class RightWindowTests {
  private let session: DesktopSession
  private let limit = Deadline()

  init() throws { session = try DesktopSession() }

  private func explain(_ link: String) throws -> String {
    try session.run(session.scenectl, "explain", link)
  }

  /// The browser claims all web links; the window's program claims no link.
  @Test func pageGoesToTheWindowThatShowsItAndElseToTheBrowser() throws {
    let web = try session.installBrowser()
    try session.startRouter(opening: "https", "http")
    let page = "https://wiki.example.org/Start"
    let wiki = try session.openScene(of: "org.example.Wiki", "--prefer", "wiki.example.org/Start")
    try session.run("xdg-open", page)
    try web.outputLine(containing: "shown?\(page)", by: limit)
    let reason = try explain(page)
    #expect(reason.contains("would go to a new scene 'main' of chromium"))
    #expect(reason.contains("--claim-host wiki.example.org") && reason.contains("('showing')"), "\(reason)")

    // A window that prefers the site is open too, but the window that shows the page comes first.
    let site = try session.openScene(of: "org.example.Site", "--prefer", "//wiki.example.org/")
    let window = try session.openScene(of: "org.example.Wiki", "--showing", page)
    for spelling in [page, "HTTPS://WIKI.example.org:443/%53tart#top"] {
      try session.run("gio", "open", spelling)
      try window.outputLine(containing: spelling, by: limit)
    }
    #expect(try explain(page).contains("it shows this page"))
    withExtendedLifetime((wiki, site)) {}
  }

  /// The window of the shorter identifier was opened first and would come first if the lengths did not count.
  @Test func longestIdentifierComesFirst() throws {
    try session.startRouter(opening: "https")
    let short = try session.openScene(of: "org.example.Photos", "--prefer", "album/4")
    let long = try session.openScene(of: "org.example.Photos", "--prefer", "album/4711")
    try session.run(session.scenectl, "open", "photos:album/4711")
    try long.outputLine(containing: "photos:album/4711", by: limit)
    try session.run(session.scenectl, "open", "photos:album/42")
    try short.outputLine(containing: "photos:album/42", by: limit)
  }

  @Test func fileGoesToTheEditorThatHasItThenToTheClosestProjectThenToANewOne() throws {
    try session.write(".config/nvim/init.vim", "set title titlestring=Neovim\\ shows\\ %t\n")
    for name in ["p/outer.txt", "p/sub/inner.txt", "p/a (1).txt", "other.txt"] {
      try session.write(name, "text\n")
    }
    try session.write(".config/mimeapps.list", "[Default Applications]\ntext/plain=nvim.desktop\n")
    try session.startRouter(opening: "text/plain")
    let outer = try session.openScene(of: "nvim", "--allow", session.path("p/"))
    let inner = try session.openScene(of: "nvim", "--allow", session.path("p/sub/"))
    let window = try session.openScene(of: "org.example.Viewer", "--showing", session.path("p/a (1).txt"))

    try session.run("gio", "open", session.path("p/sub/inner.txt"))
    try inner.outputLine(containing: "inner.txt", by: limit)
    try session.run("gio", "open", session.path("p/outer.txt"))
    try outer.outputLine(containing: "outer.txt", by: limit)
    let machine = try session.run("uname", "-n").dropLast()
    let path = session.path("p/a")
    for spelling in ["file://\(path)%20%281%29.txt", "file://\(machine)\(path)%20(1).txt"] {
      try session.run(session.scenectl, "open", spelling)
      try window.outputLine(containing: "a%20(1).txt", by: limit)
    }
    try session.run("gio", "open", session.path("other.txt"))
    try session.waitForWindow("Neovim shows other.txt")
  }

  /// The user has chosen Neovim, which needs a terminal.
  ///
  /// Debian's graphical editor could open the file without a terminal, but must not replace Neovim.
  @Test func withoutATerminalTheChosenEditorFailsAndSaysSo() throws {
    try session.write("notes.txt", "text\n")
    try session.write(".config/mimeapps.list", "[Default Applications]\ntext/plain=nvim.desktop\n")
    try session.hidePrograms(except: "nvim", "gnome-text-editor")
    try session.startRouter(opening: "text/plain")
    let (ending, output, _) = try SpawnedProgram.run(
      session.scenectl,
      ["open", session.path("notes.txt")],
      environment: session.environment
    )
    #expect(ending == .exit(6))
    #expect(output.contains("nvim opened no scene ('nvim' needs a terminal, but there is no"), "\(output)")
    let reason = try session.run(session.scenectl, "why", "last")
    #expect(reason.contains("needs a terminal") && !reason.contains("gnome"), "\(reason)")
    #expect(try session.windows.filter { $0.contains("notes.txt") } == [])
  }
}
