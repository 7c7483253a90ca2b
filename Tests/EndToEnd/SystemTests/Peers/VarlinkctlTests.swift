import Foundation
import RouterInterface
import TestSupport
import Testing
import Varlink

/// systemd's command-line tool for Varlink, used with the running daemon.
@Suite(.blocking) struct VarlinkctlTests {
  private let daemon: RunningDaemon
  private var address: String { "unix:\(daemon.socket)" }

  private static let interfaces = [
    "io.scened.Router": Wire.routerInterface, "io.scened.Manager": Wire.managerInterface,
  ]

  init() throws { daemon = try RunningDaemon() }

  @Test func infoTellsWhatTheServiceIs() throws {
    let info = try JSON(parsing: output("info", "--json=short", address))
    #expect(info["product"] == "scened")
    #expect(info["interfaces"] == ["org.varlink.service", "io.scened.Router", "io.scened.Manager"])
    #expect(try output("info", address).contains(/Product: scened\n/))
  }

  @Test func interfacesAndMethodsAreListed() throws {
    #expect(
      try output("list-interfaces", address)
        == "io.scened.Manager\nio.scened.Router\norg.varlink.service\n"
    )
    for (name, source) in Self.interfaces {
      let methods = try output("list-methods", address, name).split(separator: "\n")
      let ours = try InterfaceDescription(parsing: source).methods.map { "\(name).\($0.name)" }
      #expect(methods.map(String.init) == ours.sorted())
    }
  }

  /// varlinkctl changes the format of the text, but keeps its content, including comments.
  @Test(arguments: interfaces.keys)
  func introspectShowsTheInterface(name: String) throws {
    let ours = try InterfaceDescription(parsing: #require(Self.interfaces[name]))
    let shown = try InterfaceDescription(parsing: output("introspect", address, name))
    #expect(shown.types == ours.types)
    #expect(shown.methods == ours.methods)
    #expect(shown.errors == ours.errors)
  }

  @Test(arguments: interfaces.keys)
  func descriptionIsValid(name: String) throws {
    let source = try #require(Self.interfaces[name])
    let directory = try TemporaryDirectory()
    let file = directory.appending("interface.varlink")
    try source.write(toFile: file, atomically: false, encoding: .utf8)
    _ = try output("validate-idl", file)
    let broken = source.replacing("\nmethod ", with: "\nmethods ", maxReplacements: 1)
    try broken.write(toFile: file, atomically: false, encoding: .utf8)
    #expect(try varlinkctl("validate-idl", file).ending == .exit(1))
  }

  @Test func callsAreAnswered() throws {
    let scenes = try output("call", "--json=short", address, "io.scened.Router.ListScenes", "{}")
    #expect(try JSON(parsing: scenes) == ["scenes": [], "generation": 0])
    let statistics = try output("call", "--json=short", address, "io.scened.Manager.GetStatistics", "{}")
    #expect(try JSON(parsing: statistics)["connections"] == 1)
    let event = #"{"event": {"url": "demo:1"}}"#
    let explained = try output("call", "--json=short", address, "io.scened.Router.ExplainEvent", event)
    #expect(try JSON(parsing: explained)["decision"]["target"] == "none")
  }

  @Test func repliesOfAListAreCollected() throws {
    let replies = try output(
      "call",
      "--json=short",
      "--collect",
      address,
      "io.scened.Router.ListScenes",
      "{}"
    )
    #expect(try JSON(parsing: replies) == [["scenes": [], "generation": 0]])
  }

  @Test func streamsLastUntilTheDaemonEnds() throws {
    let scene = try startStream("OpenScene", #"{"context": {"applicationId": "org.example.Shell"}}"#)
    #expect(try reply(of: scene)["opened"]["generation"] == 1)
    let monitor = try startStream("Monitor", "{}")
    #expect(try reply(of: monitor)["snapshot"]["isComplete"] == true)
    #expect(try daemon.stop() == .exit(0))
    for stream in [scene, monitor] {
      #expect(try reply(of: stream)["closed"] == "shutdown")
      #expect(try stream.waitForEnd() == .exit(0))
    }
  }

  @Test(arguments: [
    ("io.scened.Router.CloseScene", #"{"sceneHandle": "unknown"}"#, "io.scened.Router.NoSuchScene"),
    ("io.scened.Router.SendEvent", #"{"event": {"url": "demo:1"}}"#, "io.scened.Router.NotRouted"),
    ("io.scened.Router.Monitor", "{}", "org.varlink.service.ExpectedMore"),
    ("io.scened.Router.Missing", "{}", "org.varlink.service.MethodNotFound"),
  ])
  func errorsAreFailures(method: String, parameters: String, error: String) throws {
    let (ending, _, message) = try varlinkctl("call", address, method, parameters)
    #expect(ending == .exit(1))
    #expect(message.contains(error))
    #expect(try varlinkctl("call", "--graceful=\(error)", address, method, parameters).ending == .exit(0))
  }
}

extension VarlinkctlTests {
  private func varlinkctl(_ arguments: String...) throws -> (
    ending: SpawnedProgram.Ending, output: String, error: String
  ) {
    try SpawnedProgram.run(Self.program(), arguments)
  }

  /// Runs varlinkctl, which must succeed, and returns its output.
  private func output(_ arguments: String...) throws -> String {
    let (ending, output, error) = try SpawnedProgram.run(Self.program(), arguments)
    try #require(ending == .exit(0), "varlinkctl \(arguments): \(error)")
    return output
  }

  private func startStream(_ method: String, _ parameters: String) throws -> SpawnedProgram {
    let method = "io.scened.Router.\(method)"
    return try SpawnedProgram(Self.program(), ["call", "-E", "--json=short", address, method, parameters])
  }

  /// Returns the next reply of a stream; a record separator precedes each reply (RFC 7464).
  private func reply(of stream: SpawnedProgram) throws -> JSON {
    try JSON(parsing: stream.outputLine(containing: "{").trimmingPrefix("\u{1E}"))
  }

  static func program() throws -> String { try TestEnvironment.run("get-varlinkctl") + "/varlinkctl" }
}
