package import Foundation
import Varlink

extension GeneratedInterface {
  package func files(in package: URL) throws -> [URL: String] {
    let isAbsolute = description.hasPrefix("/")
    let source = isAbsolute ? URL(filePath: description) : package.appending(path: description)
    let text = try String(contentsOf: source, encoding: .utf8)
    let interface = try InterfaceDescription(parsing: text)
    let directory = source.deletingLastPathComponent().appending(path: "Generated")
    let files = try InterfaceTemplate(interface: interface, source: text, options: self).files
    return Dictionary(
      uniqueKeysWithValues: files.map { (directory.appending(path: $0.name + ".swift"), $0.text) }
    )
  }
}
