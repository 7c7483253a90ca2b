import Foundation
import TestSupport
import Testing

/// `scenectl open --wait`: the command waits while a scene shows the file.
@Suite(.blocking) final class WaitTests {
  private let router: Router
  private let directory: TemporaryDirectory

  init() throws {
    router = try Router()
    directory = try TemporaryDirectory()
    for name in ["a.txt", "b.txt"] { _ = FileManager.default.createFile(atPath: path(name), contents: nil) }
  }

  private func path(_ name: String) -> String { directory.appending(name) }

  /// Starts `scenectl open --wait`, and returns when every file has been taken by a scene.
  private func wait(_ names: String..., in router: Router? = nil) throws -> SpawnedProgram {
    let program = try (router ?? self.router).start(["open", "--wait"] + names.map(path))
    for _ in names { try program.outputLine(containing: "taken by ") }
    return program
  }

  /// Whether a program still runs; the function first starts a monitor, which gives the program time to end.
  private func goesOn(_ program: SpawnedProgram) throws -> Bool {
    let monitor = try router.start("monitor")
    try monitor.outputLine(containing: "watching")
    return program.isRunning
  }

  @Test func commandWaitsUntilTheSceneThatShowsTheFileIsClosed() throws {
    let (_, scene) = try router.scene("--showing", path("a.txt"))
    let program = try wait("a.txt")
    let (_, other) = try router.scene("--showing", path("b.txt"))
    other.send(signal: SIGTERM)
    _ = try other.waitForEnd()
    #expect(try goesOn(program))
    scene.send(signal: SIGTERM)
    #expect(try program.waitForEnd() == .exit(0))
    #expect(program.errorText == "")
  }

  /// Two scenes show the first file, and one scene shows the second file.
  @Test func commandWaitsForEveryFileAndEveryScene() throws {
    let scenes = try ["a.txt", "b.txt", "a.txt"].map { try router.scene("--showing", path($0)).program }
    let program = try wait("a.txt", "b.txt")
    for scene in scenes {
      #expect(try goesOn(program))
      scene.send(signal: SIGTERM)
      _ = try scene.waitForEnd()
    }
    #expect(try program.waitForEnd() == .exit(0))
  }

  /// One scene takes the file without showing it.
  ///
  /// The command waits for another scene, which shows the file later.
  @Test func fileMayBeShownLater() throws {
    let (_, taker) = try router.scene("--allow", "*")
    let program = try wait("a.txt")
    let (_, scene) = try router.scene("--showing", "file://\(machineName)\(path("a.txt"))#section")
    #expect(try goesOn(program))
    scene.send(signal: SIGTERM)
    #expect(try program.waitForEnd() == .exit(0))
    #expect(taker.isRunning)
  }

  @Test func sceneThatDoesNotSayWhatItShowsIsWaitedFor() throws {
    let (id, scene) = try router.scene("--allow", "*")
    let program = try wait("a.txt")
    try program.errorLine(containing: "waits until scene \(id) is closed")
    scene.send(signal: SIGTERM)
    #expect(try program.waitForEnd() == .exit(0))
  }

  @Test func programWithoutASceneCannotBeWaitedFor() throws {
    let data = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: data.appending("applications"),
      withIntermediateDirectories: true
    )
    try "[Desktop Entry]\nType=Application\nName=a\nExec=true %u\nMimeType=x-scheme-handler/file;\n".write(
      toFile: data.appending("applications/plain.desktop"),
      atomically: true,
      encoding: .utf8
    )
    let router = try Router(environment: ["XDG_DATA_DIRS": data.path])
    let run = try router.scenectl("open", "--wait", path("a.txt"))
    #expect(run.status == 1)
    #expect(run.output.contains("plain"))
    #expect(run.error.contains("has no window in scened"))
  }

  @Test func fileThatNobodyTakesIsNotWaitedFor() throws {
    #expect(try router.scenectl("open", "--wait", path("a.txt")).status == 3)
    _ = try router.scene("--allow", "*", "--decline")
    #expect(try router.scenectl("open", "--wait", path("a.txt")).status == 4)
    let run = try router.scenectl("open", "--wait", "--no-wait", path("a.txt"))
    #expect(run.status == 64 && run.error.contains("--wait and --no-wait"))
  }

  @Test func signalEndsTheWaitAndLeavesTheScene() throws {
    let (_, scene) = try router.scene("--showing", path("a.txt"))
    let program = try wait("a.txt")
    program.send(signal: SIGINT)
    #expect(try program.waitForEnd() == .signal(SIGINT))
    #expect(scene.isRunning)
  }

  /// The router is restarted while two commands wait, each for a file.
  ///
  /// The scene that shows the first file opens again after the restart, so the first command goes on waiting. No scene
  /// shows the second file, so the second command ends with an error.
  @Test(arguments: [SIGKILL, SIGTERM])
  func restartOfTheRouterEndsNoWait(_ signal: CInt) throws {
    let (_, scene) = try router.scene("--showing", path("a.txt"))
    let (_, taker) = try router.scene("--allow", "b.txt")
    let (shown, unshown) = (try wait("a.txt"), try wait("b.txt"))
    router.daemon.send(signal: signal)
    _ = try router.daemon.waitForEnd()
    let next = try SpawnedProgram("scened", ["--system", "--socket", router.socket])
    try next.errorLine(containing: "Ready.")
    #expect(try unshown.waitForEnd() == .exit(7))
    #expect(unshown.errorText.contains("The router was restarted"))
    try scene.outputLine(containing: ": open")
    #expect(try goesOn(shown))
    scene.send(signal: SIGTERM)
    #expect(try shown.waitForEnd() == .exit(0))
    withExtendedLifetime(taker) {}
  }

  /// A file that is not there yet is opened as a new one, in the window that allows its directory.
  @Test(arguments: [["new.txt"], ["TODO"], ["./n\u{F6} w.txt"], ["+3", "new.c"], ["dangling"]])
  func fileMayBeNew(_ arguments: [String]) throws {
    try TestEnvironment.run("get-command", ["update-mime-database", "shared-mime-info"])
    try FileManager.default.createSymbolicLink(atPath: path("dangling"), withDestinationPath: path("no"))
    let scene = try router.start("scene", "--json", "--allow", "file://\(directory.path)/")
    try scene.outputLine(containing: "opened")
    let program = try SpawnedProgram(
      "/bin/sh",
      [
        "-c", #"cd "$1" && shift && exec "$0" open --wait "$@""#, SpawnedProgram.buildDirectory + "/scenectl",
        directory.path,
      ] + arguments,
      environment: router.environment.merging(["XDG_DATA_DIRS": "/usr/share"]) { _, own in own }
    )
    let event = try JSONObject(scene.nextLine())
    #expect(event["delivery.event.url"]?.hasPrefix("file://\(directory.path)/") == true)
    #expect(event["delivery.event.contentType"] == (arguments.last == "new.c" ? "text/x-csrc" : "text/plain"))
    #expect(event["delivery.event.line"] == (arguments.count > 1 ? "3" : nil))
    scene.send(signal: SIGTERM)
    #expect(try program.waitForEnd() == .exit(0))
  }

  @Test(arguments: [["open", "new.txt"], ["open", "--wait", "no/new.txt"], ["open", "--wait", "new/"]])
  func otherMissingFilesStayErrors(_ arguments: [String]) throws {
    _ = try router.scene("--allow", "*")
    let run = try router.scenectl(arguments.dropLast() + [path(arguments.last ?? "")])
    #expect(run.status == 1)
    #expect(run.error.contains("This is neither a URL nor the path of an existing file."), "\(run.error)")
  }

  @Test func editorIsStartedForANewFileThatNoWindowAllows() throws {
    try TestEnvironment.run("get-command", ["update-mime-database", "shared-mime-info"])
    let data = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: data.appending("applications"),
      withIntermediateDirectories: true
    )
    try "[Desktop Entry]\nType=Application\nName=a\nExec=touch %f\nMimeType=text/plain;\n".write(
      toFile: data.appending("applications/editor.desktop"),
      atomically: true,
      encoding: .utf8
    )
    let router = try Router(environment: ["XDG_DATA_DIRS": data.path])
    for name in ["new", "new.txt"] {
      let run = try router.scenectl("open", "--wait", path(name))
      #expect(run.output.contains("handed to editor"), "\(run.output)\(run.error)")
      #expect(FileManager.default.fileExists(atPath: path(name)))
    }
  }

  /// git runs `scenectl open --wait` as its editor for the commit message.
  ///
  /// A scene shows the file of the message. When the event comes, the scene's program writes the message.
  @Test func gitCommitsWhatAWindowHasWritten() throws {
    let git = try TestEnvironment.run("get-command", ["git", "git"])
    let repository = directory.appending("repository")
    var environment = router.environment
    environment["HOME"] = directory.path
    environment["EDITOR"] = "\(SpawnedProgram.buildDirectory)/scenectl open --wait"
    for name in ["AUTHOR", "COMMITTER"] {
      environment["GIT_\(name)_NAME"] = "Anna Weber"
      environment["GIT_\(name)_EMAIL"] = "anna@weber.de"
    }
    #expect(try Router.run(git, ["init", "-q", repository], environment: environment).status == 0)
    let (_, scene) = try router.scene(
      "--showing",
      "file://\(repository)/.git/COMMIT_EDITMSG",
      "--exec",
      "sh",
      "--",
      "-c",
      "echo 'Written in a window' >'\(repository)/.git/COMMIT_EDITMSG'"
    )
    let commit = try SpawnedProgram(
      git,
      ["-C", repository, "commit", "--allow-empty"],
      environment: environment
    )
    try scene.outputLine(containing: "acknowledged")
    #expect(try goesOn(commit))
    scene.send(signal: SIGTERM)
    #expect(try commit.waitForEnd() == .exit(0))
    let log = try Router.run(git, ["-C", repository, "log", "--format=%s"], environment: environment)
    #expect(log.output == "Written in a window\n")
  }
}
