import Foundation
import PackagePlugin

/// Generates the types of a target's `.varlink` files at each build, with the access level `package`.
@main
struct GenerateInterfaces: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let descriptions = target.sourceModule?.sourceFiles(withSuffix: "varlink").map(\.url) ?? []
    let generator = try context.tool(named: "InterfaceGenerator").url
    return descriptions.map { description in
      let output = context.pluginWorkDirectoryURL
        .appending(path: description.deletingPathExtension().lastPathComponent + ".swift")
      return .buildCommand(
        displayName: "Generating the types of \(description.lastPathComponent)",
        executable: generator,
        arguments: ["--access", "package", "--output", output.path, description.path],
        inputFiles: [description],
        outputFiles: [output]
      )
    }
  }
}
