import Foundation
import TestSupport
import Testing

/// Links and files that a desktop's commands open in Debian's programs.
@Suite(.blocking, .serialized) struct LinkTests {
  private static let openers = [["xdg-open"], ["gio", "open"]]

  /// The browser is the default for web links, and another program claims the links of one host.
  ///
  /// The other program is `xmessage`, which does not know scened.
  @Test(arguments: openers)
  func browserGetsWebLinksAndAnotherProgramThoseOfItsHost(opener: [String]) throws {
    let session = try DesktopSession()
    let web = try session.installBrowser()
    try session.install(
      "org.example.Meet.desktop",
      exec: "xmessage -title %u -buttons Leave:0 Meeting",
      "Implements=org.freedesktop.UriHandler;",
      "[org.freedesktop.UriHandler]",
      "Supports=meet.example.org;"
    )
    try session.startRouter(opening: "https", "http")

    try session.run(opener + ["https://meet.example.org/x"])
    try session.waitForWindow("https://meet.example.org/x")
    try session.run(opener + ["https://example.org/"])
    let limit = Deadline()
    try web.outputLine(containing: "shown?https://example.org/", by: limit)

    let scene = try session.openScene(of: "org.example.Meet", "--prefer", "meet.example.org/x")
    try session.run(opener + ["https://meet.example.org/x/2"])
    try scene.outputLine(containing: #""https://meet.example.org/x/2""#, by: limit)
    #expect(try session.windows.filter { $0.contains("meet.example.org") } == ["https://meet.example.org/x"])
    #expect(!web.outputText.contains("meet.example.org"))
  }

  /// The picture viewer eog and the text editor are Debian's, and so are their desktop entries.
  ///
  /// scened executes eog, and calls the editor over the bus.
  @Test(arguments: openers)
  func filesOpenInProgramsAndThenInTheSceneThatHasThem(opener: [String]) throws {
    let session = try DesktopSession(services: [
      "org.gnome.TextEditor": "/usr/bin/gnome-text-editor --gapplication-service"
    ])
    try session.write("first.xpm", Self.picture)
    try session.write("second.xpm", Self.picture)
    try session.write("notes.txt", "This is text.\n")
    try session.write(
      ".config/mimeapps.list",
      """
      [Default Applications]
      image/x-xpixmap=org.gnome.eog.desktop
      text/plain=org.gnome.TextEditor.desktop

      """
    )
    try session.startRouter(opening: "image/x-xpixmap", "text/plain")

    try session.run(opener + [session.path("first.xpm")])
    try session.waitForWindow("first.xpm")
    try session.run(opener + [session.path("notes.txt")])
    try session.waitForWindow("notes.txt")
    #expect(try session.command(ofOwner: "org.gnome.TextEditor").last == "--gapplication-service")
    let windows = try session.windows

    let album = try session.openScene(of: "org.gnome.eog", "--prefer", "second.xpm")
    let editor = try session.openScene(of: "org.gnome.TextEditor", "--prefer", "notes.txt")
    let limit = Deadline()
    for (scene, name) in [(album, "second.xpm"), (editor, "notes.txt")] {
      try session.run(opener + [session.path(name)])
      try scene.outputLine(containing: "/\(name)\"", by: limit)
    }
    #expect(try session.windows == windows)
  }

  private static let picture = """
    /* XPM */
    static char *picture[] = {
    "8 1 2 1",
    "a c #000000",
    "b c #ffffff",
    "aabbaabb"
    };

    """
}
