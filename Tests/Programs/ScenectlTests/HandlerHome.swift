import Foundation
import TestSupport
import Testing

/// A home directory with the desktop entries of two applications that open web links, and of scened itself.
final class HandlerHome {
  static let state = ".local/state/scened/replaced-defaults.list"
  static let added = ".local/state/scened/choices.list"

  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    for name in ["a", "b"] { try install(name, "MimeType=x-scheme-handler/http;x-scheme-handler/https;") }
    // This is the desktop entry that the package of scened installs.
    let entry = try String(
      contentsOfFile: PackageDirectory.appending("systemd/user/scened-open.desktop"),
      encoding: .utf8
    )
    let bin = entry.replacingOccurrences(of: "@PREFIX@/bin", with: SpawnedProgram.buildDirectory)
    try write(".local/share/applications/scened-open.desktop", bin)
  }

  func path(_ name: String) -> String { directory.appending(name) }

  /// Returns the contents of a file; empty for a missing file.
  func text(_ name: String) -> String {
    FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  func makeDirectory(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
  }

  func write(_ name: String, _ text: String, mode: Int = 0o644) throws {
    try makeDirectory((name as NSString).deletingLastPathComponent)
    try Data(text.utf8).write(to: URL(filePath: path(name)))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }

  func install(_ name: String, exec: String = "/bin/true %u", _ lines: String...) throws {
    let lines = ["[Desktop Entry]", "Type=Application", "Name=\(name)", "Exec=\(exec)"] + lines
    try write(".local/share/applications/\(name).desktop", lines.joined(separator: "\n") + "\n")
  }

  /// The environment in which programs find this home, and no router.
  var environment: [String: String] {
    [
      "HOME": directory.path, "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "XDG_STATE_HOME": "",
      "XDG_DATA_DIRS": path("share"), "SCENED_SOCKET": path("no-router"),
    ]
  }

  /// The paths of all files in this home directory, except for those in `.local/share/applications`.
  var files: [String] {
    let all = FileManager.default.enumerator(atPath: directory.path)?.compactMap { $0 as? String } ?? []
    return all.filter { name in
      var isDirectory: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: path(name), isDirectory: &isDirectory)
      return !isDirectory.boolValue && !name.hasPrefix(".local/share/applications/")
    }
  }

  /// The names of the entries that the tool has made.
  var madeEntries: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: path(".local/share/applications"))
    return (names ?? []).filter { $0.hasPrefix("scened-") && $0 != "scened-open.desktop" }.sorted()
  }

  func scenectl(_ arguments: String...) throws -> Router.Run { try scenectl(arguments) }

  /// Runs `scenectl handler` in this home.
  func scenectl(_ arguments: [String], environment: [String: String] = [:]) throws -> Router.Run {
    try Router.scenectl(
      ["handler"] + arguments,
      environment: self.environment.merging(environment) { _, own in own }
    )
  }

  /// Runs a program in this home, and returns the program's output.
  func output(of program: String, _ arguments: String...) throws -> String {
    try output(of: program, arguments)
  }

  func output(of program: String, _ arguments: [String]) throws -> String {
    let (ending, output, error) = try SpawnedProgram.run(program, arguments, environment: environment)
    try #require(ending == .exit(0), "\(error)")
    return output
  }
}
