import Foundation
import Synchronization
import TestSupport
import Testing

/// A machine with Debian (by default Debian 13), the real systemd, and the users `person` and `stranger`.
///
/// The machine and everything in it is removed when the object is freed.
final class SystemBox {
  /// Debian 13 with a display, GTK, libadwaita and what reads windows; `.ci/run` makes it before the tests.
  static let trixieDesktop =
    "trixie+sway+xvfb+openbox+xdotool+at-spi2-core+gir1.2-atspi-2.0+python3-gi+gir1.2-gtk-4.0+gir1.2-adw-1"

  private static let count = Atomic(0)
  private static let madeInstallation = Mutex<String?>(nil)

  private let name = "scened-\(getpid())-\(SystemBox.count.add(1, ordering: .relaxed).newValue)"

  /// Starts the machine and waits until systemd has started everything.
  ///
  /// Each key of `directories` is a directory of the test's own machine, and is mounted read-only at the key's value.
  init(_ directories: KeyValuePairs<String, String>, release: String = "trixie") throws {
    try TestEnvironment.run("system-box", ["up", name, release] + directories.map { "\($0):\($1)" })
    try run("useradd", "person")
    try run("useradd", "stranger")
  }

  /// Starts a machine on which this package is installed, for the system and for `person`.
  convenience init(release: String = "trixie") throws {
    let installation = try Self.installation()
    try self.init(
      [
        "\(installation)/usr/local": "/usr/local",
        "\(installation)/home/person/.local": "/home/person/.local",
      ],
      release: release
    )
    try run("chown", "person:", "/home/person")
  }

  /// Returns the directory to which this package was installed.
  ///
  /// The first call installs the package for all tests.
  static func installation() throws -> String {
    try madeInstallation.withLock { made in
      let installation = try made ?? TestEnvironment.run("installation", [SpawnedProgram.buildDirectory])
      made = installation
      return installation
    }
  }

  /// Returns the directory in which the programs look for Swift's libraries.
  static func libraries() throws -> String {
    let program = SpawnedProgram.buildDirectory + "/scened"
    let output = try SpawnedProgram.run("/usr/bin/ldd", [program]).output
    let line = try #require(output.split(separator: "\n").first { $0.contains("libswiftCore.so") })
    let path = try #require(line.split(separator: " ").first { $0.hasPrefix("/") })
    return URL(filePath: String(path)).deletingLastPathComponent().path
  }

  deinit {
    _ = try? TestEnvironment.run("system-box", ["down", name])
  }

  /// Starts a command as root.
  func start(_ command: [String]) throws -> SpawnedProgram {
    try TestEnvironment.start("system-box", ["run", name] + command)
  }

  /// Runs a command to its end; a failure of the command is not an error.
  func attempt(_ command: String...) throws -> (ending: SpawnedProgram.Ending, output: String, error: String)
  {
    try attempt(command)
  }

  func attempt(_ command: [String]) throws -> (ending: SpawnedProgram.Ending, output: String, error: String) {
    let program = try start(command)
    return (try program.waitForEnd(), program.outputText, program.errorText)
  }

  /// Runs a command that must succeed; returns its output without the last newline.
  @discardableResult
  func run(_ command: String...) throws -> String {
    try run(command)
  }

  @discardableResult
  func run(_ command: [String]) throws -> String {
    let program = try start(command)
    try #require(program.waitForEnd() == .exit(0), "\(command): \(program.errorText)")
    return program.outputText.trimmingCharacters(in: .newlines)
  }

  /// The path of the box's root directory on the machine that runs the tests.
  var root: String {
    get throws { try TestEnvironment.run("system-box", ["root", name]) }
  }

  /// Adds the lines `settings` to the section `section` of a unit of the system.
  func configure(_ unit: String, _ section: String, _ settings: String) throws {
    let script =
      #"mkdir -p "$0" && printf '[%s]\n%s\n' "$1" "$2" > "$0/test.conf" && systemctl daemon-reload"#
    try run("sh", "-c", script, "/run/systemd/system/\(unit).d", section, settings)
  }

  /// Returns a property of scened.service from the system's manager.
  func property(_ name: String) throws -> String {
    try run("systemctl", "show", "scened.service", "--property=\(name)", "--value")
  }

  /// Returns the priorities, texts and sources of the matching entries in the journal, oldest first.
  func journal(_ matches: String...) throws -> [(priority: String, text: String, source: String)] {
    try run("journalctl", "--sync")
    let program = try start(["journalctl", "--output=json"] + matches)
    try #require(program.waitForEnd() == .exit(0))
    return try program.outputText.split(separator: "\n").map { line in
      let entry = try JSON(parsing: line)
      return (entry["PRIORITY"].text, entry["MESSAGE"].text, entry["SYSLOG_IDENTIFIER"].text)
    }
  }
}

extension JSON {
  /// The text of a string, or the description of another value.
  fileprivate var text: String {
    if case .string(let text) = self { text } else { "\(self)" }
  }
}
