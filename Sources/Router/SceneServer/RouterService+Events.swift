import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

extension RouterService {
  func send(_ call: Wire.SendEventCall, _ id: CallID) -> [Effect] {
    if let error = error(ofSceneIDs: call.sceneID, call.originSceneID) {
      refuse(id, error)
      return []
    }
    let sender = sender(of: id)
    let options = EventOptions(
      constraints: constraints(
        call.applicationID,
        call.sceneID,
        call.originSceneID,
        call.allowNewScene,
        sender
      ),
      timeoutUSec: call.timeoutUSec.map { UInt64($0) },
      eventID: call.eventID,
      activationToken: call.activationToken,
      sender: sender
    )
    let waiting = WaitingCall(id, call.waitFor)
    if waiting.interest != .outcome { router.reportsSteps = true }
    switch router.send(call.event, consume options, from: client(of: id), now: MonotonicClock.now) {
    case .failure(let error): refuse(id, error, about: call.sceneID ?? call.applicationID)
    case .success(.repeated(let progress)): wait(waiting, progress)
    case .success(.accepted(let event, let effects)):
      if id.mode != .oneway { waiters.add(waiting, to: event) }
      return effects
    }
    return []
  }

  func awaitEvent(_ call: Wire.AwaitEventCall, _ id: CallID) -> [Effect] {
    switch router.progress(ofEvent: call.eventID, of: client(of: id).user, now: MonotonicClock.now) {
    case .failure(let error): refuse(id, error, about: call.eventID)
    case .success(let progress): wait(WaitingCall(id), progress)
    }
    return []
  }

  private func wait(_ call: WaitingCall, _ progress: EventCourse) {
    guard call.call.mode != .oneway else { return }
    var call = call
    if progress.end == nil, call.interest != .decision || progress.firstDecision == nil {
      guard let user = charge(WaitingCall.charge, for: call.call) else { return }
      call.user = user
    }
    if !waiters.report(progress, to: call) { waiters.add(call, to: progress.id) }
  }

  func explain(_ call: Wire.ExplainEventCall, _ id: CallID) -> [Effect] {
    if let error = error(ofSceneIDs: call.sceneID, call.originSceneID) {
      refuse(id, error)
      return []
    }
    let explained = router.explain(
      call.event,
      // The caller is treated as the sender of the event.
      constraints(call.applicationID, call.sceneID, call.originSceneID, call.allowNewScene, sender(of: id)),
      maximumSteps: Int(call.maxTraceSteps ?? 100)
    )
    switch explained {
    case .failure(let error): refuse(id, error, about: call.sceneID ?? call.applicationID)
    case .success((let decision, let trace)):
      // The decision has no id, because no event was sent.
      let explanation = RouteDecision(decision, "", ids, trace: trace)
      port.reply(to: id, Wire.ExplainEventCall.Reply(decision: explanation))
    }
    return []
  }

  func acknowledge(_ call: Wire.AcknowledgeDeliveryCall, _ id: CallID) -> [Effect] {
    settle(call.deliveryID, call.sceneHandle, id) { delivery, scene in
      router.acknowledge(delivery, by: scene, now: MonotonicClock.now)
    }
  }

  func decline(_ call: Wire.DeclineDeliveryCall, _ id: CallID) -> [Effect] {
    settle(call.deliveryID, call.sceneHandle, id) { delivery, scene in
      let reason = call.reason.map(PrivateParts.removed(fromText:))
      return router.decline(delivery, by: scene, reason: reason, now: MonotonicClock.now)
    }
  }

  private func settle(
    _ text: String,
    _ handle: String,
    _ id: CallID,
    _ settle: (DeliveryID, SceneID) -> Result<[Effect], CallError>
  ) -> [Effect] {
    guard let scene = scene(of: handle, for: id) else { return [] }
    let settling = ids.delivery(text).map { settle($0, scene) } ?? .failure(.noSuchDelivery(nil))
    return reply(id, afterSettling: settling, about: text)
  }

  private func error(ofSceneIDs scene: String?, _ origin: String?) -> CallError? {
    router.limits.error(ofString: scene) ?? router.limits.error(ofString: origin)
  }

  /// `origin` is the sending scene, or the event for which the sender was started.
  ///
  /// A malformed `scene` counts as a closed scene.
  private func constraints(
    _ application: String?,
    _ scene: String?,
    _ origin: String?,
    _ allowsNewScene: Bool?,
    _ sender: Sender?
  ) -> RouteConstraints {
    RouteConstraints(
      applicationID: application,
      sceneID: scene.map { ids.scene($0) ?? SceneID(rawValue: 0) },
      originSceneID: origin.flatMap { ids.scene($0) },
      originDecisionID: origin.flatMap { ids.decision($0) },
      senderApplicationID: sender?.applicationID,
      allowsNewScene: allowsNewScene ?? true
    )
  }
}
