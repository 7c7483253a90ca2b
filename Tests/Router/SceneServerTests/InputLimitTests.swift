import Glibc
import RouterInterface
import SceneRouting
import TestSupport
import Testing
import Varlink

/// Tests of the limits on received bytes that the router has to keep for a while.
///
/// The bytes belong to incomplete messages, or to calls that wait until a stream ends.
@Suite struct InputLimitTests {
  /// The first 200 KiB of a message that never ends.
  private static let half = [UInt8](repeating: 0x20, count: 200 << 10)

  /// Sends bytes over new connections until the router has ended a connection; returns the other connections.
  private static func fill(_ router: RouterUnderTest, _ connect: () throws -> WireClient) throws
    -> [WireClient]
  {
    var clients: [WireClient] = []
    for _ in 0..<16 {
      let client = try connect()
      try client.send(half)
      clients.append(client)
      // During each of these calls, the router reads more from the other connections.
      for _ in 0..<16 { _ = try router.statistics() }
      if let ended = clients.firstIndex(where: \.hasInput) {
        #expect(try clients[ended].end() == [])
        clients.remove(at: ended)
        return clients
      }
    }
    throw Overdue("No connection was ended.")
  }

  @Test func halfMessagesCountTowardsTheBytesOfTheirUser() throws {
    let router = try RouterUnderTest { $0.bytesPerUser = 2 << 20 }
    let clients = try Self.fill(router) { try router.connect() }
    // For each connection, the router charges at least the received 200 KiB, and at most a little more than 400 KiB.
    // So 4 to 10 connections fit into the quota of 2 MiB.
    #expect((4...10).contains(clients.count), "\(clients.count)")
    // A connection that ends makes room.
    for client in clients { try client.leave() }
    #expect(try Self.fill(router) { try router.connect() }.count == clients.count)
  }

  @Test func callsBehindAStreamCountTowardsTheBytesOfTheirUser() throws {
    let router = try RouterUnderTest { $0.bytesPerUser = 2 << 20 }
    let scenes = try Self.fill(router) {
      let scene = try router.connect()
      try scene.call(Wire.OpenSceneCall(context: SceneContext(applicationID: "app")), .more)
      try scene.send(#"{"method":"org.varlink.service.GetInfo"}"#)
      return scene
    }
    #expect((4...10).contains(scenes.count), "\(scenes.count)")
  }

  @Test(.enabled(if: geteuid() == 0, "Only root can become somebody else."))
  func peerThatIsNotAdmittedGets4KiB() throws {
    let router = try RouterUnderTest(.daemon)
    chmod(router.directoryPath, 0o711)
    chmod(router.path, 0o666)
    for (length, isAnswered) in [(4096, true), (4097, false)] {
      let call = #"{"method":"org.varlink.service.GetInfo"}"#
      let padded = call + String(repeating: " ", count: length - call.utf8.count)
      let (_, output, _) = try SpawnedProgram.run("SendAsUser", ["65534", router.path, padded])
      #expect(output.contains("PermissionDenied") == isAnswered, "\(length): \(output)")
    }
  }
}
