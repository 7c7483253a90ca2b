import Foundation
import Glibc
import TestSupport
import Testing
import UnixSocket

@Suite struct SpawnedProgramTests {
  @Test(arguments: [
    ("exit 0", SpawnedProgram.Ending.exit(0)),
    ("exit 77", .exit(77)),
    ("kill -TERM $$", .signal(SIGTERM)),
  ])
  func endingIsReported(script: String, ending: SpawnedProgram.Ending) throws {
    #expect(try SpawnedProgram("/bin/sh", ["-c", script]).waitForEnd() == ending)
  }

  @Test func linesComeAsTheyAreWritten() throws {
    let shell = try SpawnedProgram("/bin/sh", ["-c", "echo one; echo two >&2; echo three; exec sleep 1000"])
    #expect(try shell.outputLine(containing: "re") == "three")
    #expect(try shell.errorLine(containing: "two") == "two")
    #expect(shell.outputText == "one\nthree\n")
    #expect(throws: Overdue.self) { try shell.outputLine(containing: "one", by: Deadline(in: .zero)) }
    shell.send(signal: SIGINT)
    #expect(try shell.waitForEnd() == .signal(SIGINT))
  }

  @Test func everythingWrittenBeforeTheEndIsThere() throws {
    let (ending, output, error) = try SpawnedProgram.run("/bin/sh", ["-c", "seq 100000; echo done >&2"])
    #expect(ending == .exit(0))
    #expect(output.split(separator: "\n").last == "100000")
    #expect(error == "done\n")
  }

  @Test func programThatWritesNothingMoreIsNotWaitedFor() {
    #expect(throws: Overdue.self) {
      try SpawnedProgram("/bin/sh", ["-c", "echo other"]).outputLine(containing: "expected")
    }
  }

  @Test func missingProgramIsAnError() {
    #expect(throws: SpawnFailure.self) { try SpawnedProgram("/nowhere/program") }
  }

  @Test func isKilledAtTheEndOfItsLife() throws {
    let pair = try StreamSocketPair()
    let ours = pair.first
    do {
      let child = try SpawnedProgram(
        "/bin/sh",
        ["-c", "echo ready; exec sleep 1000"],
        activation: ["held": pair.second.descriptor.rawValue]
      )
      pair.second.close()
      try child.outputLine(containing: "ready")
    }
    var ready = pollfd(fd: ours.descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    #expect(poll(&ready, 1, CInt(Deadline().millisecondsLeft)) == 1)
  }

  @Test func environmentIsOnlyWhatIsGiven() throws {
    let (_, output, _) = try SpawnedProgram.run("/usr/bin/env", environment: ["SCENED_TEST": "1"])
    let names = Set(output.split(separator: "\n").compactMap { $0.split(separator: "=").first })
    #expect(names.contains("SCENED_TEST"))
    let places = ["XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_STATE_HOME"]
    #expect(
      names.isSubset(
        of: ["SCENED_TEST", "PATH", "HOME", "LD_LIBRARY_PATH", "LANG", "TMPDIR"] + places.map { $0[...] }
      )
    )
    // The variables point to no directory, so that installed applications make no difference.
    for place in places { #expect(output.contains("\(place)=/nonexistent\n")) }
  }

  @Test func descriptorsArePassedAsSystemdDoes() throws {
    let pair = try StreamSocketPair()
    let script =
      #"echo "$LISTEN_FDS $LISTEN_FDNAMES $(($LISTEN_PID - $$))"; readlink /proc/$$/fd/3 /proc/$$/fd/4"#
    let (_, output, _) = try SpawnedProgram.run(
      "/bin/sh",
      ["-c", script],
      // `second` becomes descriptor 3, and `first` becomes 4. If this process has `first` as 3 and `second` as 4,
      // `SpawnedProgram` has to swap the two descriptors.
      activation: ["router": pair.second.descriptor.rawValue, "other": pair.first.descriptor.rawValue]
    )
    let links = try [pair.second.descriptor.rawValue, pair.first.descriptor.rawValue].map {
      try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    #expect(output.split(separator: "\n") == ["2 router:other 0", links[0][...], links[1][...]])
  }
}
