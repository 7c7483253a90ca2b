import DesktopEntries
import Foundation
import SceneRouting
import TestSupport
import Testing

@testable import Installed

/// Files that are broken, too large or not regular.
struct BadFileTests {
  private let desktop: TemporaryDesktop

  init() throws { desktop = try TemporaryDesktop() }

  @Test func complaintsSayFileAndLine() throws {
    try desktop.write("data/applications/a.desktop", "[Desktop Entry]\nType=Application\n\nName=a\n")
    try desktop.install("data/applications/b.desktop", "X-Scened-Whatever=a")
    try desktop.write("config/mimeapps.list", "[Default Applications]\nnonsense\n")
    try desktop.write("config/intentapps.list", "\n\nnonsense\n")
    let read = desktop.read()
    #expect(read.ids == ["b.desktop"])
    let places = read.complaintTexts.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
    #expect(
      places == [
        "mimeapps.list:2: warning:", "a.desktop:1: error:", "b.desktop:5: warning:",
        "intentapps.list:3: warning:",
      ]
    )
    #expect(read.complaints[1].description.hasPrefix(desktop.path("data/applications/a.desktop:1: error: ")))
  }

  /// The router opens only regular files.
  ///
  /// The reason is that opening a pipe without a writer would block for ever, and an endless device would fill the
  /// memory.
  @Test func onlyRegularFilesAreOpened() throws {
    try desktop.makeDirectory("data/applications")
    #expect(mkfifo(desktop.path("data/applications/pipe.desktop"), 0o644) == 0)
    #expect(mkfifo(desktop.path("data/applications/mimeapps.list"), 0o644) == 0)
    try desktop.link("data/applications/zero.desktop", to: "/dev/zero")
    try desktop.install("share/applications/pipe.desktop")
    try desktop.install("share/applications/zero.desktop")
    let read = desktop.read()
    #expect(read.ids == [])
    let reason = "1: error: The file cannot be read: it is not a regular file."
    #expect(
      read.complaintTexts.sorted()
        == ["mimeapps.list:", "pipe.desktop:", "zero.desktop:"].map { $0 + reason }
    )
  }

  /// An empty file that hides an entry in a less important directory is no mistake.
  @Test func emptyFileThatHidesNothingIsTold() throws {
    try desktop.write("data/applications/hidden.desktop", "")
    try desktop.write("data/applications/empty.desktop", "")
    try desktop.write("share/applications/late.desktop", "")
    try desktop.install("share/applications/hidden.desktop")
    try desktop.install("data/applications/late.desktop")
    let read = desktop.read()
    #expect(read.ids == ["late.desktop"])
    #expect(read.complaints.map(\.path) == [desktop.path("data/applications/empty.desktop")])
    #expect(read.complaintTexts[0].hasPrefix("empty.desktop:1: warning: The file is empty"))
    try desktop.install("local/applications/empty.desktop")
    #expect(desktop.read().complaints == [])
  }

  @Test func aDirectoryNamedLikeAnEntryIsASubdirectory() throws {
    try desktop.install("data/applications/a.desktop/b.desktop")
    let read = desktop.read()
    #expect(read.ids == ["a.desktop-b.desktop"])
    #expect(read.complaints == [])
  }

  @Test(arguments: [1 << 20, 1 << 20 + 1, 64 << 20])
  func aFileIsReadUpToAMegabyte(_ size: Int) throws {
    let path = try desktop.install("data/applications/a.desktop")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try desktop.write("data/applications/a.desktop", text + "#")
    #expect(truncate(path, size) == 0)
    let read = desktop.read()
    #expect(read.ids == (size > 1 << 20 ? [] : ["a.desktop"]))
    #expect(read.complaints.count == (size > 1 << 20 ? 1 : 0))
  }

  /// A file is read only up to one byte beyond the limit.
  @Test func noMoreIsReadThanShowsThatItIsTooMuch() throws {
    let path = try desktop.write("data/applications/a.desktop", "[Desktop Entry]\n")
    #expect(truncate(path, 64 << 20) == 0)
    guard case .file(let bytes, _) = FileContents.read(path) else { throw Overdue("It is no file.") }
    #expect(bytes.count == DesktopEntryFile.maximumSize + 1)
  }

  @Test func whatMayNotBeReadIsReported() throws {
    try desktop.link("data/applications/a.desktop", to: "a.desktop")
    try desktop.install("share/applications/a.desktop")
    let read = desktop.read()
    #expect(read.ids == [])
    #expect(read.complaintTexts.count == 1)
    #expect(read.complaintTexts[0].hasPrefix("a.desktop:1: error: The file cannot be read: "))
  }

  @Test func ofTwoFilesWithOneApplicationIDTheShorterNameCounts() throws {
    for name in ["a", "b.desktop"] {
      try desktop.install("share/applications/\(name).desktop")
      try desktop.install("data/applications/\(name).desktop.desktop")
    }
    let read = desktop.read()
    #expect(read.ids == ["a.desktop", "b.desktop.desktop"])
    let reason = "error: The application id is that of"
    #expect(
      read.complaintTexts.sorted() == [
        "a.desktop.desktop:1: \(reason) 'a.desktop' too, which counts; rename one of the files.",
        "b.desktop.desktop.desktop:1: \(reason) 'b.desktop.desktop' too, which counts; rename one of the files.",
      ]
    )
    #expect(read.application(withID: "a")?.entry.id == "a.desktop")
    #expect(read.application(withID: "b")?.entry.id == "b.desktop.desktop")
    #expect(read.application(withID: "c") == nil)
  }

  @Test func namesThatAreNoTextAreReported() throws {
    try desktop.install("data/applications/a.desktop")
    let bytes: [CChar] = Array((desktop.path("data/applications") + "/").utf8CString.dropLast()) + [-1, 0]
    #expect(close(open(bytes, O_CREAT | O_WRONLY, 0o644)) == 0)
    let read = desktop.read()
    #expect(read.ids == ["a.desktop"])
    #expect(
      read.complaintTexts == [
        "applications:1: error: The file cannot be read: the name of a file in it is not UTF-8."
      ]
    )
  }

  @Test(arguments: [
    ("X-Scened-Matching=" + String(repeating: "a;", count: 2049), 1, "identifiersPerApplication"),
    ("X-Scened-Matching=" + String(repeating: "a", count: 4097), 1, "identifierLength"),
    ("X-Scened-SupportedTypes=" + String(repeating: "a;", count: 1025), 1, "supportedTypesPerApplication"),
    ("X-Scened-ActivityTypes=" + String(repeating: "a;", count: 1025), 1, "claimsPerApplication"),
    ("X-Scened-ActivityTypes=" + String(repeating: "a", count: 1025), 1, "stringLength"),
    (
      "Actions=x\n[Desktop Action x]\nName=x\nExec=a\nX-Scened-Matching="
        + String(repeating: "a", count: 4097), 6, "identifierLength"
    ),
    (
      "X-Scened-Matching=" + (0..<70).map { "\($0)" + String(repeating: "a", count: 4000) + ";" }.joined(), 1,
      "applicationSize"
    ),
  ])
  func whatBreaksALimitDoesNotTakePart(_ lines: String, _ line: Int, _ limit: String) throws {
    try desktop.install("data/applications/a.desktop", lines)
    try desktop.install("data/applications/b.desktop")
    let read = desktop.read()
    #expect(read.ids == ["b.desktop"])
    try #require(read.complaintTexts.count == 1)
    #expect(read.complaintTexts[0].hasPrefix("a.desktop:\(line): error: The limit '\(limit)' is "))
  }

  @Test func withoutAnyDirectoryThereIsNothing() {
    let read = InstalledApplications(reading: DesktopPlaces(environment: ["HOME": "/nonexistent"]))
    #expect(read.complaints == [])
  }

  @Test func tenThousandEntriesAreRead() throws {
    try desktop.makeDirectory("share/applications")
    let text = "[Desktop Entry]\nType=Application\nName=a\nExec=a %u\nMimeType=text/plain;\n"
    func path(_ number: Int) -> String { desktop.path("share/applications/a\(number).desktop") }
    #expect(FileManager.default.createFile(atPath: path(0), contents: Data(text.utf8)))
    // A file of its own for each entry takes ten times as long.
    for number in 1..<10_000 { try #require(link(path(0), path(number)) == 0) }
    let read = desktop.read()
    #expect(read.applications.count == 10_000)
    #expect(read.complaints == [])
    var router = Router()
    #expect(router.replaceFiles(with: read.fileDeclarations, now: 0).count == 10_000)
    #expect(router.replaceFiles(with: read.fileDeclarations, now: 0) == [])
  }

  @Test func entriesBeyondTheMostAreNotRead() throws {
    for number in 0..<4 { try desktop.install("share/applications/\(number).desktop") }
    func read(atMost maximum: Int) -> EntryDirectory {
      let path = desktop.path("share/applications")
      return EntryDirectory(path, atMost: maximum, inDirectories: 1, owners: desktop.owners)
    }
    #expect(read(atMost: 3).files.count == 3 && read(atMost: 3).isCut)
    #expect(!read(atMost: 4).isCut)
  }

  @Test func directoriesBeyondTheMostAreNeitherReadNorWatched() throws {
    for number in 0..<4097 { try desktop.makeDirectory("data/applications/\(number)") }
    try desktop.install("share/applications/a.desktop")
    var watched = 0
    let read = InstalledApplications(reading: desktop.places, owners: desktop.owners) { _ in watched += 1 }
    // `watched` also counts the desktop's other directories of entries, which are fewer than ten.
    #expect(watched < 4096 + 10)
    let reason = "there are more than 16384 desktop entries or 4096 directories"
    #expect(read.complaintTexts.contains("applications:1: error: The file cannot be read: \(reason)."))
  }

  @Test func linkToAllDirectoriesLeadsNoFurtherThanOneLink() throws {
    try desktop.install("outside/a.desktop")
    try desktop.install("outside/below/b.desktop")
    try desktop.install("elsewhere/c.desktop")
    try desktop.link("outside/link", to: desktop.path("elsewhere"))
    try desktop.link("data/applications/all", to: desktop.path("outside"))
    #expect(desktop.read().ids == ["all-a.desktop", "all-below-b.desktop"])
  }
}
