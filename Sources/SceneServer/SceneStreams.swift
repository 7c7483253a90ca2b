import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

/// The calls of `OpenScene`, each of which keeps a scene open.
struct SceneStreams {
  private struct Stream {
    let call: CallID
    let handle: Handle
  }

  private let port: ReplyPort
  private let ids: PublicIDs
  private var streams: [SceneID: Stream] = [:]
  private var scenes: [Handle: SceneID] = [:]

  init(_ port: ReplyPort, _ ids: PublicIDs) { (self.port, self.ids) = (port, ids) }

  /// The open scene with a handle.
  func scene(with handle: String) -> SceneID? { Handle(handle).flatMap { scenes[$0] } }

  /// Begins the stream of a scene that has opened.
  mutating func open(_ scene: SceneID, _ call: CallID, _ handle: Handle, generation: UInt64) {
    streams[scene] = Stream(call: call, handle: handle)
    scenes[handle] = scene
    let opened = Wire.SceneOpened(
      sceneID: ids.text(scene),
      sceneHandle: handle.text,
      generation: Int64(generation)
    )
    port.reply(to: call, Wire.OpenScene.Reply.opened(opened), continues: true)
  }

  func deliver(_ delivery: Delivery) {
    guard let stream = streams[delivery.sceneID] else { return }
    let reply = Wire.OpenScene.Reply.delivery(Wire.Delivery(delivery, ids))
    port.reply(to: stream.call, reply, continues: true)
  }

  func withdraw(_ delivery: DeliveryID, from scene: SceneID, _ reason: WithdrawalReason) {
    guard let stream = streams[scene] else { return }
    let withdrawal = Wire.Withdrawal(deliveryID: ids.text(delivery), reason: reason.rawValue)
    port.reply(to: stream.call, Wire.OpenScene.Reply.withdrawn(withdrawal), continues: true)
  }

  /// Forgets a scene; returns its call.
  @discardableResult
  mutating func remove(_ scene: SceneID) -> CallID? {
    guard let stream = streams.removeValue(forKey: scene) else { return nil }
    scenes[stream.handle] = nil
    return stream.call
  }

  /// Ends the stream of a scene.
  func close(_ call: CallID, reason: String) {
    port.reply(to: call, Wire.OpenScene.Reply.closed(reason))
  }

  /// Ends all streams.
  mutating func closeAll(reason: String) {
    for stream in streams.values { close(stream.call, reason: reason) }
    (streams, scenes) = ([:], [:])
  }
}
