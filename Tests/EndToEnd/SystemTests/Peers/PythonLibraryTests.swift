import TestSupport
import Testing

/// The Python library, in threads and in coroutines.
@Suite(.blocking) struct PythonLibraryTests {
  @Test(
    arguments: [
      "SceneTests", "ForkTests", "FileNameTests", "ApplicationTests", "ReconnectingTests",
      "LostConnectionTests", "OrderTests", "CoroutineTests", "OtherRouterTests",
    ]
  )
  func libraryDoesWhatItSays(cases: String) throws {
    let tests = try PythonProgram.start(
      [
        "-W", "error", PythonProgram.script("library.py"), SpawnedProgram.buildDirectory + "/scened", cases,
      ]
    )
    #expect(try tests.waitForEnd() == .exit(0), "\(tests.errorText)\(tests.outputText)")
  }

  @Test func typesAreRight() throws {
    let (ending, output, error) = try SpawnedProgram.run(
      TestEnvironment.run("get-command", ["mypy", "mypy"]),
      ["--strict", "--cache-dir=/dev/null", PackageDirectory.appending("Sources/Clients/Python/scened")]
    )
    #expect(ending == .exit(0), "\(output)\(error)")
  }
}
