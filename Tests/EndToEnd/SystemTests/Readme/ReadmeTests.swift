import Foundation
import TestSupport
import Testing

/// Checks the size of the README and the order of its sections, and runs its commands and programs exactly as printed.
///
/// `.ci/run` runs the commands below "See it work" and "Test it", because they build this package, and
/// `windowInSwiftTakesItsLinks`, which builds another.
@Suite(.blocking) struct ReadmeTests {
  let readme: Readme
  let examples: Readme
  private let adapters: Readme

  init() throws {
    readme = try Readme()
    examples = try Readme("Sources/Examples/README.md")
    adapters = try Readme("Sources/Adapters/README.md")
  }

  // MARK: - The page

  @Test func pageIsShortAndInOrder() throws {
    #expect(readme.lines.count <= 130)
    #expect(readme.lines.filter { $0.count > 120 } == [])
    #expect(readme.lines[1].split(separator: " ").count <= 12)
    #expect(
      readme.lines.filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) } == [
        "See it work", "What a click does", "Install it", "Two minutes of use", "A window of your own",
        "Who gets a link", "Compared", "When it does not work", "Privacy and uninstall", "Test it",
      ]
    )
    #expect(!readme.lines.contains { $0.contains("SwiftUI") })
  }

  /// This test fails for a new block of code, so that its author adds a test that runs the block.
  @Test func everyBlockIsRunByATest() {
    #expect(
      readme.blocks.map { "\($0.heading): \($0.language)" } == [
        "See it work: sh", "See it work: text", "Install it: sh", "Two minutes of use: sh",
        "A window of your own: python", "A window of your own: swift", "A window of your own: sh",
        "Test it: sh",
      ]
    )
  }

  @Test(arguments: ["README.md", "Sources/Adapters/README.md", "Sources/Examples/README.md"])
  func linksLeadToFiles(page: String) throws {
    let directory = URL(filePath: PackageDirectory.appending(page)).deletingLastPathComponent()
    for line in try Readme(page).lines {
      for link in line.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
        let file = directory.appending(path: String(link.1)).standardized.path
        #expect(FileManager.default.fileExists(atPath: file), "\(page) leads to \(link.1)")
      }
    }
  }

  @Test func outputOfTheDemonstrationIsTheRealOne() throws {
    let (ending, output, error) = try SpawnedProgram.run("scenectl", ["demo"])
    #expect(ending == .exit(0) && error == "", "\(error)")
    #expect(try output == readme.block("text", below: "See it work"))
  }

  // MARK: - Its commands and programs

  @Test func twoMinutesOfUse() throws {
    let desktop = try ReaderDesktop()
    let (ending, output, error) = try SpawnedProgram.run(
      "/bin/bash",
      ["-c", readme.block("sh", below: "Two minutes of use")],
      environment: desktop.environment
    )
    #expect(ending == .exit(0) && error == "", "\(error)")
    let window = try #require(output.firstMatch(of: /taken by scene (\S+) of wiki: it shows this page/)).1
    // `output` must contain these texts in this order. A background program writes other text in between.
    var rest = output[...]
    for text in [
      "https://wiki.example.org/Start: taken by scene \(window) of wiki",
      "https://wiki.example.org/Start, ", "taken by scene \(window) of wiki",
      "  https://wiki.example.org/Start  wiki         \(window)",
      "https://news.example.org/ would go to a new scene 'main' of Browser: ",
    ] {
      let found = try #require(rest.firstRange(of: text), "'\(text)' is missing: \(output)")
      rest = rest[found.upperBound...]
    }
  }

  @Test func windowInPythonTakesItsLinks() throws {
    let program = try readme.block("python", below: "A window of your own")
    try expectLinks(withWindow: true) { environment in
      try PythonProgram.start(["-W", "error", "-c", program], environment: environment)
    }
  }

  @Test func windowInTheShellTakesItsLinks() throws {
    let command = try readme.block("sh", below: "A window of your own")
    try expectLinks(withWindow: false) { environment in
      try SpawnedProgram("/bin/bash", ["-c", "exec \(command)"], environment: environment)
    }
  }

  @Test func adapterInPythonTakesItsLinks() throws {
    let program = try adapters.block("python", below: "Your own, in an afternoon")
    try expectLinks(withWindow: true) { environment in
      try PythonProgram.start(["-W", "error", "-c", program], environment: environment)
    }
  }

  @Test func adapterInTheShellTakesItsLinks() throws {
    try TestEnvironment.run("get-command", ["jq", "jq"])
    let program = try adapters.block("bash", below: "Your own, in an afternoon")
    try expectLinks(withWindow: true) { environment in
      try SpawnedProgram("/bin/bash", ["-c", program], environment: environment)
    }
  }

  /// Starts a program, and expects that the program gets the links to the wiki.
  ///
  /// The browser must get all other links. The links are sent before and after a restart of the router.
  func expectLinks(
    withWindow hasWindow: Bool,
    of start: ([String: String]) throws -> SpawnedProgram
  ) throws {
    let desktop = try ReaderDesktop()
    let program = try start(desktop.environment)
    for round in 1...2 {
      try desktop.waitForWiki(withWindow: hasWindow)
      for page in ["Start", "Other"] {
        let link = "https://wiki.example.org/\(page)?\(round)"
        let sent = try desktop.scenectl("open", link)
        try program.outputLine(containing: link)
        #expect(sent.contains("of wiki"), "\(sent)\(program.errorText)")
      }
      let link = "https://news.example.org/\(round)"
      #expect(try desktop.scenectl("open", link).contains("browser"))
      try desktop.waitForBrowser(with: link)
      if round == 1 { try desktop.restartRouter() }
    }
  }
}
