import Foundation
import TestSupport
import Testing

/// The windows of scened-desktop, read as a screen reader reads them, and used with the keyboard.
///
/// `TrixieFaceTests` of `SystemTests` runs the same programs on Debian 13.
@Suite(.blocking, .serialized) struct FaceTests {
  /// Each program prints `ok NAME` or `failed NAME: WHY` for each of its cases.
  @Test(arguments: [["ask.py"], ["face.py"], ["browsers.py"], ["--wayland", "ask_focus.py"]])
  func windowsDoWhatTheirUserWants(words: [String]) throws {
    try TestEnvironment.run("get-desktop")
    let directory = PackageDirectory.appending("Tests/EndToEnd/DesktopTests/Python")
    let session = ["\(directory)/session.py"] + words.dropLast() + [SpawnedProgram.buildDirectory]
    let (ending, output, error) = try SpawnedProgram.run(
      "/usr/bin/python3",
      session + ["\(directory)/\(try #require(words.last))"],
      environment: ProcessInfo.processInfo.environment.filter { $0.key == "SCENED_TEST_PICTURES" }
    )
    let lines = output.split(separator: "\n")
    #expect(ending == .exit(0), "\(lines.filter { !$0.hasPrefix("ok ") }.joined(separator: "\n"))\n\(error)")
    #expect(lines.contains { $0.hasPrefix("ok ") })
  }
}
