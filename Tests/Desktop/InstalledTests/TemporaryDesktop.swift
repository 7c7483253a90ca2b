import DesktopEntries
import Foundation
import SceneRouting
import TestSupport

@testable import Installed

/// The directories of a desktop, below a temporary directory that is removed when this object is freed.
final class TemporaryDesktop {
  private let directory: TemporaryDirectory
  /// The environment variables that name the desktop's directories.
  ///
  /// The directories are below the temporary directory. For example, `XDG_CONFIG_HOME` is its subdirectory `config`.
  var environment: [String: String]
  /// The users whose files are trusted.
  var owners = FileOwners([geteuid()])

  init() throws {
    directory = try TemporaryDirectory()
    let path = directory.path
    environment = [
      "XDG_CONFIG_HOME": path + "/config", "XDG_CONFIG_DIRS": path + "/xdg", "XDG_DATA_HOME": path + "/data",
      "XDG_DATA_DIRS": path + "/local:" + path + "/share", "XDG_STATE_HOME": path + "/state",
      "PATH": path + "/bin",
    ]
  }

  func path(_ name: String) -> String { directory.appending(name) }

  /// Writes a file, and makes the directories above the file.
  @discardableResult
  func write(_ name: String, _ text: String, mode: Int = 0o644) throws -> String {
    let path = path(name)
    try makeDirectory((name as NSString).deletingLastPathComponent)
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  func makeDirectory(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path(name),
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o755]
    )
  }

  func link(_ name: String, to target: String) throws {
    try makeDirectory((name as NSString).deletingLastPathComponent)
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }

  /// Writes the entry of an application, with additional lines.
  @discardableResult
  func install(
    _ name: String,
    named title: String = "App",
    exec: String = "app %u",
    mode: Int = 0o644,
    _ lines: String...
  ) throws -> String {
    let lines = ["[Desktop Entry]", "Type=Application", "Name=\(title)", "Exec=\(exec)"] + lines
    return try write(name, lines.joined(separator: "\n") + "\n", mode: mode)
  }

  var places: DesktopPlaces {
    var places = DesktopPlaces(environment: environment)
    // Without this line, `own` has directories of the machine that runs the tests.
    places.own = [path("config/scened"), path("etc"), path("usr")]
    return places
  }

  func read(limits: Limits = Limits()) -> InstalledApplications {
    InstalledApplications(reading: places, limits: limits, owners: owners)
  }
}

extension InstalledApplications {
  var ids: [String] { applications.keys.sorted() }

  /// The default application of each type and scheme.
  var userDefaults: [ClaimKey: String] { preferences.compactMapValues(\.defaultApplication) }

  /// The complaints with file names instead of paths.
  var complaintTexts: [String] {
    complaints.map { ($0.path as NSString).lastPathComponent + ":\($0.complaint)" }
  }
}
