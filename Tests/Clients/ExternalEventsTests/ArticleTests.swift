import ExternalEvents
import Foundation
import Observation
import SceneClient
import TestSupport
import Testing

/// The programs that the article *Coming from SwiftUI* prints.
@MainActor @Suite(.timeLimit(.minutes(20)))
struct ArticleTests {
  private static let article = PackageDirectory.appending(
    "Sources/Clients/ExternalEvents/ExternalEvents.docc/ComingFromSwiftUI.md"
  )

  @Test func documentGetsItsFile() async throws {
    let directory = try TemporaryDirectory()
    for name in ["a", "b"] {
      try name.write(toFile: directory.appending("\(name).txt"), atomically: false, encoding: .utf8)
    }
    let router = try await TestRouter(.inProcess)
    let running = Task { try await Notes().run(RouterConnection(socketPath: router.socket)) }
    try await router.connection.waitForScene { $0.title == "No file" }
    func open(_ name: String) async throws -> SceneDescription? {
      let event = Event(url: "file://\(directory.path)/\(name)", contentType: "text/plain")
      let outcome = try await router.connection.send(event, options: SendOptions(timeout: .seconds(60)))
      guard outcome.isTaken, let id = outcome.attempts.last?.sceneID else { return nil }
      return try await router.connection.scenes(id: id).first
    }
    let first = try await #require(open("a.txt"))
    #expect(first.title == "a.txt", "The empty window takes it.")
    let second = try await #require(open("b.txt"))
    #expect(second.title == "b.txt" && second.id != first.id)
    #expect(second.declarationID == "note")
    #expect(try await open("a.txt")?.id == first.id)
    #expect(try await open("none.txt") == nil, "A file that cannot be read is declined.")
    running.cancel()
    try await running.value
  }

  @Test func articleHasThisProgram() throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let program = try #require(source.components(separatedBy: "// The program of the article:\n").last)
    let article = try String(contentsOfFile: Self.article, encoding: .utf8)
    #expect(program.contains("DocumentGroup") && article.contains("```swift\n\(program)```\n"))
  }

  @Test func linesOfContactListAreThoseOfTheExample() throws {
    let article = try String(contentsOfFile: Self.article, encoding: .utf8)
    let example = try String(
      contentsOfFile: PackageDirectory.appending("Sources/Examples/ContactList/ContactList.swift"),
      encoding: .utf8
    )
    let lines = example.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let table = try #require(
      article.components(separatedBy: "### ContactList").last?.split(separator: "\n###").first
    )
    let rows = table.matches(of: /\n\| `(.*?)`.*? \| (?:`(.*)`|the same) \|/).map { String($0.2 ?? $0.1) }
    #expect(rows.count == 22)
    var rest = lines[...]
    for row in rows {
      let found = try #require(
        rest.firstIndex(of: row),
        "'\(row)' is not in the example, or not in this order."
      )
      rest = rest[(found + 1)...]
    }
  }
}

// The program of the article:
struct Notes: SceneApplication {
  static let id = "org.example.Notes"

  var body: some SceneDeclarations {
    DocumentGroup("Note", id: "note", supportedTypes: ["text/plain"]) { Note() }
  }

  var claims: Claims { Claims(mimeTypes: ["text/plain"]) }
}

@Observable final class Note: WindowContent {
  var file: URL?
  var text = ""

  var body: some WindowModifiers {
    Views()
      .handlesExternalEvents(preferring: [], allowing: file == nil ? ["*"] : [])
      .onOpenURL { [self] url in
        text = try String(contentsOf: url, encoding: .utf8)
        file = url
      }
      .showing(file)
      .title(file?.lastPathComponent ?? "No file")
  }
}
