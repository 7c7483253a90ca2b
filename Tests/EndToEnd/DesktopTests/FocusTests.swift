import Foundation
import TestSupport
import Testing

/// A link brings its window to the front, on desktops that do not give the focus to every window that asks for it.
@Suite(.blocking, .serialized) struct FocusTests {
  private let limit = Deadline()

  /// Starts a window that opens a link at each key press except the first, and presses the first key.
  private func startSender(of link: String, in session: DesktopSession) throws -> SpawnedProgram {
    let sender = try session.startPython("sender.py", link)
    try sender.outputLine(containing: "Sender is active", by: limit)
    try session.pressKey()
    try sender.outputLine(containing: "Sender is used", by: limit)
    return sender
  }

  /// A key press shows whether the sender still has the focus.
  ///
  /// Only the window with the focus gets the key, and the sender opens its link when it gets the key. mutter itself
  /// does not report the focus under Wayland. mutter is not tested under X11, because a window that nobody has used can
  /// sometimes take the focus under X11.
  @Test(arguments: [WindowSystem.sway, .mutter])
  func windowComesToTheFrontOnlyWithTheTokenOfTheSender(windowSystem: WindowSystem) throws {
    let session = try DesktopSession(on: windowSystem)
    try session.plugInKeyboard()
    try session.startRouter(opening: "--any", "photos")
    let albums = try session.startPython("windows.py")
    for title in ["Album 1", "Album 2"] {
      try limit.wait(albums.errorText) { try session.run(session.scenectl, "scenes").contains(title) }
    }
    let sender = try startSender(of: "photos:album/1", in: session)
    // None of these three links has a valid token, so the sender must keep the focus. The window asks for the focus
    // after it has taken a link. When the window takes the third link, it has therefore asked for the focus twice.
    for token in ["", "bogus", ""] {
      try session.run("env", "XDG_ACTIVATION_TOKEN=\(token)", session.scenectl, "open", "photos:album/1")
      try albums.outputLine(containing: "Album 1 took photos:album/1", by: limit)
    }
    try session.pressKey()
    try sender.outputLine(containing: "Sender has opened photos:album/1", by: limit)
    try albums.outputLine(containing: "Album 1 took photos:album/1", by: limit)
    try albums.outputLine(containing: "Album 1 is active", by: limit)
    if windowSystem == .sway { try session.waitForFocus("Album 1", by: limit) }
  }

  /// An editor in a terminal cannot use a token, and needs no token under sway and X11.
  ///
  /// sway and X11 let any program of the user give the focus to a window.
  @Test(arguments: [
    (WindowSystem.sway, ["foot", "--title", "Editor", "-o", "locked-title=yes"]),
    (.mutterOnX11, ["xterm", "-T", "Editor", "-xrm", "*allowTitleOps: false", "-e"]),
  ])
  func editorInATerminalComesToTheFront(windowSystem: WindowSystem, terminal: [String]) throws {
    let session = try DesktopSession(on: windowSystem)
    try session.plugInKeyboard()
    try session.write("notes.txt", "notes\n")
    try session.write(".config/nvim/plugin/scened.lua", "")
    let adapter = PackageDirectory.appending("Sources/Adapters/neovim/plugin/scened.lua")
    try session.run("cp", adapter, session.path(".config/nvim/plugin/scened.lua"))
    try session.startRouter(opening: "text/plain")
    let editor = try SpawnedProgram(
      "/usr/bin/env",
      terminal + ["nvim", session.path("notes.txt")],
      environment: session.environment
    )
    try limit.wait(editor.errorText) { try session.run(session.scenectl, "scenes").contains("Neovim") }
    let sender = try startSender(of: "file://\(session.path("notes.txt"))", in: session)
    try session.pressKey()
    try sender.outputLine(containing: "Sender has opened", by: limit)
    try session.waitForFocus("Editor", by: limit)
  }

  /// Only mutter is tested, because a browser comes to the front even without a token under sway 1.7 and X11.
  @Test func browserComesToTheFrontOnlyWithTheTokenOfTheSender() throws {
    let session = try DesktopSession(on: .mutter)
    try session.plugInKeyboard()
    let web = try session.installBrowser(hasWindows: true)
    try session.startRouter(opening: "https", "http")
    try session.run(session.scenectl, "open", "https://example.org/first")
    try web.outputLine(containing: "focused?https://example.org/first", by: limit)
    let sender = try startSender(of: "https://example.org/third", in: session)
    try session.run(session.scenectl, "open", "https://example.org/second")
    try web.outputLine(containing: "shown?https://example.org/second", by: limit)
    try session.pressKey()
    try sender.outputLine(containing: "Sender has opened https://example.org/third", by: limit)
    try sender.outputLine(containing: "Sender is not active", by: limit)
    try web.outputLine(containing: "focused?https://example.org/third", by: limit)
    #expect(!web.outputText.contains("focused?https://example.org/second"))
  }

  /// The host of the extension hands the token to Firefox.
  ///
  /// The extension then raises the window of the page.
  @Test func windowOfFirefoxComesToTheFrontOnlyWithTheTokenOfTheSender() throws {
    let session = try DesktopSession(on: .mutter)
    try session.plugInKeyboard()
    let web = try session.startPython("web.py", session.path(""))
    let proxy = try web.outputLine(containing: "", by: limit)
    try session.startRouter(opening: "https", "http")
    let (first, second, third) = ("http://a.test/1", "http://a.test/2", "http://b.test/3")
    let firefox = try BrowserUnderTest(.firefox, in: session, proxy: proxy)
    try firefox.start(first)
    try session.waitForScenes(of: "firefox-esr", showing: [[first]], by: limit)
    try firefox.drive("tab", second)
    try firefox.drive("window", third)
    try session.waitForScenes(of: "firefox-esr", showing: [[first, second], [third]], by: limit)
    try web.outputLine(containing: "focused?\(third)", by: limit)

    let sender = try startSender(of: first, in: session)
    // When these commands have ended, the windows have taken the links and asked for the focus.
    for (token, page) in [("", first), ("bogus", second)] {
      try session.run("env", "XDG_ACTIVATION_TOKEN=\(token)", session.scenectl, "open", page)
    }
    try session.pressKey()
    try sender.outputLine(containing: "Sender has opened \(first)", by: limit)
    try sender.outputLine(containing: "Sender is not active", by: limit)
    try web.outputLine(containing: "focused?\(first)", by: limit)
    // The link opens no tab and no window.
    try session.waitForScenes(of: "firefox-esr", showing: [[first, second], [third]], by: limit)
    #expect(try firefox.drive("count") == "3")
  }
}
