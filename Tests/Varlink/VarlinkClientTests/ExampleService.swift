import ScriptedService
import UnixSocket
import Varlink
import VarlinkClient

/// The parameters of the calls and replies in these tests.
struct Words: ObjectDecodable, ObjectEncodable, Sendable, Equatable {
  var text: String

  init(_ text: String) {
    self.text = text
  }

  init(from object: inout ObjectReader) throws(ParameterError) {
    text = try object.required("text")
  }

  func encodeMembers(to object: inout JSONWriter) {
    object.member("text", text)
  }
}

extension ReceivedCall {
  /// The text of the parameters.
  var text: String {
    get throws { try decoded(as: Words.self).text }
  }
}

extension VarlinkConnection {
  /// Makes a call, and returns the text of the reply.
  @discardableResult
  func echo(_ text: String) async throws -> String {
    try await call("org.example.Echo", Words(text), as: Words.self).text
  }
}

/// Runs `body` with a connection to a peer that follows `script`, and then waits for the end of the script.
func withConnection(
  to script: @escaping @Sendable (ScriptedPeer) throws -> Void,
  _ body: (VarlinkConnection) async throws -> Void
) async throws {
  let pair = try StreamSocketPair()
  let peer = ScriptedPeer(pair.second)
  async let end: Void = onThread {
    defer { peer.close() }
    try script(peer)
  }
  let connection = try VarlinkConnection(pair.first)
  try await body(connection)
  try await end
  withExtendedLifetime(connection) {}
}
