import Foundation
import TestSupport
import UnixSocket
import Varlink
import VarlinkServer

/// The service `org.varlink.certification`.
///
/// A client has to send back exactly the values that the service has sent.
final class CertificationService: VarlinkService {
  let serviceInterface: ServiceInterface
  private let port: ReplyPort
  /// The number of clients that have started.
  private var clientCount = 0
  /// The next step of each client whose test is under way.
  private var nextSteps: [String: Int] = [:]

  init(_ port: ReplyPort, _ serviceInterface: ServiceInterface) {
    self.port = port
    self.serviceInterface = serviceInterface
  }

  func dispatch(_ call: borrowing Call, _ id: CallID) -> Bool {
    if call.method.equals(Certification.Start.method) {
      clientCount += 1
      let client = "client \(clientCount)"
      nextSteps[client] = 0
      port.reply(to: id, writing: Certification.Start.Reply(clientID: client).encodeMembers)
      return true
    }
    guard let step = CertificationStep.all.firstIndex(where: { "\($0.method)" == call.method.stringValue })
    else { return false }
    do throws(ParameterError) {
      try take(step, CertificationStep.all[step].read(call), id)
    } catch {
      port.reply(to: id, error: ServiceError(error))
    }
    return true
  }

  private func take(_ index: Int, _ call: any MethodCall, _ id: CallID) {
    guard case .string(let client) = JSON(of: call)["client_id"], let next = nextSteps[client] else {
      return port.reply(to: id, error: Certification.CertificationError.clientIDError)
    }
    let step = CertificationStep.all[next]
    let wanted = step.wanted(client)
    guard index == next, id.mode == step.mode, JSON(of: call) == JSON(of: wanted) else {
      nextSteps[client] = nil
      let (wants, got) = (RawObject(of: wanted), RawObject(of: call))
      let error = Certification.CertificationError.certificationError(wants: wants, got: got)
      return port.reply(to: id, error: error)
    }
    nextSteps[client] = next + 1 < CertificationStep.all.count ? next + 1 : nil
    for (number, reply) in step.replies.enumerated() {
      port.reply(to: id, continues: number + 1 < step.replies.count, writing: reply.encodeMembers)
    }
  }
}

// MARK: - Events that need no handling

extension CertificationService {
  var nextDeadline: UInt64? { nil }
  func admission(of peer: PeerCredentials) -> Admission { .admitted }
  func refuseConnection(_ id: CallID, _ limit: ConnectionLimit) {}
  func connectionViolated(_ violation: ProtocolViolation, _ peer: PeerCredentials) {}
  func connectionEnded(_ connection: ConnectionID) {}
  func charge(_ bytes: Int, toUser user: UInt32) -> Bool { true }
  func outputDrained(_ connection: ConnectionID) {}
  func advance(to now: UInt64) {}
  func stop() {}
}

// MARK: - Serving

extension CertificationService {
  /// Returns a server of this service at `path`; the server runs until its `stop()`.
  static func serve(at path: String) async throws -> VarlinkServer {
    let interface = try ServiceInterface(
      vendor: "scened",
      product: "certification",
      version: "1",
      url: "",
      // The description comes from the module `varlink` 31.0.0 for Python.
      descriptions: [Certification.interfaceDescription]
    )
    let server = try VarlinkServer(
      listener: ListeningSocket.listen(at: path),
      limits: ServerLimits(descriptors: 256)
    ) { port in
      CertificationService(port, interface)
    }
    try await server.start { _ in }
    return server
  }
}
