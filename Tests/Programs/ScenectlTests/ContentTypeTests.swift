import Foundation
import TestSupport
import Testing

/// Tests of the content types that `scenectl open` sends for files.
///
/// If the name of a file tells no type, `xdg-mime` decides the type.
@Suite(.blocking) final class ContentTypeTests {
  private let router: Router
  private let scene: SpawnedProgram
  private let directory: TemporaryDirectory

  init() throws {
    router = try Router()
    directory = try TemporaryDirectory()
    scene = try router.start("scene", "--json", "--allow", "*")
    try scene.outputLine(containing: "opened")
    try FileManager.default.createDirectory(
      atPath: directory.appending("data/mime"),
      withIntermediateDirectories: true
    )
    let globs = [
      "50:text/x-song:*.song", "50:text/x-one:*.two", "50:text/x-other:*.two", "50:text/x-alias:*.old",
    ]
    try write("data/mime/globs2", globs.joined(separator: "\n") + "\n")
    try write("data/mime/aliases", "text/x-alias text/x-new\n")
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: directory.appending(name)))
  }

  /// Opens a file or URL with `scenectl open`, and returns the content type in the event.
  ///
  /// By default, `PATH` begins with the test's directory, in which a test can write its own `xdg-mime`.
  private func type(_ argument: String, path: String? = nil) throws -> String? {
    let environment = [
      "PATH": path ?? "\(directory.path):/usr/bin:/bin", "HOME": directory.path, "XDG_DATA_HOME": "",
      "XDG_DATA_DIRS": directory.appending("data"),
    ]
    #expect(try router.scenectl("open", argument, environment: environment).status == 0)
    return try JSONObject(scene.nextLine())["delivery.event.contentType"]
  }

  /// If the name of a file tells no type, the event has the type that `xdg-mime` prints.
  ///
  /// Each case is a script that replaces `xdg-mime`, and the content type of the event.
  @Test(arguments: [
    ("echo text/x-tune", "text/x-tune"), ("echo 'Text/X-Tune; charset=us-ascii'", "text/x-tune"),
    (#"test "$1 $2" = "query filetype" && test -f "$3" && echo text/x-file"#, "text/x-file"),
    ("echo application/octet-stream", nil), ("echo inode/x-empty", nil), ("echo; echo text/plain", nil),
    ("echo none", nil), ("echo a/b/c", nil), ("echo /b", nil), ("echo 'a/b c'", nil), ("true", nil),
    ("echo text/plain; exit 2", nil), ("kill -9 $$", nil), ("yes text/plain", nil),
  ])
  func fileWithoutATellingNameHasTheTypeThatTheDesktopSays(_ script: String, _ type: String?) throws {
    try directory.writeScript("xdg-mime", script)
    try write("-a %", "text")
    #expect(try self.type(directory.appending("-a %")) == type)
    #expect(try self.type("file://\(directory.path)/-a%20%25") == type)
    #expect(try self.type("n:1") == nil)
  }

  /// The event has no content type if `xdg-mime` gives no answer.
  ///
  /// - In the first case, there is no `xdg-mime`.
  /// - In the second case, neither `xdg-mime` nor its child ends in time.
  @Test(arguments: [nil, "sleep 600 & wait"])
  func fileHasNoTypeWithoutAnAnswer(_ script: String?) throws {
    if let script { try directory.writeScript("xdg-mime", script) }
    try write("a", "text")
    #expect(try type(directory.appending("a"), path: script == nil ? directory.path : nil) == nil)
  }

  /// The name of a file decides its type, although `xdg-mime` would give another type.
  @Test(arguments: [
    ("a.song", "text/x-song"), ("A.SONG", "text/x-song"), ("a b.song", "text/x-song"),
    ("a.old", "text/x-new"),
    // `xdg-mime` decides the types of the files in the next line, because two types match the name `a.two` equally
    // well, and no type matches the names `a` and `a.song.other`.
    ("a.two", "text/x-contents"), ("a", "text/x-contents"), ("a.song.other", "text/x-contents"),
  ])
  func nameTellsTheType(_ name: String, _ type: String) throws {
    try directory.writeScript("xdg-mime", "echo text/x-contents")
    try write(name, "text")
    #expect(try self.type(directory.appending(name)) == type)
    #expect(try self.type("file://\(machineName)\(directory.appending(name))") == type)
  }

  @Test func directoryHasTheTypeOfDirectoriesWhateverItsName() throws {
    try directory.writeScript("xdg-mime", "echo text/x-contents")
    let path = directory.appending("a.song")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    #expect(try type(path) == "inode/directory")
    #expect(try type("file://\(path)/") == "inode/directory")
  }

  /// For a pipe, `xdg-mime` decides the type, because the name of a pipe says nothing about its contents.
  ///
  /// scenectl must not read from the pipe, because this would remove the contents.
  @Test func missingFileHasNoTypeAndAPipeTheOneThatTheDesktopSays() throws {
    try directory.writeScript("xdg-mime", "echo inode/fifo")
    #expect(try type("file://\(directory.appending("missing.song"))") == nil)
    try #require(mkfifo(directory.appending("pipe.song"), 0o600) == 0)
    #expect(try type(directory.appending("pipe.song")) == "inode/fifo")
  }
}
