package import Foundation
import Varlink

/// Generates the types of interfaces: those of this package, in whose directory it runs, or of the descriptions that it
/// is given.
@main
enum Main {
  private static let usage = """
    usage: InterfaceGenerator [--access internal|package|public] [--nullable TYPE.FIELD]... FILE.varlink...

    Writes the types of each description into the directory Generated beside it, in place of all files there.
    A nullable array is an empty array in Swift where it is null, except for the fields named with --nullable.

    """

  static func main() throws {
    var interfaces: [GeneratedInterface] = []
    var access = GeneratedInterface.Access.internal
    var nullableArrays: Set<String> = []
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      switch argument {
      case "--access":
        guard let word = GeneratedInterface.Access(rawValue: arguments.popFirst() ?? "") else { fail(usage) }
        access = word
      case "--nullable":
        guard let field = arguments.popFirst(), field.contains(".") else { fail(usage) }
        nullableArrays.insert(field)
      case let file where file.hasPrefix("-"): fail(usage)
      case let file:
        interfaces.append(
          GeneratedInterface(ofPackage: file, access: access, nullableArrays: nullableArrays)
        )
      }
    }
    let directory = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
    try generate(interfaces.isEmpty ? GeneratedInterface.all : interfaces, in: directory)
  }

  private static func generate(_ interfaces: [GeneratedInterface], in package: URL) throws {
    var files: [URL: String] = [:]
    for interface in interfaces {
      do {
        files.merge(try interface.files(in: package)) { _, _ in
          fail("\(interface.description): another interface has a type of the same name.\n")
        }
      } catch let error as InterfaceDescriptionError {
        fail("\(interface.description):\(error)\n")
      }
    }
    for directory in Set(files.keys.map { $0.deletingLastPathComponent() }) {
      try? FileManager.default.removeItem(at: directory)
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }
    for (file, text) in files { try text.write(to: file, atomically: false, encoding: .utf8) }
  }

  private static func fail(_ text: String) -> Never {
    FileHandle.standardError.write(Data(text.utf8))
    exit(1)
  }
}

extension GeneratedInterface {
  /// The text of each file that is generated, one for each type, method and set of errors.
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
