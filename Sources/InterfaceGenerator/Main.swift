package import Foundation
import Varlink

/// Generates the types of the package's interfaces; to be run in its directory.
@main
enum Main {
  static func main() throws {
    let package = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
    var files: [URL: String] = [:]
    for interface in GeneratedInterface.all {
      files.merge(try interface.files(in: package)) { _, _ in
        preconditionFailure("Two interfaces have a type of one name.")
      }
    }
    for directory in Set(files.keys.map { $0.deletingLastPathComponent() }) {
      try? FileManager.default.removeItem(at: directory)
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }
    for (file, text) in files { try text.write(to: file, atomically: false, encoding: .utf8) }
  }
}

extension GeneratedInterface {
  /// The text of each file that is generated, one for each type, method and set of errors.
  package func files(in package: URL) throws -> [URL: String] {
    let source = package.appending(path: description)
    let interface = try InterfaceDescription(parsing: String(contentsOf: source, encoding: .utf8))
    let directory = source.deletingLastPathComponent().appending(path: "Generated")
    let files = try InterfaceTemplate(interface: interface, options: self).files
    return Dictionary(
      uniqueKeysWithValues: files.map { (directory.appending(path: $0.name + ".swift"), $0.text) }
    )
  }
}
