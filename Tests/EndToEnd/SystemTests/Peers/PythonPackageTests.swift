import Foundation
import TestSupport
import Testing

/// The library for Python, installed with pip from its folder.
@Suite(.blocking) struct PythonPackageTests {
  @Test func programRunsAndIsTypedWithTheInstalledLibrary() throws {
    let pip = try TestEnvironment.run("get-command", ["pip3", "python3-pip"])
    let mypy = try TestEnvironment.run("get-command", ["mypy", "mypy"])
    let directory = try TemporaryDirectory()
    let python = directory.appending("environment/bin/python")
    try succeed(
      "/usr/bin/env",
      ["python3", "-m", "venv", "--without-pip", directory.appending("environment")]
    )

    // The package index is reachable if pip can fetch the tool that builds the library.
    let (reached, _, reason) = try run(
      pip,
      [
        "--disable-pip-version-check", "download", "--quiet", "--no-deps", "--dest", directory.path,
        "setuptools>=61",
      ]
    )
    guard reached == .exit(0) else { try Test.cancel("pip failed: \(reason)") }

    // pip gets a copy of the library's folder, because pip builds inside the folder that it gets.
    let source = directory.appending("source")
    try FileManager.default.copyItem(
      atPath: PackageDirectory.appending("Sources/Clients/Python"),
      toPath: source
    )
    try succeed(pip, ["--disable-pip-version-check", "--python", python, "install", "--quiet", source])

    let program = directory.appending("installed.py")
    try FileManager.default.copyItem(atPath: PythonProgram.script("installed.py"), toPath: program)
    try succeed(mypy, ["--strict", "--cache-dir=/dev/null", "--python-executable", python, program])

    let daemon = try RunningDaemon()
    let lines = try succeed(python, [program, daemon.socket]).split(separator: "\n")
    let folder = try #require(lines.first)
    #expect(folder.hasPrefix(directory.appending("environment/")))
    #expect(try "scened \(lines[1])\n" == SpawnedProgram.run("scened", ["--version"]).output)
    #expect(lines[2] == "x:1")
    func modules(in folder: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "__pycache__" }.sorted()
    }
    #expect(
      try modules(in: String(folder))
        == modules(in: PackageDirectory.appending("Sources/Clients/Python/scened"))
    )
  }

  /// Runs a program with the whole environment of this process, because the environment may hold the settings of pip.
  private func run(
    _ program: String,
    _ arguments: [String]
  ) throws -> (ending: SpawnedProgram.Ending, output: String, error: String) {
    try SpawnedProgram.run(program, arguments, environment: ProcessInfo.processInfo.environment)
  }

  /// Runs a program and returns its output; fails the test if the program fails.
  @discardableResult
  private func succeed(_ program: String, _ arguments: [String]) throws -> String {
    let (ending, output, error) = try run(program, arguments)
    try #require(ending == .exit(0), "\(program) \(arguments): \(output)\(error)")
    return output
  }
}
