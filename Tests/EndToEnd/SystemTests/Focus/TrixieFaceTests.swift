import TestSupport
import Testing

/// The windows of scened-desktop with the GTK and the libadwaita of Debian 13.
///
/// `FaceTests` of `DesktopTests` runs the same programs on Debian 12. A class that only one of them has would leave a
/// window empty.
@Suite(.blocking, .serialized) struct TrixieFaceTests {
  /// Each program prints `ok NAME` or `failed NAME: WHY` for each of its cases, but for those that take long and need
  /// nothing of Debian 13.
  @Test(arguments: [
    ([], ["ask.py", "-two_hundred_links_are_all_answered", "-five_thousand_windows_are_no_burden"]),
    ([], ["face.py", "-manyLinksAreShownInTime", "-manyWindowsAreShown"]), (["--wayland"], ["ask_focus.py"]),
  ])
  func windowsDoWhatTheirUserWants(options: [String], program: [String]) throws {
    try run(program, options, in: box())
  }

  /// Of the session with the user's own systemd; only its units tell which application has sent a link.
  @Test func systemdStartsScenedAndItsSwitchIsPressed() throws {
    let box = try box()
    try box.run("chown", "person:", "/home/person")
    try box.run("systemctl", "start", "user@1000.service")
    let cases = ["stoppedRouterIsStarted", "choiceIsForTheSender", "socketIsEnabledForTheUser"]
    try run(["units.py"] + cases, ["--systemd"], in: box)
    let wants = "/etc/systemd/user/sockets.target.wants"
    try box.run("mkdir", "-p", wants)
    try box.run("ln", "-s", "/home/person/.local/share/systemd/user/scened.socket", wants)
    try run(["units.py", "socketOfAllUsersIsMasked"], ["--systemd"], in: box)
  }

  private static let programs = "Tests/EndToEnd/DesktopTests/Python"

  private func box() throws -> SystemBox {
    try SystemBox(
      [
        "\(SystemBox.installation())/home/person/.local": "/home/person/.local",
        PackageDirectory.appending("Sources"): "/src/Sources",
        PackageDirectory.appending("systemd"): "/src/systemd",
        PackageDirectory.appending(Self.programs): "/src/\(Self.programs)",
      ],
      release: SystemBox.trixieDesktop
    )
  }

  private func run(_ program: [String], _ options: [String], in box: SystemBox) throws {
    let session =
      ["python3", "/src/\(Self.programs)/session.py"] + options
      + ["/home/person/.local/bin", "/src/\(Self.programs)/\(program[0])"] + program.dropFirst()
    let (ending, output, error) = try box.attempt(
      ["runuser", "-u", "person", "--", "timeout", "480"] + session
    )
    let lines = output.split(separator: "\n")
    #expect(ending == .exit(0), "\(lines.filter { !$0.hasPrefix("ok ") }.joined(separator: "\n"))\n\(error)")
    #expect(lines.contains { $0.hasPrefix("ok ") })
  }
}
