import Foundation
import TestSupport
import Testing

@Suite struct TestEnvironmentTests {
  /// Scripts run apt-get one after the other, because apt-get fails while another apt-get runs.
  ///
  /// A script stands in for apt-get, so that the test needs neither a network nor a missing package.
  @Test func scriptsInstallOneAfterTheOther() throws {
    let directory = try TemporaryDirectory()
    let program = directory.appending("apt-get")
    let text = """
      #!/bin/sh
      mkdir "$0.running" || { touch "$0.disturbed"; exit 100; }
      seq 20000 >/dev/null
      rmdir "$0.running"
      """
    let (ending, _, error) = try SpawnedProgram.run(
      "/bin/bash",
      [
        "-c",
        """
        # Written here: a program that another test starts meanwhile would hold the file open, and keep it from being run.
        printf %s "$2" >"$1"
        chmod +x "$1"
        source "$0"
        for _ in {1..8}; do apt update & scripts+=($!); done
        for script in "${scripts[@]}"; do wait "$script" || exit 1; done
        [ ! -e "$1.disturbed" ]
        """,
        TestEnvironment.path(of: "environment.sh"), program, text,
      ],
      environment: [
        "PATH": "\(directory.path):/usr/bin:/bin",
        "SCENED_TEST_ENVIRONMENT": directory.appending("environment"),
      ]
    )
    #expect(ending == .exit(0), "\(error)")
  }

  @Test func programsAndFilesOfAnEndedTestProcessAreRemoved() throws {
    let directory = try TemporaryDirectory()
    let files = directory.appending("files")
    try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: false)
    let left = try SpawnedProgram("/bin/sleep", ["1000"], environment: ["TMPDIR": files])
    let other = try SpawnedProgram("/bin/sleep", ["1000"])
    // The standard input of `clean-up` has ended, as it does when the test process ends.
    try TestEnvironment.run("clean-up", [files])
    #expect(try left.waitForEnd() == .signal(SIGKILL))
    #expect(!FileManager.default.fileExists(atPath: files))
    other.send(signal: SIGTERM)
    #expect(try other.waitForEnd() == .signal(SIGTERM))
  }
}
