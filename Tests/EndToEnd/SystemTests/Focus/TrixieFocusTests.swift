import TestSupport
import Testing

/// The focus after a link has been opened, with the sway and the GTK of Debian 13.
///
/// `FocusTests` of `DesktopTests` are the same tests for Debian 12, whose GTK takes the token in another way.
@Suite(.blocking) final class TrixieFocusTests {
  private let box: SystemBox

  init() throws {
    let installation = try SystemBox.installation()
    box = try SystemBox(
      [
        "\(installation)/home/person/.local": "/home/person/.local",
        PackageDirectory.appending("Sources/Clients/Python"): "/src/library",
        PackageDirectory.appending("Tests/EndToEnd/DesktopTests/Python"): "/src/programs",
      ],
      release: SystemBox.trixieDesktop
    )
    let setup = """
      cd /home/person
      mkdir --mode=700 run
      printf 'xwayland disable\\nfocus_on_window_activation smart\\nexec echo ready\\n' > sway.conf
      chown person: . run sway.conf
      """
    try box.run("bash", "-c", setup)
  }

  /// Returns a command in the session of `person`.
  private func command(_ words: [String]) -> [String] {
    let environment = [
      "PATH=/home/person/.local/bin:/usr/bin:/bin", "HOME=/home/person", "XDG_RUNTIME_DIR=/home/person/run",
      // The default directory of the state is in `~/.local`, which is mounted read-only.
      "XDG_STATE_HOME=/home/person/state", "PYTHONPATH=/src/library", "PYTHONDONTWRITEBYTECODE=1",
      "WAYLAND_DISPLAY=wayland-1", "GDK_BACKEND=wayland", "GSK_RENDERER=cairo", "GTK_A11Y=none",
      "GSETTINGS_BACKEND=memory", "WLR_BACKENDS=headless", "WLR_LIBINPUT_NO_DEVICES=1",
      "WLR_RENDERER=pixman",
    ]
    return ["runuser", "-u", "person", "--", "env", "--chdir=/home/person"] + environment + words
  }

  private func start(_ words: String..., until line: String) throws -> SpawnedProgram {
    let program = try box.start(command(words))
    try program.outputLine(containing: line)
    return program
  }

  private func pressKey() throws { try box.run("pkill", "-USR1", "-f", "^python3 .*keyboard") }

  @Test func windowComesToTheFrontOnlyWithTheTokenOfTheSender() throws {
    let sway = try start(
      "env",
      "--unset=WAYLAND_DISPLAY",
      "sway",
      "--config",
      "sway.conf",
      until: "ready"
    )
    let keyboard = try start("python3", "/src/programs/keyboard.py", "wayland", until: "ready")
    try box.run(command(["scenectl", "handler", "set", "--any", "photos"]))
    let router = try box.start(command(["scened"]))
    try router.errorLine(containing: "Ready.")
    let albums = try box.start(command(["python3", "/src/programs/windows.py"]))
    let limit = Deadline()
    for title in ["Album 1", "Album 2"] {
      try limit.wait(albums.errorText) { try box.run(command(["scenectl", "scenes"])).contains(title) }
    }
    let sender = try start(
      "python3",
      "/src/programs/sender.py",
      "photos:album/1",
      until: "Sender is active"
    )
    try pressKey()
    try sender.outputLine(containing: "Sender is used")
    // None of these three links has a valid token, so the sender must keep the focus. The window asks for the focus
    // after it has taken a link. When the window takes the third link, it has therefore asked for the focus twice.
    for token in ["", "bogus", ""] {
      try box.run(command(["env", "XDG_ACTIVATION_TOKEN=\(token)", "scenectl", "open", "photos:album/1"]))
      try albums.outputLine(containing: "Album 1 took photos:album/1")
    }
    try pressKey()
    try sender.outputLine(containing: "Sender has opened photos:album/1")
    try albums.outputLine(containing: "Album 1 took photos:album/1")
    try albums.outputLine(containing: "Album 1 is active")
    try sender.outputLine(containing: "Sender is not active")
    withExtendedLifetime((sway, keyboard, router)) {}
  }
}
