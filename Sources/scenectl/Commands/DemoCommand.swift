import ArgumentParser
import Glibc
import SceneClient
import Subprocess
import SystemPackage

/// `scenectl demo`.
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Start a router of its own, and show how events find their scenes.",
    discussion: """
      Plays two small applications, ContactList and MyPhotos, with real scenes over the wire, and ends all it started.
      """
  )

  @OptionGroup(visibility: .hidden) var router: RouterOptions

  func validate() throws {
    if router.socket != nil || router.system || router.json {
      throw ValidationError("demo starts a router of its own: it takes no --socket, --system or --json.")
    }
  }

  func run() async throws {
    let daemon = try Self.daemon()
    guard let directory = Host.makeTemporaryDirectory("scened-demo") else {
      throw DemoError(description: "A directory for the socket cannot be made in /tmp.")
    }
    defer { Host.removeDirectory(directory) }
    try await Self.play(daemon, at: directory + "/socket")
    try Terminal.show("\nAll that was started has ended.")
  }

  private static func play(_ daemon: FilePath, at socket: String) async throws {
    try Terminal.show("Starting \(daemon) at \(socket).")
    var options = PlatformOptions()
    // SIGTERM has it remove its socket, also when the demonstration fails.
    options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
    let end = try await Subprocess.run(
      .path(daemon),
      // As the system's router it knows no installed applications, which could take these links.
      arguments: ["--system", "--socket", socket],
      platformOptions: options,
      input: .none,
      output: .discarded,
      error: .sequence
    ) { execution in
      var log = execution.standardError.strings().makeAsyncIterator()
      while let line = try await log.next(), !line.contains("Ready.") { Terminal.showError(line.printable) }
      var demo = Demo(try await RouterConnection(socketPath: socket))
      try await demo.playContactList()
      try await demo.playMyPhotos()
      try execution.send(signal: .terminate)
      try await demo.waitForEnd()
    }
    guard case .exited(0) = end.terminationStatus else {
      throw DemoError(description: "\(daemon) ended with \(end.terminationStatus).")
    }
  }

  /// The daemon that was built or installed with this tool.
  private static func daemon() throws(DemoError) -> FilePath {
    let tool = Host.canonicalPath("/proc/self/exe") ?? ""
    let daemon = tool.removingLastComponent().appending("scened")
    if let code = Host.refusal(of: X_OK, daemon) {
      throw DemoError(description: "\(daemon) cannot be run: \(Host.text(ofError: code)).")
    }
    return daemon
  }
}

/// Why the demonstration cannot be given, as a sentence.
struct DemoError: Error, CustomStringConvertible {
  let description: String
}
