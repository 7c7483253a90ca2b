import Foundation
import TestSupport
import Testing

/// scenectl must not wait forever for a service that never replies.
@Suite(.blocking) struct MuteServiceTests {
  private final class MuteService {
    let path: String
    var environment: [String: String] { ["SCENED_SOCKET": path] }
    private let directory: TemporaryDirectory
    private let listener: CInt

    /// Listens, and never calls `accept`.
    ///
    /// The kernel alone completes up to `backlog` + 1 connections.
    init(backlog: CInt) throws {
      directory = try TemporaryDirectory()
      path = directory.appending("socket")
      listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      try bind(listener, toName: path)
      #expect(listen(listener, backlog) == 0)
    }

    deinit { close(listener) }
  }

  @Test(arguments: [
    ["status"], ["scenes"], ["applications"], ["explain", "n:1"], ["monitor"], ["scene", "--allow", "*"],
    ["declare", "--application", "a", "--scene", "b"],
  ])
  func noCommandWaitsForEver(command: [String]) throws {
    let service = try MuteService(backlog: 8)
    let run = try Router.scenectl(command + ["--timeout", "0.25"], environment: service.environment)
    #expect(run.status == 1)
    #expect(run.error == "scenectl: The router has not answered within 0.25 seconds.\n")
    #expect(run.output == "")
  }

  @Test func connectionThatIsNotAcceptedIsNotWaitedForEither() throws {
    let service = try MuteService(backlog: 0)
    let client = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(client) }
    try connect(client, toName: service.path)
    let run = try Router.scenectl(["status", "--timeout", "0.25"], environment: service.environment)
    #expect(run.status == 1)
    #expect(run.error == "scenectl: The router has not answered within 0.25 seconds.\n")
  }

  @Test func fiveSecondsAreEnough() throws {
    let service = try MuteService(backlog: 8)
    let commands = [
      (["status"], "The router", 1), (["open", "n:1"], "n:1: The router", 7),
      (["open", "--no-wait", "--timeout", "60", "n:1"], "n:1: The router", 7),
      (["send", "--activity-type", "t"], "t: The router", 7),
    ]
    let runs = try commands.map { try SpawnedProgram("scenectl", $0.0, environment: service.environment) }
    for (run, (_, subject, status)) in zip(runs, commands) {
      #expect(try run.waitForEnd() == .exit(CInt(status)))
      #expect(run.errorText == "scenectl: \(subject) has not answered within 5.0 seconds.\n")
    }
  }
}
