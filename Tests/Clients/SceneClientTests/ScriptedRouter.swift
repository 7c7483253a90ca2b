import SceneClient
import ScriptedService

/// Runs `body` with a client of a router that follows `script`, and then waits for the end of the script.
///
/// The script gets the listener, and the client's connection for ordinary calls.
func withRouter(
  timeout: Duration? = nil,
  reconnects: Bool = false,
  _ script: @escaping @Sendable (ScriptedListener, ScriptedPeer) throws -> Void,
  _ body: (RouterConnection) async throws -> Void
) async throws {
  let listener = try ScriptedListener()
  // An ordinary task would wait for a free thread. Other tests can keep all threads busy until the client's timeout has
  // passed, so the script starts immediately.
  let end = Task.immediate { try await onThread { try script(listener, listener.accept()) } }
  let router = try await RouterConnection(socketPath: listener.path, timeout: timeout, reconnects: reconnects)
  try await body(router)
  try await end.value
  router.close()
}

extension ScriptedPeer {
  /// Expects a call of this router method with these parameters; throws an error for any other call.
  func expect(_ method: String, _ parameters: String) throws {
    let call = try nextCall()
    guard call.method == "io.scened.\(method)", call.parameters == parameters else {
      throw UnexpectedCall(call: call)
    }
  }

  /// Sends a reply with these parameters.
  func reply(_ parameters: String, continues: Bool = false) throws {
    try send(#"{"parameters":\#(parameters)\#(continues ? #","continues":true"# : "")}"#)
  }

  /// Sends an error of the router with these parameters.
  func fail(_ error: String, _ parameters: String = "{}") throws {
    try send(#"{"error":"io.scened.Router.\#(error)","parameters":\#(parameters)}"#)
  }
}

struct UnexpectedCall: Error {
  var call: ReceivedCall
}

/// Parts of replies.
enum Sample {
  static let decision = """
    {"decisionId":"d1","generation":7,"target":"scene","rule":"preferring","sceneId":"s1"}
    """
  static let acknowledged = #"{"decisionId":"d1","deliveryId":"v2","sceneId":"s2","result":"acknowledged"}"#
  static let declined = """
    {"decisionId":"d1","deliveryId":"v1","sceneId":"s1","result":"declined","reason":"busy"}
    """
  static let scene = """
    {"context":{"applicationId":"a","title":"T",\
    "registrations":[{"registrationId":"r","preferring":["p"],"allowing":["*"]}]},\
    "runtime":{"sceneId":"s1","processId":42,"openedUSec":1500000,"pendingDeliveries":2}}
    """
  static let application = """
    {"applicationId":"a","scenes":[{"declarationId":"main","matching":[]},\
    {"declarationId":"doc","kind":"documentGroup","supportedTypes":["image/*"],"isSingleton":true}],\
    "claims":{"schemes":["x"]},"isSingleScene":false,"source":"connection","isRunning":true}
    """
}
