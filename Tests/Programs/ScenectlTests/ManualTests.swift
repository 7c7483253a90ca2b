import Foundation
import SceneRouting
import TestSupport
import Testing
import Varlink

/// The man pages.
///
/// Their options, commands and interfaces are the texts of the programs and the interfaces; the rest is written by hand.
@Suite(.blocking) struct ManualTests {
  private static let directory = PackageDirectory.appending("systemd/man")

  @Test func pagesSayWhatTheProgramsAndTheInterfacesSay() throws {
    let made = try TemporaryDirectory()
    try TestEnvironment.run("get-command", ["python3", "python3"])
    let (ending, _, error) = try SpawnedProgram.run(
      "/usr/bin/env",
      ["python3", "\(Self.directory)/generate", SpawnedProgram.buildDirectory, made.path]
    )
    try #require(ending == .exit(0), "\(error)")
    for page in try FileManager.default.contentsOfDirectory(atPath: made.path) {
      #expect(
        FileManager.default.contentsEqual(
          atPath: made.appending(page),
          andPath: "\(Self.directory)/\(page)"
        ),
        "'systemd/man/generate .build/debug' makes \(page) anew"
      )
    }
  }

  @Test func pageOfDesktopEntriesHasEveryKeyAndTheVersion() throws {
    let page = try String(contentsOfFile: "\(Self.directory)/scened-desktop.5", encoding: .utf8)
    let reader = PackageDirectory.appending("Sources/Desktop/DesktopEntries/Entry/DesktopEntryReader.swift")
    let keys = try String(contentsOfFile: reader, encoding: .utf8).matches(of: /"(X-Scened-\w+)"/).map(\.1)
    try #require(keys.count >= 7)
    for key in keys {
      #expect(page.contains(".BR \(key.replacing("-", with: "\\-"))="), "\(key)")
    }
    let version = try SpawnedProgram.run("scened", ["--version"]).output.trimmingCharacters(in: .newlines)
    #expect(page.hasPrefix(#".TH SCENED-DESKTOP 5 "" "\#(version)""#))
  }

  /// Each limit that an error can name stands in the page with its number.
  @Test func pageOfTheServiceHasTheNumberOfEachLimit() throws {
    let page = try String(contentsOfFile: "\(Self.directory)/scened.8", encoding: .utf8)
    let listed = page.matches(of: /\n\.TP\n\.I (\w+)\n([\d,]+) \w/).compactMap { match in
      Int(match.2.replacing(",", with: "")).map { (String(match.1), $0) }
    }
    let numbers = Dictionary(
      Mirror(reflecting: Limits()).children.compactMap { child in
        child.label.flatMap { label in (child.value as? Int).map { (label, $0) } }
      }
    ) { first, _ in first }
    for limit in Limit.allCases where limit != .fileDescriptors {
      #expect(listed.filter { $0.0 == limit.rawValue }.map(\.1) == [try #require(numbers[limit.rawValue])])
    }
    #expect(listed.count == Limit.allCases.count - 1)
    for (name, words) in [
      ("attemptsPerEvent", "offered to 8 targets"), ("chainLength", "no more than 8 of them"),
    ] {
      #expect(numbers[name] == 8 && page.contains(words))
    }
    #expect(page.contains("A message has 262,144 bytes") && FrameSplitter.messageLimit == 262_144)
  }

  @Test func pagesThatAreByHandHaveTheVersion() throws {
    let version = try SpawnedProgram.run("scened", ["--version"]).output.trimmingCharacters(in: .newlines)
    let titles = ["scened.recipes.7": "SCENED.RECIPES 7", "scened-desktop.1": "SCENED-DESKTOP 1"]
    for (page, title) in titles {
      let text = try String(contentsOfFile: "\(Self.directory)/\(page)", encoding: .utf8)
      #expect(text.hasPrefix(#".TH \#(title) "" "\#(version)""#))
    }
  }

  @Test(arguments: [
    ("scenectl.1", "scenectl open [option ...]"), ("scened.8", "--history DETAIL"),
    ("scened.recipes.7", "scenectl handler set forge.example.org firefox-esr --profile Work"),
    ("scened-desktop.5", "X-Scened-Matching=IDENTIFIER;..."), ("scened-desktop.1", "--page PAGE"),
    ("scened.interface.7", "method SendEvent("),
  ])
  func pageIsReadWithoutWarnings(page: String, content: String) throws {
    let man = try TestEnvironment.run("get-command", ["man", "man-db"])
    let (ending, output, error) = try SpawnedProgram.run(
      man,
      ["--warnings", "--local-file", "\(Self.directory)/\(page)"],
      environment: ["MANWIDTH": "80", "MANPAGER": "cat", "LC_ALL": "C.UTF-8"]
    )
    #expect(ending == .exit(0) && error == "", "\(error)")
    #expect(output.contains(content))
  }
}
