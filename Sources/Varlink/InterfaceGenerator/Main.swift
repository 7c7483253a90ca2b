import Foundation
import InterfaceGeneration
import Varlink

/// Generates the types of the given descriptions.
///
/// Without arguments, those of ``GeneratedInterface/all``; it then must run in the directory of this package.
@main
enum Main {
  private static let usage = """
    usage: InterfaceGenerator [--access internal|package|public] [--nullable TYPE.FIELD]... [--output FILE.swift]
                              FILE.varlink...

    Writes the types of each description into the directory Generated beside it, in place of all files there, or the
    types of all descriptions into the file named with --output.
    A nullable array is an empty array in Swift where it is null, except for the fields named with --nullable.

    """

  static func main() throws {
    var interfaces: [GeneratedInterface] = []
    var access = GeneratedInterface.Access.internal
    var nullableArrays: Set<String> = []
    var output: URL?
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      switch argument {
      case "--access":
        guard let word = GeneratedInterface.Access(rawValue: arguments.popFirst() ?? "") else { fail(usage) }
        access = word
      case "--nullable":
        guard let field = arguments.popFirst(), field.contains(".") else { fail(usage) }
        nullableArrays.insert(field)
      case "--output":
        guard let file = arguments.popFirst() else { fail(usage) }
        output = URL(filePath: file)
      case let file where file.hasPrefix("-"): fail(usage)
      case let file:
        interfaces.append(
          GeneratedInterface(ofPackage: file, access: access, nullableArrays: nullableArrays)
        )
      }
    }
    let directory = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
    let files = try files(of: interfaces.isEmpty ? GeneratedInterface.all : interfaces, in: directory)
    guard let output else { return try replaceDirectories(of: files) }
    let texts = files.sorted { $0.key.path < $1.key.path }.map(\.value)
    try texts.joined(separator: "\n").write(to: output, atomically: false, encoding: .utf8)
  }

  private static func files(of interfaces: [GeneratedInterface], in package: URL) throws -> [URL: String] {
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
    return files
  }

  private static func replaceDirectories(of files: [URL: String]) throws {
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
