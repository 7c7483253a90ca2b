import TestSupport
import Testing

@Suite struct RigTests {
  /// Tests run side by side, and apt-get fails where another one is at work.
  ///
  /// A program in its place does as much: the real one would have to find a package that is missing each time.
  @Test func rigsInstallOneAfterTheOther() throws {
    let directory = try TemporaryDirectory()
    let program = directory.appending("apt-get")
    let text = """
      #!/bin/sh
      mkdir "$0.running" || exit 100
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
        for _ in {1..8}; do apt update & rigs+=($!); done
        for rig in "${rigs[@]}"; do wait "$rig" || exit 1; done
        """,
        Rig.path(of: "rig.sh"), program, text,
      ],
      environment: ["PATH": "\(directory.path):/usr/bin:/bin", "SCENED_RIG_DIR": directory.appending("rig")]
    )
    #expect(ending == .exit(0), "\(error)")
  }
}
