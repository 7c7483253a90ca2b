import TestSupport
import Testing

/// The windows of scened-desktop with the GTK and the libadwaita of Debian 13.
///
/// `FaceTests` of `DesktopTests` runs the same programs on Debian 12. A class that only one of them has would leave a
/// window empty.
@Suite(.blocking) struct TrixieFaceTests {
  /// Each program prints `ok NAME` or `failed NAME: WHY` for each of its cases.
  @Test(arguments: [["ask.py"], ["face.py"], ["--wayland", "ask_focus.py"]])
  func windowsDoWhatTheirUserWants(words: [String]) throws {
    let programs = "Tests/EndToEnd/DesktopTests/Python"
    let box = try SystemBox(
      [
        "\(SystemBox.installation())/home/person/.local": "/home/person/.local",
        PackageDirectory.appending("Sources"): "/src/Sources",
        PackageDirectory.appending("systemd"): "/src/systemd",
        PackageDirectory.appending(programs): "/src/\(programs)",
      ],
      release: SystemBox.trixieDesktop
    )
    let (ending, output, error) = try box.attempt(
      ["runuser", "-u", "person", "--", "timeout", "480", "python3", "/src/\(programs)/session.py"]
        + words.dropLast()
        + ["/home/person/.local/bin", "/src/\(programs)/\(try #require(words.last))"]
    )
    let lines = output.split(separator: "\n")
    #expect(ending == .exit(0), "\(lines.filter { !$0.hasPrefix("ok ") }.joined(separator: "\n"))\n\(error)")
    #expect(lines.contains { $0.hasPrefix("ok ") })
  }
}
