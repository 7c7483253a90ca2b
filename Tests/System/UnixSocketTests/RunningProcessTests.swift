import Foundation
import TestSupport
import Testing
import UnixSocket

@Suite struct RunningProcessTests {
  @Test func filesAreThoseOfTheProcess() throws {
    let program = try start("/bin/sh")
    let process = RunningProcess(reading: program.processID)
    let groups = try String(contentsOfFile: "/proc/\(program.processID)/cgroup", encoding: .utf8)
    #expect(process.name == "sh")
    #expect(process.controlGroups == groups)
  }

  @Test func nameIsAsTheKernelCutsIt() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("line\nbreak and more")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/bin/sh")
    let program = try start(path)
    #expect(RunningProcess(reading: program.processID).name == "line\nbreak and ")
  }

  @Test func processThatHasEndedHasNoFiles() throws {
    let program = try SpawnedProgram("/bin/true", [])
    _ = try program.waitForEnd()
    let process = RunningProcess(reading: program.processID)
    #expect((process.name, process.controlGroups) == (nil, nil))
  }

  /// Starts a shell, and returns when it runs.
  private func start(_ shell: String) throws -> SpawnedProgram {
    let program = try SpawnedProgram(shell, ["-c", "echo runs; kill -STOP $$"])
    try program.outputLine(containing: "runs")
    return program
  }
}
