import Foundation
import TestSupport
import Testing

/// A daemon on a socket of its own, and the running commands of `scenectl`.
///
/// All these programs end when this object is released.
final class Router {
  struct Run {
    let status: CInt
    let output: String
    let error: String

    /// The JSON objects of the output; each line is one object.
    func objects(sourceLocation: SourceLocation = #_sourceLocation) throws -> [JSONObject] {
      try output.split(separator: "\n").map { try JSONObject($0, sourceLocation: sourceLocation) }
    }

    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  let socket: String
  let daemon: SpawnedProgram
  private let directory: TemporaryDirectory
  private var programs: [SpawnedProgram] = []

  /// Starts the daemon with additional environment variables.
  init(environment: [String: String] = [:]) throws {
    directory = try TemporaryDirectory()
    socket = directory.appending("router")
    // These variables hide the machine's applications from the daemon. Programs that the daemon starts inherit the path
    // of the socket, and can send events to the daemon.
    let desktop = [
      "HOME": directory.path, "XDG_DATA_HOME": "", "XDG_DATA_DIRS": directory.path, "SCENED_SOCKET": socket,
    ]
    daemon = try SpawnedProgram(
      "scened",
      ["--socket", socket],
      environment: desktop.merging(environment) { _, own in own }
    )
    try daemon.errorLine(containing: "Ready.")
  }

  /// Runs the tool to its end.
  func scenectl(_ arguments: String..., environment: [String: String] = [:]) throws -> Run {
    try scenectl(arguments, environment: environment)
  }

  /// Runs the tool to its end.
  func scenectl(_ arguments: [String], environment: [String: String] = [:]) throws -> Run {
    try Self.scenectl(arguments, environment: self.environment.merging(environment) { _, own in own })
  }

  /// The variables that tell the tool where this daemon is.
  var environment: [String: String] { ["SCENED_SOCKET": socket] }

  /// Runs the tool to its end, and sets no variable that names a daemon.
  static func scenectl(_ arguments: [String], environment: [String: String] = [:]) throws -> Run {
    try run("scenectl", arguments, environment: environment)
  }

  /// Runs a line of shell, in which the command `scenectl` runs the tool of this build.
  func shell(_ line: String, environment: [String: String] = [:]) throws -> Run {
    try Self.run(
      "/bin/sh",
      ["-c", #"scenectl() { "$0" "$@"; }; "# + line, SpawnedProgram.buildDirectory + "/scenectl"],
      environment: self.environment.merging(environment) { _, own in own }
    )
  }

  /// Runs a program to its end.
  static func run(
    _ program: String,
    _ arguments: [String],
    environment: [String: String] = [:]
  ) throws -> Run {
    let (ending, output, error) = try SpawnedProgram.run(program, arguments, environment: environment)
    guard case .exit(let status) = ending else {
      throw Overdue("\(program) \(arguments) ended with \(ending): \(error)")
    }
    return Run(status: status, output: output, error: error)
  }

  /// Starts the tool, which ends when this object is released.
  func start(_ arguments: String...) throws -> SpawnedProgram {
    try start(arguments)
  }

  /// Starts the tool, which ends when this object is released.
  func start(_ arguments: [String]) throws -> SpawnedProgram {
    let program = try SpawnedProgram("scenectl", arguments, environment: environment)
    programs.append(program)
    return program
  }

  /// Opens a scene with the tool, and returns the scene's id and the running tool.
  func scene(_ arguments: String...) throws -> (id: String, program: SpawnedProgram) {
    try scene(arguments)
  }

  /// Opens a scene with the tool, and returns the scene's id and the running tool.
  func scene(_ arguments: [String]) throws -> (id: String, program: SpawnedProgram) {
    let program = try start(["scene"] + arguments)
    let line = try program.outputLine(containing: ": open")
    return (String(line.prefix { $0 != ":" }), program)
  }

  /// Declares an application with the tool.
  func declare(_ arguments: String...) throws -> SpawnedProgram {
    let program = try start(["declare"] + arguments)
    try program.outputLine(containing: "declared")
    return program
  }

  /// Starts `scenectl open URL`, and returns when the router has made the first decision.
  func openWithoutEnd(_ arguments: String...) throws -> SpawnedProgram {
    let monitor = try start("monitor", "--json", "--no-registry")
    try monitor.outputLine(containing: "snapshot")
    let program = try start(["open"] + arguments)
    try monitor.outputLine(containing: "decision")
    return program
  }
}

/// The name of this machine, as in the `file:` URLs that terminals print.
let machineName: String = {
  var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
  gethostname(&name, name.count)
  return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}()

extension SpawnedProgram {
  func nextLine() throws -> String { try outputLine(containing: "") }
}

/// A JSON object whose members are found by their paths.
struct JSONObject {
  private let members: [String: Any]

  init(_ text: some StringProtocol, sourceLocation: SourceLocation = #_sourceLocation) throws {
    members = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
      sourceLocation: sourceLocation
    )
  }

  /// Returns the value at a path such as `decision.rule`, as text; nil if there is no value.
  subscript(path: String) -> String? {
    var value: Any? = members
    for name in path.split(separator: ".") {
      value =
        if let list = value as? [Any] {
          Int(name).flatMap { list.indices.contains($0) ? list[$0] : nil }
        } else {
          (value as? [String: Any])?[String(name)]
        }
    }
    return value.map { "\($0)" }
  }
}
