import TestSupport
import Testing
import UnixSocket
import Varlink
import VarlinkClient
import VarlinkServer

/// The certification test between Varlink implementations, in which values of every type are exchanged.
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

  /// A passing client proves something only if the server refuses wrong calls.
  @Test func ourServerRefuses() async throws {
    let directory = try TemporaryDirectory()
    let server = try await CertificationService.serve(at: directory.appending("varlink"))
    let connection = try await VarlinkConnection.connect(
      to: SocketAddress(path: directory.appending("varlink"))
    )
    func error(
      _ call: some ObjectEncodable,
      to method: StaticString
    ) async throws -> Certification.CertificationError? {
      do throws(VarlinkClientError) {
        _ = try await connection.call(method, call, as: NoParameters.self)
        return nil
      } catch {
        guard case .errorReply(let message) = error else { throw error }
        return message.decoded { Certification.CertificationError($0) }
      }
    }
    let client = try await start(connection)
    #expect(client == "client 1")
    let stranger = Certification.Test01(clientID: "somebody")
    #expect(try await error(stranger, to: Certification.Test01.method) == .clientIDError)
    let tooMuch = Certification.Test02(clientID: client, bool: true)
    #expect(try await error(tooMuch, to: Certification.Test01.method) == .invalidParameter("bool"))
    #expect(
      try await error(tooMuch, to: Certification.Test02.method)
        == .certificationError(
          wants: RawObject(of: Certification.Test01(clientID: client)),
          got: RawObject(of: tooMuch)
        )
    )
    await server.stop()
  }

  private func start(_ connection: VarlinkConnection) async throws -> String {
    let started = try await connection.call(
      Certification.Start.method,
      Certification.Start(),
      as: Certification.Start.Reply.self
    )
    return started.clientID
  }

  private func certify(_ connection: VarlinkConnection) async throws {
    let client = try await start(connection)
    for step in CertificationStep.all {
      let replies = try await step.make(client, connection)
      #expect(replies.map { JSON(of: $0) } == step.replies.map { JSON(of: $0) }, "\(step.method)")
    }
  }
}
