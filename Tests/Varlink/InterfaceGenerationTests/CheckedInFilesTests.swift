import Foundation
import InterfaceGeneration
import Testing

/// Compares the files that the generator makes from the package's interfaces with the checked-in files.
struct CheckedInFilesTests {
  private let package = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../..", directoryHint: .isDirectory).standardized

  @Test(arguments: GeneratedInterface.all)
  func checkedInFilesAreWhatIsGenerated(_ interface: GeneratedInterface) throws {
    for (file, text) in try interface.files(in: package) {
      #expect(try String(contentsOf: file, encoding: .utf8) == text, "Run `swift run InterfaceGenerator`.")
    }
  }

  @Test func nothingElseIsCheckedInBesideThem() throws {
    let generated = try Set(GeneratedInterface.all.flatMap { try $0.files(in: package).keys }.map(\.path))
    for directory in Set(generated.map { URL(filePath: $0).deletingLastPathComponent() }) {
      for file in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
        #expect(generated.contains(directory.appending(path: file).path))
      }
    }
  }
}
