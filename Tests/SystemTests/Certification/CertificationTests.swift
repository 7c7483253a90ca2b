import TestSupport
import Testing
import UnixSocket
import Varlink
import VarlinkClient
import VarlinkServer

/// The test of Varlink implementations against each other: values of every type go to and fro.
@Suite(.blocking) struct CertificationTests {
  @Test func pythonClientPassesAgainstOurServer() async throws {
    let directory = try TemporaryDirectory()
    let server = try await CertificationService.serve(at: directory.appending("varlink"))
    let python = try PythonProgram.start([
      "-m", "varlink.tests.test_certification", "--client",
      "--varlink=unix:\(directory.appending("varlink"))",
    ])
    #expect(try python.waitForEnd() == .exit(0), "\(python.errorText)")
    #expect(python.outputText.contains("End: {'all_ok': True}\nCertification passed\n"))
    await server.stop()
  }

  @Test func ourClientPassesAgainstPythonServer() async throws {
    let directory = try TemporaryDirectory()
    let python = try PythonProgram.start([
      "-m", "varlink.tests.test_certification", "--varlink=unix:\(directory.appending("varlink"))",
    ])
    try python.outputLine(containing: "Listening on")
    try await certify(VarlinkConnection.connect(to: SocketAddress(path: directory.appending("varlink"))))
  }

  @Test func ourClientPassesAgainstOurServer() async throws {
    let directory = try TemporaryDirectory()
    let server = try await CertificationService.serve(at: directory.appending("varlink"))
    try await certify(VarlinkConnection.connect(to: SocketAddress(path: directory.appending("varlink"))))
    await server.stop()
  }

  /// What a client that passes has proved is worth no more than what the server would not have let pass.
  @Test(
    arguments: [
      ("org.varlink.certification.Test01", ["client_id": "somebody"], "ClientIdError"),
      ("org.varlink.certification.Test02", ["client_id": "client 1", "bool": true], "CertificationError"),
      ("org.varlink.certification.Test01", ["client_id": "client 1", "bool": true], "CertificationError"),
    ] as [(StaticString, [String: JSON], String)]
  )
  func ourServerRefuses(method: StaticString, parameters: [String: JSON], error: String) async throws {
    let directory = try TemporaryDirectory()
    let server = try await CertificationService.serve(at: directory.appending("varlink"))
    let connection = try await VarlinkConnection.connect(
      to: SocketAddress(path: directory.appending("varlink"))
    )
    let started = try await connection.call(CertificationStep.start, NoParameters(), as: JSONObject.self)
    #expect(started.members == ["client_id": "client 1"])
    let failure = await #expect(throws: VarlinkClientError.self) {
      try await connection.call(method, JSONObject(parameters), as: JSONObject.self)
    }
    #expect(failure?.description.contains("org.varlink.certification.\(error)") == true)
    await server.stop()
  }

  private func certify(_ connection: VarlinkConnection) async throws {
    let started = try await connection.call(CertificationStep.start, NoParameters(), as: JSONObject.self)
    let client = try #require(started.members["client_id"])
    var parameters: [String: JSON] = [:]
    for step in CertificationStep.all {
      parameters["client_id"] = client
      let replies = try await replies(to: step, JSONObject(parameters), over: connection)
      #expect(replies.count == step.replies.count)
      parameters = CertificationStep.parameters(after: replies)
    }
    #expect(parameters == ["all_ok": true])
  }

  private func replies(
    to step: CertificationStep,
    _ parameters: JSONObject,
    over connection: VarlinkConnection
  ) async throws -> [[String: JSON]] {
    switch step.mode {
    case .oneway:
      try connection.callOneway(step.method, parameters)
      return []
    case .more:
      var replies: [[String: JSON]] = []
      for try await reply in try connection.callMore(step.method, parameters, as: JSONObject.self) {
        replies.append(reply.members)
      }
      return replies
    case .plain, .upgrade:
      return [try await connection.call(step.method, parameters, as: JSONObject.self).members]
    }
  }
}
