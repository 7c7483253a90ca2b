import Foundation
import RouterInterface
import TestSupport
import Testing
import UnixSocket

@Suite struct DaemonSocketTests {
  private static func start(_ path: String) throws -> SpawnedProgram {
    let program = try SpawnedProgram("scened", ["--socket", path])
    try program.errorLine(containing: "Ready.")
    return program
  }

  private static func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func directoryAndSocketBelongToTheUserAlone() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("scened/io.scened.Router")
    let daemon = try SpawnedProgram("scened", environment: ["XDG_RUNTIME_DIR": directory.path])
    try daemon.errorLine(containing: "Ready.")
    #expect(Self.mode(directory.appending("scened")) == 0o700)
    #expect(Self.mode(path) == 0o600)
    daemon.send(signal: SIGTERM)
    #expect(try daemon.waitForEnd() == .exit(0))
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(FileManager.default.fileExists(atPath: directory.appending("scened")))
  }

  /// The daemon does not create a missing directory if the user gave the path, because the path may be mistyped.
  @Test(arguments: [true, false]) func onlyTheDirectoryOfTheDefaultIsMade(_ byOption: Bool) throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("none/router")
    let (ending, _, error) = try SpawnedProgram.run(
      "scened",
      byOption ? ["--socket", path] : [],
      environment: byOption ? [:] : ["SCENED_SOCKET": path]
    )
    #expect(ending == .exit(1))
    #expect(error.contains("'\(directory.appending("none"))'"), "\(error)")
    #expect(!FileManager.default.fileExists(atPath: directory.appending("none")))
  }

  /// The daemon waits while another process has locked the directory of the socket.
  ///
  /// The other process may be about to create a socket in this directory.
  @Test func lockedDirectoryIsWaitedForAndSaidSo() throws {
    let directory = try TemporaryDirectory()
    let lock = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try #require(flock(lock, LOCK_EX) == 0)
    let path = directory.appending("router")
    let daemon = try SpawnedProgram("scened", ["--socket", path])
    try daemon.errorLine(containing: "'\(directory.path)'")
    close(lock)
    try daemon.errorLine(containing: "Ready.")
    try WireClient(path: path).call(Wire.GetStatisticsCall())
  }

  @Test func directoryThatStaysLockedIsGivenUp() throws {
    let directory = try TemporaryDirectory()
    let lock = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try #require(flock(lock, LOCK_EX) == 0)
    let (ending, _, error) = try SpawnedProgram.run("scened", ["--socket", directory.appending("router")])
    #expect(ending == .exit(1))
    #expect(error.split(separator: "\n").count == 2, "\(error)")
    close(lock)
  }

  /// The daemon reopens the closed streams.
  ///
  /// Otherwise a file that the daemon opens later would become standard error, and get the lines of the log.
  @Test func standardStreamsThatAreClosedLeadNowhere() throws {
    let directory = try TemporaryDirectory()
    let manager = try NotifySocket()
    let daemon = try SpawnedProgram(
      "/bin/sh",
      [
        "-c", #"exec "$0" --socket "$1" <&- >&- 2>&-"#, SpawnedProgram.buildDirectory + "/scened",
        directory.appending("router"),
      ],
      environment: ["NOTIFY_SOCKET": manager.path]
    )
    try manager.message(with: "READY=1")
    for number in 0...2 {
      let link = "/proc/\(daemon.processID)/fd/\(number)"
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/null")
    }
  }

  @Test func staleSocketIsReplaced() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    let killed = try Self.start(path)
    killed.send(signal: SIGKILL)
    #expect(try killed.waitForEnd() == .signal(SIGKILL))
    #expect(FileManager.default.fileExists(atPath: path))
    let daemon = try Self.start(path)
    try WireClient(path: path).call(Wire.GetStatisticsCall())
    withExtendedLifetime(daemon) {}
  }

  @Test func liveSocketIsLeftAlone() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    let daemon = try Self.start(path)
    let (ending, output, error) = try SpawnedProgram.run("scened", ["--socket", path])
    #expect(ending == .exit(1))
    #expect(output == "")
    #expect(error == "scened: The socket '\(path)' is in use by process \(daemon.processID).\n")
    try WireClient(path: path).call(Wire.GetStatisticsCall())
  }

  @Test func otherFileIsLeftAlone() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    try Data("mine".utf8).write(to: URL(filePath: path))
    let (ending, _, error) = try SpawnedProgram.run("scened", ["--socket", path])
    #expect(ending == .exit(1))
    #expect(error == "scened: The file '\(path)' is in the way and is not a socket.\n")
    #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
  }

  @Test func socketIsAtTheFirstPlaceThatIsTold() throws {
    let directory = try TemporaryDirectory()
    let option = directory.appending("option")
    let variable = directory.appending("variable")
    let runtime = directory.appending("scened/io.scened.Router")
    let environment = ["SCENED_SOCKET": variable, "XDG_RUNTIME_DIR": directory.path]
    let table: [(arguments: [String], environment: [String: String], path: String)] = [
      (["--socket", option], environment, option),
      (["--socket=" + option, "--system"], environment, option),
      ([], environment, variable),
      (["--system"], environment, variable),
      ([], ["SCENED_SOCKET": "", "XDG_RUNTIME_DIR": directory.path], runtime),
      ([], ["XDG_RUNTIME_DIR": directory.path], runtime),
    ]
    for (arguments, environment, path) in table {
      let daemon = try SpawnedProgram("scened", arguments, environment: environment)
      try daemon.errorLine(containing: "Ready.")
      try WireClient(path: path).call(Wire.GetStatisticsCall())
    }
    let (ending, _, error) = try SpawnedProgram.run("scened")
    #expect(ending == .exit(1))
    #expect(error.contains("has no path"))
  }

  /// A client can connect before the daemon starts, because a service manager already listens on the socket.
  @Test func passedSocketIsServedWithTheClientThatCameBefore() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("passed")
    let listener = try ListeningSocket.listen(at: path)
    let client = try WireClient(path: path)
    try client.send(Wire.GetStatisticsCall())
    let daemon = try SpawnedProgram(
      "scened",
      ["--socket", directory.appending("other")],
      activation: ["scened.socket": listener.descriptor.rawValue]
    )
    #expect(try client.reply(to: Wire.GetStatisticsCall.self).connections == 1)
    #expect(!FileManager.default.fileExists(atPath: directory.appending("other")))
    daemon.send(signal: SIGTERM)
    #expect(try daemon.waitForEnd() == .exit(0))
    // The daemon does not remove the socket's file, because another program created it.
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func passedDescriptorHasToBeASocketToListenOn() throws {
    let directory = try TemporaryDirectory()
    let listener = try ListeningSocket.listen(at: directory.appending("passed"))
    let pair = try StreamSocketPair()
    let tables: [(descriptors: KeyValuePairs<String, CInt>, message: String)] = [
      (["a": pair.first.descriptor.rawValue], "it is not listening"),
      (["a": listener.descriptor.rawValue, "b": listener.descriptor.rawValue], "systemd passed 2 sockets"),
    ]
    for (descriptors, message) in tables {
      let (ending, _, error) = try SpawnedProgram.run("scened", activation: descriptors)
      #expect(ending == .exit(1))
      #expect(error.contains(message), "\(error)")
    }
  }

  /// With `--system`, the daemon serves every user who may connect to the socket.
  @Test(.enabled(if: geteuid() == 0, "Only root can become somebody else."))
  func everybodyIsServedByTheInstanceOfTheSystem() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    let daemon = try SpawnedProgram("scened", ["--system", "--socket", path])
    try daemon.errorLine(containing: "Ready.")
    try Self.admitEverybody(to: path, in: directory.path)
    let call = #"{"method":"io.scened.Router.ListScenes"}"#
    let (ending, output, error) = try SpawnedProgram.run("SendAsUser", ["65534", path, call])
    #expect(ending == .exit(0), "\(error)")
    #expect(output.hasPrefix(#"{"parameters":{"scenes":[]"#), "\(output)")
  }

  private static func admitEverybody(to path: String, in directory: String) throws {
    try #require(chmod(directory, 0o711) == 0 && chmod(path, 0o666) == 0)
  }

  @Test(.enabled(if: geteuid() == 0, "Only root can become somebody else."))
  func otherUserGetsPermissionDenied() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    let daemon = try Self.start(path)
    try Self.admitEverybody(to: path, in: directory.path)
    func answer(_ method: String, _ more: String = "", as user: String) throws -> String {
      let call = #"{"method":"\#(method)"\#(more)}"#
      let (ending, output, error) = try SpawnedProgram.run("SendAsUser", [user, path, call])
      #expect(ending == .exit(0), "\(error)")
      return output
    }
    let denied = #"{"error":"org.varlink.service.PermissionDenied"}"# + "\n"
    for method in ["org.varlink.service.GetInfo", "io.scened.Router.ListScenes", "org.example.Nothing"] {
      #expect(try answer(method, as: "65534") == denied)
    }
    #expect(try answer("io.scened.Router.Monitor", #","more":true"#, as: "65534") == denied)
    #expect(try answer("io.scened.Router.CloseScene", #","oneway":true"#, as: "65534") == "")
    #expect(try answer("io.scened.Router.ListScenes", as: "0").hasPrefix(#"{"parameters":{"scenes":[]"#))
    try daemon.errorLine(
      containing: "A client was refused, because this service is for another user (process "
    )
  }
}
