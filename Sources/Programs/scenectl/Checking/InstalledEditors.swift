import Installed
import SceneLint
import SystemPackage

extension LintedEditor {
  /// By the id of VS Code or of an editor that is built from it, the directory that holds the user's extensions.
  private static let directories = [
    "code": ".vscode", "code-insiders": ".vscode-insiders", "code-oss": ".vscode-oss",
    "codium": ".vscode-oss",
    "cursor": ".cursor",
  ]

  /// Returns the editors, if the extension of scened is on this machine.
  static func installed(
    among applications: some Sequence<InstalledApplication>,
    _ places: DesktopPlaces
  ) -> [LintedEditor] {
    let packages = places.own.map { "\($0)/scened.vsix" }
    guard let home = Host.variable("HOME"),
      let package = packages.first(where: { Host.isRegularFile(FilePath($0)) })
    else { return [] }
    return applications.sorted { $0.id < $1.id }.compactMap { application in
      guard let directory = directories[application.id] else { return nil }
      let extensions = Host.names(in: FilePath("\(home)/\(directory)/extensions"))
      return LintedEditor(
        path: application.path,
        command: application.id,
        package: package,
        hasAdapter: extensions.contains { $0.hasPrefix("scened.scened-") }
      )
    }
  }
}
