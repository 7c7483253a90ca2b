import Foundation
import TestSupport
import Testing
import VarlinkClient

/// Tests connections whose bytes go through a program's standard input and output.
@Suite(.timeLimit(.minutes(20)))
struct BridgeProcessTests {
  private static let refusal = #"printf '{"error":"org.example.Refused"}\0'"#
  private static let answers = """
    head --zero-terminated --lines 1 > /dev/null; \(refusal); \
    head --zero-terminated --lines 1 > /dev/null; printf '{"parameters":{"text":"here"}}\\0'; cat
    """

  @Test func callsAreAnswered() async throws {
    let connection = try await VarlinkConnection.connect(through: ["sh", "-c", Self.answers])
    #expect(try await connection.echo("there") == "here")
    #expect(connection.peer == nil)
  }

  @Test func endOfItsInputEndsTheProgramAndLeavesNothing() async throws {
    let directory = try TemporaryDirectory()
    let script = "echo $$ > \(directory.appending("pid")); \(Self.answers)"
    let connection = try await VarlinkConnection.connect(through: ["sh", "-c", script])
    let text = try String(contentsOfFile: directory.appending("pid"), encoding: .utf8)
    let process = try #require(pid_t(text.trimmingCharacters(in: .newlines)))
    #expect(kill(process, 0) == 0)
    connection.close()
    let deadline = Deadline()
    while kill(process, 0) == 0, deadline.millisecondsLeft > 0 { await Task.yield() }
    #expect(kill(process, 0) == -1)
  }

  @Test(arguments: [
    ("exit 3", "sh ended with status 3."),
    ("echo one >&2; echo two. >&2; exit 255", "sh ended with status 255: one: two."),
    ("head --bytes 100000 /dev/zero | tr '\\0' x >&2; echo end. >&2", "xend."),
  ])
  func whyThereIsNoServiceIsSaid(script: String, sentence: String) async throws {
    let error = await #expect(throws: VarlinkClientError.self) {
      try await VarlinkConnection.connect(through: ["sh", "-c", script])
    }
    guard case .noBridge(let description)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(description.contains(sentence) && description.utf8.count < 2200, "\(description)")
  }

  @Test(arguments: ["exec sleep infinity", "exec sleep infinity <&- >&-"])
  func programThatDoesNothingIsEnded(script: String) async throws {
    let directory = try TemporaryDirectory()
    let file = directory.appending("pid")
    let error = await #expect(throws: VarlinkClientError.self) {
      try await within(.seconds(1)) { () async throws(VarlinkClientError) in
        try await VarlinkConnection.connect(through: ["sh", "-c", "echo $$ > \(file); \(script)"])
      }
    }
    #expect(error == .noAnswer(within: .seconds(1)))
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let process = try #require(pid_t(text.trimmingCharacters(in: .newlines)))
    let deadline = Deadline()
    while kill(process, 0) == 0, deadline.millisecondsLeft > 0 { await Task.yield() }
    #expect(kill(process, 0) == -1)
  }
}
