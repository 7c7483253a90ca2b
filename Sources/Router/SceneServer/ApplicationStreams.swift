import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

/// The calls of `DeclareApplication`, each of which keeps an application declared.
struct ApplicationStreams: ~Copyable {
  private struct Stream {
    let call: CallID
    let handle: Handle
  }

  private let port: ReplyPort
  private let ids: PublicIDs
  private var streams: [String: Stream] = [:]
  private var applications: HandleOwners<String>

  init(_ port: ReplyPort, _ ids: PublicIDs, seed: UInt64) {
    (self.port, self.ids) = (port, ids)
    applications = HandleOwners(seed: seed)
  }

  var count: Int { streams.count }

  func application(with handle: String) -> String? { applications[handle] }

  mutating func open(_ application: String, _ call: CallID, _ handle: Handle, generation: UInt64) {
    streams[application] = Stream(call: call, handle: handle)
    applications.insert(application, for: handle)
    let declared = Wire.ApplicationDeclared(applicationHandle: handle.text, generation: Int64(generation))
    port.reply(to: call, Wire.DeclareApplicationCall.Reply.declared(declared), continues: true)
  }

  func request(_ request: SceneRequest) {
    guard let stream = streams[request.applicationID] else { return }
    let reply = Wire.DeclareApplicationCall.Reply.openRequest(Wire.SceneRequested(request, ids))
    port.reply(to: stream.call, reply, continues: true)
  }

  func withdraw(_ request: OpenRequestID, from application: String, _ reason: Withdrawal.Reason) {
    guard let stream = streams[application] else { return }
    let withdrawal = Withdrawal(openRequestID: ids.text(request), reason: reason)
    port.reply(to: stream.call, Wire.DeclareApplicationCall.Reply.withdrawn(withdrawal), continues: true)
  }

  mutating func close(_ application: String, reason: String) {
    guard let call = streams[application]?.call else { return }
    port.reply(to: call, Wire.DeclareApplicationCall.Reply.closed(reason))
    forget(application)
  }

  /// Sends no reply.
  mutating func forget(_ application: String) {
    if let stream = streams.removeValue(forKey: application) { applications.remove(stream.handle) }
  }
}

extension Wire.SceneRequested {
  init(_ request: SceneRequest, _ ids: PublicIDs) {
    self.init(
      openRequestID: ids.text(request.id),
      decisionID: ids.text(request.decisionID),
      declarationID: request.declarationID,
      event: request.event,
      eventID: request.eventID,
      activationToken: request.activationToken,
      timeoutUSec: Int64(request.timeoutUSec),
      sender: request.sender
    )
  }
}
