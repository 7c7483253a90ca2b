import DesktopEntries
import Foundation
import TestSupport

/// The answer of GIO about a type.
struct GIOAnswer: Decodable, Equatable {
  let type: String
  /// The applications that open the type itself, the most preferred first.
  let recommended: [String]
  /// The recommended applications, then the applications of the type's supertypes.
  let all: [String]
  let `default`: String?

  /// Whether another answer has the same applications in any order.
  ///
  /// If only one of the two answers has a default, the result is false.
  func isReordered(_ other: GIOAnswer) -> Bool {
    recommended.sorted() == other.recommended.sorted() && all.sorted() == other.all.sorted()
      && (self.default == nil) == (other.default == nil)
  }
}

/// A user's home on a machine with the entries of all programs of Debian's desktops.
final class DebianDesktop {
  /// The directory that stands for `/usr/share`.
  let share: String
  let entries: [(id: String, file: DesktopEntryFile, complaints: [Complaint])]
  /// The types of all entries.
  ///
  /// `application/pkcs12` and `application/x-pkcs12` are left out, because gcr makes them aliases of each other.
  private(set) var types: Set<String> = []
  private let directory: TemporaryDirectory
  /// The applications whose entries have the absolute path of a missing program.
  ///
  /// GIO leaves these applications out, and scened fails to start them.
  private var missing: Set<String> = []

  init() throws {
    try TestEnvironment.run("get-desktop")
    let share = try TestEnvironment.run("debian-entries")
    self.share = share
    directory = try TemporaryDirectory()
    entries = try FileManager.default.subpathsOfDirectory(atPath: share + "/applications").sorted().compactMap
    {
      guard let id = DesktopEntry.id(ofPath: $0) else { return nil }
      let bytes = try Data(contentsOf: URL(filePath: "\(share)/applications/\($0)"))
      let (file, complaints) = DesktopEntryFile.read(Array(bytes), id: id, locale: LocaleName("C"))
      return (id, file, complaints)
    }
    for path in ["programs", "config"] {
      let path = directory.appending(path)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    for case (let id, .application(let entry), _) in entries {
      types.formUnion(entry.claims.mimeTypes + entry.claims.schemes.map { DesktopEntry.type(ofScheme: $0) })
      for program in [entry.exec?.program, entry.tryExec].compactMap(\.self) {
        if !program.hasPrefix("/") {
          // A symbolic link to `/bin/true` stands for the program. Both GIO and scened accept a link.
          try? FileManager.default.createSymbolicLink(
            atPath: directory.appending("programs/\(program)"),
            withDestinationPath: "/bin/true"
          )
        } else if !FileManager.default.isExecutableFile(atPath: program) {
          missing.insert(id)
        }
      }
    }
    types.subtract(["application/pkcs12", "application/x-pkcs12"])
  }

  var environment: [String: String] {
    [
      "HOME": directory.path, "XDG_DATA_HOME": directory.appending("data"), "XDG_DATA_DIRS": share,
      "XDG_CONFIG_HOME": directory.appending("config"), "XDG_CONFIG_DIRS": directory.appending("none"),
      "XDG_CURRENT_DESKTOP": "GNOME", "PATH": directory.appending("programs"),
    ]
  }

  func isPresent(_ id: String) -> Bool { !missing.contains(id) }

  func present(_ ids: [String]) -> [String] { ids.filter(isPresent) }

  /// Writes one of the user's lists, such as `mimeapps.list`, with lines for many types.
  ///
  /// Among the added applications, GNOME's text editor comes before mpv for some types, and after mpv for other types.
  func writeList(_ name: String, withDefaults hasDefaults: Bool = true) throws {
    var (defaults, added, removed): ([String], [String], [String]) = ([], [], [])
    func id(_ number: Int) -> String { entries[number % entries.count].id }
    for (number, type) in types.sorted().enumerated() {
      if number % 3 == 0, hasDefaults { defaults.append("\(type)=\(id(number * 7));\(id(number * 11));") }
      if number % 4 == 1 {
        let own = ["org.gnome.TextEditor.desktop", "mpv.desktop", id(number * 13), id(number * 5)]
        added.append("\(type)=\((number % 8 == 1 ? own : own.reversed()).joined(separator: ";"));")
      }
      if number % 5 == 2 {
        removed.append("\(type)=\(id(number * 17));org.gnome.TextEditor.desktop;mpv.desktop;")
      }
    }
    let groups = [("Default", defaults), ("Added", added), ("Removed", removed)].map { group, lines in
      ["[\(group) \(group == "Default" ? "Applications" : "Associations")]"] + lines
    }
    let text = groups.joined().joined(separator: "\n") + "\n"
    try text.write(toFile: directory.appending("config/\(name)"), atomically: false, encoding: .utf8)
  }

  /// Asks GIO about all types.
  func answersOfGIO() throws -> [GIOAnswer] {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "Python/associations.py"
    )
    let (ending, output, error) = try SpawnedProgram.run(
      "/usr/bin/python3",
      [script.path] + types.sorted(),
      environment: environment
    )
    guard ending == .exit(0) else { throw Overdue("GIO does not answer: \(error)") }
    return try output.split(separator: "\n").map {
      try JSONDecoder().decode(GIOAnswer.self, from: Data($0.utf8))
    }
  }
}
