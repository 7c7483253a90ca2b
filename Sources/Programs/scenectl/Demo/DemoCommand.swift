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
      Sends links to windows of its own, then to those of MyPhotos, if this example is installed (package \
      scened-examples), and ends all it started.
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
    let daemon = try Self.program("scened")
    let example = try Self.example("MyPhotos")
    guard let directory = Host.makeTemporaryDirectory("scened-demo") else {
      throw DemoError(description: "A directory for the socket cannot be made in /tmp.")
    }
    defer { Host.removeDirectory(directory) }
    try await Self.play(daemon, example, at: directory + "/socket")
  }

  private static func play(_ daemon: FilePath, _ example: FilePath?, at socket: String) async throws {
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
      try await demo.playBrowser()
      try Terminal.show("")
      if let example {
        try await start(example, at: socket) { try await demo.playMyPhotos() }
      } else {
        try Terminal.show("The package scened-examples has a program that opens windows for its links.")
      }
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

  private static let directory = (Host.canonicalPath("/proc/self/exe") ?? "").removingLastComponent()

  /// Nil if the example is not installed.
  private static func example(_ name: String) throws(DemoError) -> FilePath? {
    // systemd/install puts the examples into `lib/scened`, because no shell looks for programs there.
    let installed = directory.removingLastComponent().appending("lib/scened").appending(name)
    if Host.refusal(of: F_OK, installed) == nil { return try checked(installed) }
    let built = directory.appending(name)
    return Host.refusal(of: F_OK, built) == nil ? try checked(built) : nil
  }

  private static func program(_ name: String) throws(DemoError) -> FilePath {
    try checked(directory.appending(name))
  }

  private static func checked(_ program: FilePath) throws(DemoError) -> FilePath {
    if let code = Host.refusal(of: X_OK, program) {
      throw DemoError(description: "\(program) cannot be run: \(Host.text(ofError: code)).")
    }
    return program
  }
}

struct DemoError: Error, CustomStringConvertible {
  let description: String
}
