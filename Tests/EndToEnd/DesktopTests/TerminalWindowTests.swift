import TestSupport
import Testing

/// A program for a terminal, in Debian's terminal on an X server.
@Suite(.blocking) struct TerminalWindowTests {
  /// Debian's entry of Neovim is `Exec=nvim %F` with `Terminal=true`, and Debian's `x-terminal-emulator` is xterm.
  @Test func neovimOpensInAWindowOfXterm() throws {
    let session = try DesktopSession()
    try session.write(".config/nvim/init.vim", "set title titlestring=Neovim\\ shows\\ %t\n")
    try session.write("notes.txt", "notes\n")
    try session.write(".config/mimeapps.list", "[Default Applications]\ntext/plain=nvim.desktop\n")
    try session.startRouter(opening: "https")
    try session.run(session.scenectl, "open", session.path("notes.txt"))
    try session.waitForWindow("Neovim shows notes.txt")
  }
}
