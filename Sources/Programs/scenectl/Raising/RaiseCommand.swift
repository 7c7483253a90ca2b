import ArgumentParser

struct RaiseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "raise",
    abstract: "Bring the window of a program to the front.",
    discussion: """
      A program in a terminal cannot raise the window of its terminal, and some programs with windows cannot raise their \
      own. This command does it for them, and prints what it did, or why it cannot.

      A window of the process itself comes first: by sway, by Hyprland, by the extension of the package scened-gnome \
      for GNOME under Wayland, and under X11 by wmctrl or xdotool. Without one, the process is in a terminal, and the \
      variables with which the process was started tell in which. A pane of tmux ($TMUX_PANE) or wezterm \
      ($WEZTERM_PANE) is shown; the terminal is then the one of the client that shows the pane. Then these are tried: \
      kitty, if it allows remote control ($KITTY_LISTEN_ON); X11 by $WINDOWID; the window of the closest parent that \
      has one. Other Wayland desktops let nobody raise the window of another program; scened-desktop(5) has a table.

      Exit status: 0 the window was raised or the pane is shown, 1 neither.
      """
  )

  @OptionGroup(visibility: .hidden) var router: RouterOptions

  @Option(
    help: ArgumentHelp(
      "The process of the window, or one that was started in it; the caller of this command by default.",
      valueName: "pid"
    )
  )
  var process: Int32?

  @Option(
    help: ArgumentHelp(
      "Of several windows of the process, the one whose title contains this.",
      valueName: "text"
    )
  )
  var title: String?

  @Option(
    help: ArgumentHelp(
      "A token for the commands that raise the window; $XDG_ACTIVATION_TOKEN by default.",
      valueName: "token"
    )
  )
  var activationToken: String?

  func validate() throws {
    if !router.areUnset {
      throw ValidationError("raise asks no router: it takes no --socket, --system, --host or --json.")
    }
    if let process, process < 1 { throw ValidationError("The process after --process has to be 1 or more.") }
  }

  func run() async throws {
    let window = RaisedWindow(
      title: title,
      activationToken: activationToken ?? Host.variable("XDG_ACTIVATION_TOKEN"),
      processID: process
    )
    switch await window.raise() {
    case .raised(let sentence): try Terminal.show(sentence.printable)
    case .failed(let sentence):
      Terminal.showError(sentence.printable)
      throw CommandStatus.error.exitCode
    }
  }
}
