import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

/// The calls of `OpenScene`, each of which keeps a scene open.
struct SceneStreams: ~Copyable {
  private struct Stream {
    let call: CallID
    let handle: Handle
  }

  private let port: ReplyPort
  private let ids: PublicIDs
  private var streams: IDTable<SceneID, Stream?>
  private var scenes: HandleOwners<SceneID>

  init(_ port: ReplyPort, _ ids: PublicIDs, seed: UInt64) {
    (self.port, self.ids) = (port, ids)
    streams = IDTable(vacant: nil, seed: seed)
    scenes = HandleOwners(seed: seed)
  }

  func scene(with handle: String) -> SceneID? { scenes[handle] }

  private func stream(of scene: SceneID) -> Stream? { streams[scene] ?? nil }

  mutating func open(_ scene: SceneID, _ call: CallID, _ handle: Handle, generation: UInt64) {
    streams.insert(Stream(call: call, handle: handle), for: scene)
    scenes.insert(scene, for: handle)
    let opened = Wire.SceneOpened(
      sceneID: ids.text(scene),
      sceneHandle: handle.text,
      generation: Int64(generation)
    )
    port.reply(to: call, Wire.OpenSceneCall.Reply.opened(opened), continues: true)
  }

  func deliver(_ delivery: ShownDelivery) {
    guard let stream = stream(of: delivery.sceneID) else { return }
    let reply = Wire.OpenSceneCall.Reply.delivery(Wire.EventDelivered(delivery, ids))
    port.reply(to: stream.call, reply, continues: true)
  }

  func withdraw(_ delivery: DeliveryID, from scene: SceneID, _ reason: Withdrawal.Reason) {
    guard let stream = stream(of: scene) else { return }
    let withdrawal = Withdrawal(deliveryID: ids.text(delivery), reason: reason)
    port.reply(to: stream.call, Wire.OpenSceneCall.Reply.withdrawn(withdrawal), continues: true)
  }

  /// `taker` is the name that the client gives itself.
  func reportTaken(_ activityType: String, by taker: String?, to scene: SceneID) {
    guard let stream = stream(of: scene) else { return }
    let continuation = Continuation(activityType: activityType, taker: taker)
    port.reply(to: stream.call, Wire.OpenSceneCall.Reply.continued(continuation), continues: true)
  }

  /// Returns the stream's connection.
  @discardableResult
  mutating func close(_ scene: SceneID, reason: String) -> ConnectionID? {
    guard let stream = remove(scene) else { return nil }
    port.reply(to: stream.call, Wire.OpenSceneCall.Reply.closed(reason))
    return stream.call.connection
  }

  /// Sends no reply.
  mutating func forget(_ scene: SceneID) { _ = remove(scene) }

  private mutating func remove(_ scene: SceneID) -> Stream? {
    guard let stream = streams.remove(scene) ?? nil else { return nil }
    scenes.remove(stream.handle)
    return stream
  }
}

extension Wire.EventDelivered {
  init(_ delivery: borrowing ShownDelivery, _ ids: PublicIDs) {
    self.init(
      deliveryID: ids.text(delivery.id),
      decisionID: ids.text(delivery.decisionID),
      event: delivery.event,
      registrationIDs: delivery.registrationIDs,
      eventID: delivery.eventID,
      activationToken: delivery.activationToken,
      timeoutUSec: Int64(delivery.timeoutUSec),
      sender: delivery.sender
    )
  }
}
