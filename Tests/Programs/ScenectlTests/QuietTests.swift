import Foundation
import TestSupport
import Testing

/// The programs write nothing to the system's log that nobody asked for.
@Suite(.blocking) struct QuietTests {
  /// Runs a program that may not have a higher priority, even as the superuser.
  ///
  /// libdispatch writes to standard error instead of the log.
  private let wrapper = #"""
    if [ "$(id -u)" = 0 ]; then drop="setpriv --inh-caps=-sys_nice --bounding-set=-sys_nice"; fi
    export LIBDISPATCH_LOG=stderr
    exec $drop nice -n 5 "$0" "$@"
    """#

  @Test func programsWithoutPrioritiesAreSilent() throws {
    let directory = try TemporaryDirectory()
    let socket = directory.appending("router")
    let applications = directory.appending("applications")
    try FileManager.default.createDirectory(atPath: applications, withIntermediateDirectories: true)
    try Data("[Desktop Entry]\nType=Application\nName=A\nExec=true %u\nMimeType=x-scheme-handler/x;\n".utf8)
      .write(to: URL(filePath: applications + "/a.desktop"))
    let environment = ["SCENED_SOCKET": socket, "XDG_DATA_HOME": directory.path, "HOME": directory.path]
    func start(_ program: String, _ arguments: String...) throws -> SpawnedProgram {
      let path = "\(SpawnedProgram.buildDirectory)/\(program)"
      return try SpawnedProgram("/bin/sh", ["-c", wrapper, path] + arguments, environment: environment)
    }
    let daemon = try start("scened", "--socket", socket)
    try daemon.errorLine(containing: "Ready.")
    let scene = try start("scenectl", "scene", "--allow", "y:", "--exec", "true")
    try scene.outputLine(containing: ": open")
    for arguments in [["open", "x:1"], ["open", "y:1"], ["scenes"], ["reload"]] {
      let path = "\(SpawnedProgram.buildDirectory)/scenectl"
      let program = try SpawnedProgram(
        "/bin/sh",
        ["-c", wrapper, path] + arguments,
        environment: environment
      )
      #expect(try program.waitForEnd() == .exit(0), "\(arguments): \(program.outputText)")
      #expect(program.errorText == "")
    }
    daemon.send(signal: SIGHUP)
    try scene.outputLine(containing: "acknowledged")
    scene.send(signal: SIGTERM)
    try scene.waitForEnd()
    #expect(scene.errorText == "")
    daemon.send(signal: SIGTERM)
    try daemon.waitForEnd()
    #expect(!daemon.errorText.contains("priority"))
  }
}
