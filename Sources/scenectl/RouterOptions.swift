import ArgumentParser
import SceneClient

/// Where the router is, and whom the output is for.
struct RouterOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The router's socket.", valueName: "path"))
  var socket: String?

  @Flag(help: "The router that serves the whole system.")
  var system = false

  @Flag(help: "Print JSON for programs, one object a line.")
  var json = false

  func validate() throws {
    if system, socket != nil { throw ValidationError("--system and --socket exclude each other.") }
  }

  func connect() async throws(RouterError) -> RouterConnection {
    try await RouterConnection(socketPath: system ? RouterConnection.systemSocketPath : socket)
  }
}
