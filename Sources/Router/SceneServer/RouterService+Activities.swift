import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

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
