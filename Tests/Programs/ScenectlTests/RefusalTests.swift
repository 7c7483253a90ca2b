import Foundation
import TestSupport
import Testing

/// The tool's messages to a user whom the router, the socket or the directory of the socket refuses.
@Suite(.blocking, .enabled(if: geteuid() == 0, "Only root can become somebody else."))
struct RefusalTests {
  private let router: Router
  private var directory: String { String(router.socket.dropLast("/router".count)) }

  init() throws { router = try Router() }

  private func error(_ arguments: [String]) throws -> String {
    let command = [
      "--reuid=65534", "--regid=65534", "--clear-groups", SpawnedProgram.buildDirectory + "/scenectl",
    ]
    let (ending, output, error) = try SpawnedProgram.run(
      "/usr/bin/setpriv",
      command + arguments,
      environment: router.environment
    )
    #expect(ending == .exit(1))
    #expect(output == "")
    return error
  }

  @Test func routerThatRefusesIsToldWithItsUser() throws {
    chmod(directory, 0o711)
    chmod(router.socket, 0o666)
    let sentence = "The router of user 0 refuses user 65534.\n"
    for command in [["status"], ["scenes"], ["monitor"], ["scene", "--allow", "*"], ["explain", "n:1"]] {
      #expect(try error(command) == "scenectl: \(sentence)")
    }
    #expect(try error(["open", "n:1"]) == "scenectl: n:1: \(sentence)")
    #expect(try error(["open", "--no-wait", "n:1"]) == "scenectl: n:1: \(sentence)")
  }

  @Test func socketThatRefusesIsToldWithItsUser() throws {
    chmod(directory, 0o711)
    chmod(router.socket, 0o600)
    #expect(try error(["status"]) == "scenectl: \(sentence(about: router.socket))")
  }

  @Test func directoryThatRefusesIsToldWithItsUser() throws {
    chmod(directory, 0o700)
    #expect(try error(["status"]) == "scenectl: \(sentence(about: directory))")
    #expect(try error(["open", "n:1"]) == "scenectl: n:1: \(sentence(about: directory))")
  }

  private func sentence(about file: String) -> String {
    "The router cannot be reached at '\(router.socket)': '\(file)' belongs to user 0 and refuses user 65534.\n"
  }
}
