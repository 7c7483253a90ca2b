import ArgumentParser
import Glibc
import SceneClient
import Subprocess
import SystemPackage

/// `scenectl demo`.
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Start a router of its own and show how events find their scenes.",
    discussion: """
      Plays two small applications, ContactList and MyPhotos, with real scenes over the wire, and ends all it started.
      """
  )

  func run() async throws {
    guard let directory = Host.makeTemporaryDirectory("scened-demo") else {
      throw DemoError(description: "A directory for the socket cannot be made in /tmp.")
    }
    defer { Host.removeDirectory(directory) }
    let daemon = try Self.daemon()
    let socket = directory + "/socket"
    Terminal.show("Starting \(daemon) on \(socket)")
    let ended = try await Subprocess.run(
      .path(FilePath(daemon)),
      arguments: ["--socket", socket],
      input: .none,
      output: .discarded,
      error: .sequence
    ) { execution in
      var lines = execution.standardError.strings().makeAsyncIterator()
      while let line = try await lines.next() {
        if line.contains("Ready.") { break }
        Terminal.showError(line)
      }
      var demo = Demo(try await RouterConnection(socketPath: socket))
      try await demo.playContactList()
      try await demo.playMyPhotos()
      try execution.send(signal: .terminate)
      while try await lines.next() != nil {}
    }
    guard case .exited(0) = ended.terminationStatus else {
      throw DemoError(description: "\(daemon) ended with \(ended.terminationStatus).")
    }
    Terminal.show("\nAll that was started has ended.")
  }

  /// The daemon that was built or installed with this tool.
  private static func daemon() throws -> String {
    let tool = FilePath(Host.canonicalPath("/proc/self/exe") ?? "")
    let daemon = tool.removingLastComponent().appending("scened").string
    guard Host.allows(X_OK, daemon) else { throw DemoError(description: "There is no \(daemon).") }
    return daemon
  }
}

/// Why the demonstration cannot be given, as a sentence.
struct DemoError: Error, CustomStringConvertible {
  let description: String
}
