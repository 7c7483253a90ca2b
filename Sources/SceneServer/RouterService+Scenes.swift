import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

extension RouterService {
  func openScene(_ call: Wire.OpenScene, _ id: CallID) {
    var request: OpenRequestID?
    if let text = call.openRequestID {
      request = names.number(.openRequest, text).map { OpenRequestID(rawValue: $0) }
      if request == nil { return refuse(id, .noSuchOpenRequest(nil), about: .openRequest(text)) }
    }
    let context = SceneContext(call.context)
    // The router's effects must come after the reply that tells the scene that it is open.
    var effects: [Effect] = []
    let opened = router.openScene(
      context,
      answering: request,
      credit: call.maxPendingDeliveries.map { Int($0) } ?? 16,
      user: user(of: id),
      now: clock.monotonic(),
      realTimeUSec: clock.realTime(),
      effects: &effects
    )
    switch opened {
    case .failure(let refusal):
      refuse(id, refusal, about: call.openRequestID.map { .openRequest($0) } ?? .nothing)
    case .success(let scene):
      let handle = makeHandle()
      scenes[scene] = SceneStream(call: id, handle: handle)
      sceneHandles[handle] = scene
      streams[id.connection] = .scene(scene)
      port.reply(
        to: id,
        Wire.OpenScene.Reply.opened(
          Wire.SceneOpened(
            sceneID: names.text(.scene, scene.rawValue),
            sceneHandle: handle.text,
            generation: Int64(router.registry.generation)
          )
        ),
        continues: true
      )
    }
    self.effects += effects
  }

  func closeScene(_ call: Wire.CloseScene, _ id: CallID) {
    guard let scene = scene(with: call.sceneHandle), let stream = scenes[scene] else {
      return refuse(id, .noSuchScene)
    }
    forget(scene)
    streams[stream.call.connection] = nil
    let refusal = router.closeScene(scene, now: clock.monotonic(), effects: &effects)
    port.reply(to: stream.call, Wire.OpenScene.Reply.closed("requested"))
    replyGeneration(id, unless: refusal)
  }

  func setRegistration(_ call: Wire.SetRegistration, _ id: CallID) {
    guard let scene = scene(with: call.sceneHandle) else { return refuse(id, .noSuchScene) }
    let registration = Registration(call.registration)
    replyGeneration(id, unless: router.setRegistration(registration, of: scene, effects: &effects))
  }

  func removeRegistration(_ call: Wire.RemoveRegistration, _ id: CallID) {
    guard let scene = scene(with: call.sceneHandle) else { return refuse(id, .noSuchScene) }
    replyGeneration(id, unless: router.removeRegistration(call.registrationID, of: scene, effects: &effects))
  }

  func update(_ call: Wire.UpdateScene, _ id: CallID) {
    guard let scene = scene(with: call.sceneHandle) else { return refuse(id, .noSuchScene) }
    let refusal = router.updateScene(
      scene,
      title: call.title,
      isActive: call.isActive ?? false,
      realTimeUSec: clock.realTime(),
      effects: &effects
    )
    replyGeneration(id, unless: refusal)
  }

  func acknowledge(_ call: Wire.AcknowledgeDelivery, _ id: CallID) {
    settle(call.deliveryID, call.sceneHandle, id) { delivery, scene, now in
      router.acknowledge(delivery, by: scene, now: now, effects: &effects)
    }
  }

  func decline(_ call: Wire.DeclineDelivery, _ id: CallID) {
    settle(call.deliveryID, call.sceneHandle, id) { delivery, scene, now in
      router.decline(delivery, by: scene, reason: call.reason, now: now, effects: &effects)
    }
  }

  private func settle(
    _ delivery: String,
    _ handle: String,
    _ id: CallID,
    _ settle: (DeliveryID, SceneID, UInt64) -> Refusal?
  ) {
    guard let scene = scene(with: handle) else { return refuse(id, .noSuchScene) }
    guard let number = names.number(.delivery, delivery) else {
      return refuse(id, .noSuchDelivery(nil), about: .delivery(delivery))
    }
    if let refusal = settle(DeliveryID(rawValue: number), scene, clock.monotonic()) {
      return refuse(id, refusal, about: .delivery(delivery))
    }
    port.reply(to: id, NoParameters())
  }
}
