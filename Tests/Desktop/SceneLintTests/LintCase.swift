import DesktopEntries
import Installed
import SceneRouting
import Testing

@testable import SceneLint

/// A situation in which a rule has a finding, and the situation that results from the finding's advice.
struct LintCase: CustomTestStringConvertible, Sendable {
  /// The linter's input: applications from desktop entries and connections, open scenes, and the user's choices.
  struct Situation: Sendable {
    /// The lines of each entry, by the entry's file name: the lines of the main group, then other groups.
    var entries: KeyValuePairs<String, String> = [:]
    var connected: [ApplicationDeclaration] = []
    var others: KeyValuePairs<String, String> = [:]
    var scenes: [LintedScene] = []
    var choices: [LintedChoice] = []
    var otherDefaults: [LintedChoice] = []

    var findings: [Finding] {
      get throws {
        let applications = try entries.map(Self.application) + connected.map { LintedApplication($0) }
        return Linter(
          applications,
          others: try others.map(Self.application),
          scenes: scenes,
          choices: choices,
          otherDefaults: otherDefaults,
          database: MIMEDatabase([
            .init(
              globs2: Array("50:text/x-python:*.py\n50:text/x-com:*.com\n50:text/org:*.org\n".utf8),
              subclasses: Array("text/x-python text/x-script\n".utf8)
            )
          ]),
          hasProgram: { $0 == "app" || $0 == "sh" },
          hasService: { $0 == "de.weber.Photos" },
          isInstalled: { $0 == "a.desktop" }
        ).findings
      }
    }

    private static func application(_ name: String, _ lines: String) throws -> LintedApplication {
      let main = lines.prefix { $0 != "[" }.split(separator: "\n")
      let exec = main.contains { $0.hasPrefix("Exec=") } ? "" : "Exec=app %u\n"
      let text = "[Desktop Entry]\nType=Application\nName=a\n\(exec)\(lines)\n"
      let read = DesktopEntryFile.read(Array(text.utf8), id: name, locale: LocaleName(""))
      #expect(read.complaints == [])
      guard case .application(let entry) = read.file else { throw BrokenEntry(name: name) }
      let installed = InstalledApplication(entry: entry, path: "/\(name)")
      return LintedApplication(ApplicationDeclaration(installed), entry: entry)
    }
  }

  let testDescription: String
  let rule: Finding.Rule
  let place: String
  let faulty: Situation
  let followed: Situation

  /// Makes a case of one entry, `a.desktop`.
  init(_ rule: Finding.Rule, _ name: String, at line: Int = 1, _ faulty: String, _ followed: String) {
    self.init(
      rule,
      name,
      at: "/a.desktop:\(line)",
      Situation(entries: ["a.desktop": faulty]),
      Situation(entries: ["a.desktop": followed])
    )
  }

  init(
    _ rule: Finding.Rule,
    _ name: String,
    at place: String,
    _ faulty: Situation,
    _ followed: Situation
  ) {
    (self.rule, testDescription, self.place) = (rule, name, place)
    (self.faulty, self.followed) = (faulty, followed)
  }
}

/// The error that is thrown if an entry of a test cannot be read.
struct BrokenEntry: Error {
  let name: String
}

extension LintCase {
  /// Returns the group of an action, whose additional lines declare a scene.
  static func action(_ id: String, _ lines: String) -> String {
    "[Desktop Action \(id)]\nName=\(id)\nExec=app %u\n\(lines)\n"
  }

  /// Returns the lines by which an entry claims hosts.
  static func hosts(_ hosts: String) -> String {
    "Implements=org.freedesktop.UriHandler;\n[org.freedesktop.UriHandler]\nSupports=\(hosts)"
  }
}
