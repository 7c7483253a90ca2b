import TestSupport
import Testing

/// The windows of scened-desktop with the GTK and the libadwaita of Debian 13.
///
/// `FaceTests` of `DesktopTests` runs the same programs on Debian 12. A class that only one of them has would leave a
/// window empty.
@Suite(.blocking, .serialized) struct TrixieFaceTests {
  /// One case of each page at least; `FaceTests` runs all of them.
  private static let cases = [
    "firstStartShowsWhatScenedDoes", "windowsAreShownByApplication", "windowsAreShownLive",
    "hiddenCharactersAreEscaped", "linksAreShownLive", "linkUnfolds", "linkOpensAlwaysThere",
    "choiceIsChangedAndUndone", "hostIsAddedByItsLink", "attemptSaysWhereAndSendsNothing",
    "switchMakesScenedTheDefault", "pagesFitAndAreDark",
  ]

  /// Each program prints `ok NAME` or `failed NAME: WHY` for each of its cases.
  @Test(arguments: [([], "ask.py", []), ([], "face.py", cases), (["--wayland"], "ask_focus.py", [])])
  func windowsDoWhatTheirUserWants(options: [String], program: String, cases: [String]) throws {
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
      ["runuser", "-u", "person", "--", "timeout", "480", "python3", "/src/\(programs)/session.py"] + options
        + ["/home/person/.local/bin", "/src/\(programs)/\(program)"] + cases
    )
    let lines = output.split(separator: "\n")
    #expect(ending == .exit(0), "\(lines.filter { !$0.hasPrefix("ok ") }.joined(separator: "\n"))\n\(error)")
    #expect(lines.contains { $0.hasPrefix("ok ") })
  }
}
