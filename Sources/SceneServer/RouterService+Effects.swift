import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

extension RouterService {
  /// Turns what follows from a call into replies, in order.
  func carryOutEffects() {
    guard !effects.isEmpty else { return }
    var pending: [Effect] = []
    swap(&pending, &effects)
    let isMonitored = !monitors.isEmpty
    // Taken from the end, where each is moved out and not copied.
    pending.reverse()
    while let effect = pending.popLast() {
      carryOut(effect)
      if isMonitored { show(effect) }
    }
    swap(&pending, &effects)
  }

  private func carryOut(_ effect: Effect) {
    switch effect {
    case .deliver(let delivery):
      guard let scene = scenes[delivery.sceneID] else { return }
      let reply = Wire.OpenScene.Reply.delivery(Wire.Delivery(delivery, names))
      port.reply(to: scene.call, reply, continues: true)
    case .requestScene(let request):
      guard let application = applications[request.applicationID] else { return }
      let reply = Wire.DeclareApplication.Reply.openRequest(Wire.OpenRequest(request, names))
      port.reply(to: application.call, reply, continues: true)
    case .withdrawDelivery(let delivery, from: let scene, let reason):
      guard let scene = scenes[scene] else { return }
      let withdrawal = Wire.Withdrawal(
        deliveryID: names.text(.delivery, delivery.rawValue),
        reason: reason.rawValue
      )
      port.reply(to: scene.call, Wire.OpenScene.Reply.withdrawn(withdrawal), continues: true)
    case .withdrawOpenRequest(let request, fromApplication: let application, let reason):
      guard let application = applications[application] else { return }
      let withdrawal = Wire.Withdrawal(
        openRequestID: names.text(.openRequest, request.rawValue),
        reason: reason.rawValue
      )
      port.reply(to: application.call, Wire.DeclareApplication.Reply.withdrawn(withdrawal), continues: true)
    case .decided(let event, _, let decision):
      guard let following = followers[event], decision.rule != nil else { return }
      following.forEach { tell($0, event, decision: decision) }
      followers[event]?.removeDecisionWaiters()
      if followers[event]?.isEmpty == true { followers[event] = nil }
    case .settled(let settlement):
      followers[settlement.decisionID]?.forEach { tell($0, settlement) }
    case .ended(let event, let end):
      if let waiting = waiters.removeValue(forKey: event) { tell(waiting, event, end) }
      if !followers.isEmpty, let following = followers.removeValue(forKey: event) {
        tell(following, event, end)
      }
    case .sceneChanged, .sceneClosed, .applicationChanged, .applicationGone:
      status.note(counts, at: clock.monotonic())
    }
  }
}
