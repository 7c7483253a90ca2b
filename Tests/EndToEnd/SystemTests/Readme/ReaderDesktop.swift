import Foundation
import TestSupport
import Testing

/// The desktop of somebody who tries the README: a router of its own, and a browser that claims all web links.
final class ReaderDesktop {
  /// The environment variables of the reader's shell; `PATH` leads to the programs of this package.
  let environment: [String: String]
  private let directory: TemporaryDirectory
  private var router: SpawnedProgram

  init() throws {
    directory = try TemporaryDirectory()
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    environment = [
      "PATH": "\(directory.appending("bin")):\(SpawnedProgram.buildDirectory):\(path)",
      "XDG_RUNTIME_DIR": directory.path, "XDG_DATA_HOME": directory.appending("data"),
    ]
    for name in ["bin", "data/applications"] {
      try FileManager.default.createDirectory(
        atPath: directory.appending(name),
        withIntermediateDirectories: true
      )
    }
    try directory.writeScript("bin/browser", #"echo "$1" >>"$0.log""#)
    // The README sleeps for a second until the window is open. This `sleep` waits for the window instead.
    try directory.writeScript("bin/sleep", "until scenectl scenes | grep -qw wiki; do :; done")
    let entry = """
      [Desktop Entry]
      Type=Application
      Name=Browser
      Exec=browser %u
      MimeType=text/html;x-scheme-handler/http;x-scheme-handler/https;

      """
    let file = directory.appending("data/applications/browser.desktop")
    try entry.write(toFile: file, atomically: false, encoding: .utf8)
    router = try SpawnedProgram("scened", environment: environment)
    try router.errorLine(containing: "Ready.")
  }

  /// Kills the router, and starts another router.
  func restartRouter() throws {
    router.send(signal: SIGKILL)
    _ = try router.waitForEnd()
    router = try SpawnedProgram("scened", environment: environment)
    try router.errorLine(containing: "Ready.")
  }

  func scenectl(_ arguments: String...) throws -> String {
    try SpawnedProgram.run("scenectl", arguments, environment: environment).output
  }

  /// Waits until the router knows the application `wiki`.
  ///
  /// If `hasWindow` is true, the function also waits until a window of `wiki` is open.
  func waitForWiki(withWindow hasWindow: Bool) throws {
    let commands = ["applications"] + (hasWindow ? ["scenes"] : [])
    try Deadline().wait("The wiki did not come.") {
      try commands.allSatisfy { try scenectl($0).contains("wiki ") }
    }
  }

  /// Waits until the browser was started for a link.
  func waitForBrowser(with link: String) throws {
    let log = directory.appending("bin/browser.log")
    try Deadline().wait("The browser did not get \(link).") {
      (try? String(contentsOfFile: log, encoding: .utf8))?.contains("\(link)\n") == true
    }
  }
}
