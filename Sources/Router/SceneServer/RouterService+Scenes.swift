import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

// The effects are carried out after the answer, so a new scene is told that it is open before it gets its first
// delivery.
extension RouterService {
  func openScene(_ call: Wire.OpenSceneCall, _ id: CallID) -> [Effect] {
    let request = call.openRequestID.flatMap { ids.openRequest($0) }
    if let text = call.openRequestID, request == nil {
      refuse(id, .noSuchOpenRequest(nil), about: text)
      return []
    }
    let opened = router.openScene(
      call.context,
      answering: request,
      credit: Int(call.maxPendingDeliveries ?? 16),
      takenEventIDs: call.takenEventIDs,
      by: client(of: id),
      now: MonotonicClock.now,
      realTimeUSec: RealTimeClock.now
    )
    switch opened {
    case .failure(let error):
      refuse(id, error, about: call.openRequestID)
      return []
    case .success((let scene, let effects)):
      streams[id.connection] = .scene(scene)
      scenes.open(scene, id, makeHandle(), generation: router.registry.generation)
      return effects
    }
  }

  func closeScene(_ call: Wire.CloseSceneCall, _ id: CallID) -> [Effect] {
    guard let scene = scene(of: call.sceneHandle, for: id) else { return [] }
    if let connection = scenes.close(scene, reason: "requested") { streams[connection] = nil }
    return reply(id, afterChange: router.closeScene(scene, now: MonotonicClock.now))
  }

  func setRegistration(_ call: Wire.SetRegistrationCall, _ id: CallID) -> [Effect] {
    guard let scene = scene(of: call.sceneHandle, for: id) else { return [] }
    return reply(id, afterChange: router.setRegistration(call.registration, of: scene))
  }

  func removeRegistration(_ call: Wire.RemoveRegistrationCall, _ id: CallID) -> [Effect] {
    guard let scene = scene(of: call.sceneHandle, for: id) else { return [] }
    return reply(id, afterChange: router.removeRegistration(call.registrationID, of: scene))
  }

  func update(_ call: Wire.UpdateSceneCall, _ id: CallID) -> [Effect] {
    guard let scene = scene(of: call.sceneHandle, for: id) else { return [] }
    let change = router.updateScene(
      scene,
      title: call.title,
      isActive: call.isActive ?? false,
      realTimeUSec: RealTimeClock.now
    )
    return reply(id, afterChange: change)
  }

  /// Refuses the call if no scene has the handle.
  func scene(of handle: String, for id: CallID) -> SceneID? {
    if let scene = scenes.scene(with: handle) { return scene }
    refuse(id, .noSuchScene)
    return nil
  }
}

// MARK: - Activities

extension RouterService {
  func setActivity(_ call: Wire.SetActivityCall, _ id: CallID) -> [Effect] {
    guard let scene = scene(of: call.sceneHandle, for: id) else { return [] }
    if let error = router.setActivity(call.activity, of: scene, realTimeUSec: RealTimeClock.now) {
      refuse(id, error)
    } else {
      port.reply(to: id, NoParameters())
    }
    return []
  }

  func takeActivity(_ call: Wire.TakeActivityCall, _ id: CallID) -> [Effect] {
    if let error = router.limits.error(ofString: call.sceneID) {
      refuse(id, error)
      return []
    }
    let scene = ids.scene(call.sceneID) ?? SceneID(rawValue: 0)
    switch router.takeActivity(of: scene, by: call.by) {
    case .failure(let error):
      refuse(id, error, about: call.sceneID)
      return []
    case .success((let activity, let effects)):
      port.reply(to: id, Wire.TakeActivityCall.Reply(activity: activity))
      return effects
    }
  }
}
