import ArgumentParser
import Glibc
import SceneClient
import Subprocess
import SystemPackage

struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Start a router of its own, and show how events find their scenes.",
    discussion: """
      Starts the two examples, ContactList and MyPhotos, which are installed with this tool, sends them events, and ends \
      all it started.
      """
  )

  @OptionGroup(visibility: .hidden) var router: RouterOptions

  func validate() throws {
    if !router.areUnset {
      throw ValidationError(
        "demo starts a router of its own: it takes no --socket, --system, --host or --json."
      )
    }
  }

  func run() async throws {
    let programs = try ["scened", "ContactList", "MyPhotos"].map { name throws(DemoError) in
      try Self.program(name)
    }
    guard let directory = Host.makeTemporaryDirectory("scened-demo") else {
      throw DemoError(description: "A directory for the socket cannot be made in /tmp.")
    }
    defer { Host.removeDirectory(directory) }
    try await Self.play(programs[0], Array(programs[1...]), at: directory + "/socket")
  }

  private static func play(_ daemon: FilePath, _ examples: [FilePath], at socket: String) async throws {
    let end = try await Subprocess.run(
      .path(daemon),
      // So the router ignores installed applications, which could take the demonstration's links.
      arguments: ["--system", "--socket", socket],
      platformOptions: options,
      input: .none,
      output: .discarded,
      error: .sequence
    ) { execution in
      var log = execution.standardError.strings().makeAsyncIterator()
      while let line = try await log.next(), !line.contains("Ready.") { Terminal.showError(line.printable) }
      let demo = Demo(router: try await RouterConnection(socketPath: socket))
      try await start(examples[0], at: socket) { try await demo.playContactList() }
      try Terminal.show("")
      try await start(examples[1], at: socket) { try await demo.playMyPhotos() }
      try execution.send(signal: .terminate)
    }
    guard case .exited(0) = end.terminationStatus else {
      throw DemoError(description: "\(daemon) ended with \(end.terminationStatus).")
    }
  }

  private static func start(
    _ example: FilePath,
    at socket: String,
    _ play: @Sendable () async throws -> Void
  ) async throws {
    _ = try await Subprocess.run(
      .path(example),
      environment: .inherit.updating(["SCENED_SOCKET": socket, "SCENED_OPEN_REQUEST": nil]),
      platformOptions: options,
      input: .none,
      output: .discarded,
      error: .currentStandardError
    ) { execution in
      try await play()
      try execution.send(signal: .terminate)
    }
  }

  /// SIGTERM lets the daemon remove its socket when the demonstration fails.
  private static var options: PlatformOptions {
    var options = PlatformOptions()
    options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
    return options
  }

  private static func program(_ name: String) throws(DemoError) -> FilePath {
    let directory = (Host.canonicalPath("/proc/self/exe") ?? "").removingLastComponent()
    // systemd/install puts the examples into `lib/scened`, because no shell looks for programs there.
    let installed = directory.removingLastComponent().appending("lib/scened").appending(name)
    let program =
      Host.refusal(of: F_OK, installed) == nil ? installed : directory.appending(name)
    if let code = Host.refusal(of: X_OK, program) {
      throw DemoError(description: "\(program) cannot be run: \(Host.text(ofError: code)).")
    }
    return program
  }
}

struct DemoError: Error, CustomStringConvertible {
  let description: String
}
