import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

extension RouterService {
  func send(_ call: Wire.SendEvent, _ id: CallID) {
    guard
      let constraints = constraints(call.applicationID, call.sceneID, call.originSceneID, call.allowNewScene)
    else { return refuse(id, .noSuchScene, about: call.sceneID) }
    let options = SendOptions(
      constraints: constraints,
      timeoutUSec: call.timeoutUSec.map { UInt64($0) },
      eventID: call.eventID,
      activationToken: call.activationToken
    )
    let waiting = waitingCall(id, call.waitFor)
    // It is among the followers only when the event has an id.
    if waiting.interest != .outcome { router.reportsSteps = true }
    let accepted = router.send(
      Event(call.event),
      options,
      user: user(of: id),
      now: clock.monotonic(),
      effects: &effects
    )
    switch accepted {
    case .failure(let refusal):
      refuse(id, refusal, about: call.sceneID ?? call.applicationID)
    case .success(.accepted(let event)):
      if id.mode != .oneway { add(waiting, for: event) }
    case .success(.duplicate(let event)):
      wait(waiting, for: event)
    }
    if waiting.interest != .outcome { reportStepsIfFollowed() }
  }

  func awaitEvent(_ call: Wire.AwaitEvent, _ id: CallID) {
    switch router.event(call.eventID, of: user(of: id), now: clock.monotonic()) {
    case .failure(let refusal): refuse(id, refusal, about: call.eventID)
    case .success(let event): wait(waitingCall(id, nil), for: event)
    }
  }

  func explain(_ call: Wire.ExplainEvent, _ id: CallID) {
    guard
      let constraints = constraints(call.applicationID, call.sceneID, call.originSceneID, call.allowNewScene)
    else { return refuse(id, .noSuchScene, about: call.sceneID) }
    let explained = router.explain(
      Event(call.event),
      constraints,
      maximumSteps: call.maxTraceSteps.map { Int($0) } ?? 100
    )
    switch explained {
    case .failure(let refusal): refuse(id, refusal, about: call.sceneID ?? call.applicationID)
    case .success((let decision, let trace)):
      // It names no event: nothing was sent.
      let explanation = Wire.RouteDecision(decision, "", names, trace: trace)
      port.reply(to: id, Wire.ExplainEvent.Reply(decision: explanation))
    }
  }

  /// The constraints of a call; `nil` if it names a scene that cannot be one.
  private func constraints(
    _ application: String?,
    _ scene: String?,
    _ origin: String?,
    _ allowsNewScene: Bool?
  ) -> RouteConstraints? {
    var constraints = RouteConstraints(applicationID: application, allowsNewScene: allowsNewScene ?? true)
    if let scene {
      guard let number = names.number(.scene, scene) else { return nil }
      constraints.sceneID = SceneID(rawValue: number)
    }
    constraints.originSceneID = origin.flatMap { names.number(.scene, $0) }.map { SceneID(rawValue: $0) }
    return constraints
  }

  private func waitingCall(_ id: CallID, _ waitFor: Wire.SendEvent.WaitFor?) -> WaitingCall {
    let interest: WaitingCall.Interest =
      waitFor == .decision ? .decision : id.mode == .more ? .everything : .outcome
    return WaitingCall(call: id, interest: interest)
  }
}

// MARK: - What becomes of an event

extension RouterService {
  /// Tells a call what has become of an event so far, and what will.
  private func wait(_ waiting: WaitingCall, for event: DecisionID) {
    guard let progress = router.progress(of: event) else { return }
    for attempt in progress.attempts {
      tell(waiting, event, decision: attempt.decision)
      if waiting.interest == .decision { return }
      if let settlement = attempt.settlement { tell(waiting, settlement) }
    }
    if let end = progress.end {
      tell(waiting, event, end)
    } else {
      add(waiting, for: event)
    }
  }

  private func add(_ waiting: WaitingCall, for event: DecisionID) {
    if waiting.interest == .outcome {
      waiters[event, default: WaitingCalls()].append(waiting)
    } else {
      followers[event, default: WaitingCalls()].append(waiting)
    }
  }

  func tell(_ waiting: WaitingCall, _ event: DecisionID, decision: Decision) {
    guard waiting.interest != .outcome else { return }
    let decision = Wire.RouteDecision(decision, names.text(.decision, event.rawValue), names)
    port.reply(
      to: waiting.call,
      Wire.SendEvent.Reply(decision: decision),
      continues: waiting.interest == .everything
    )
  }

  /// Tells of an attempt that failed; one that succeeded is the end, and told there.
  func tell(_ waiting: WaitingCall, _ settlement: Settlement) {
    guard waiting.interest == .everything, !settlement.result.isTaken else { return }
    port.reply(
      to: waiting.call,
      Wire.SendEvent.Reply(settlement: Wire.Settlement(settlement, names)),
      continues: true
    )
  }

  func tell(_ waiting: WaitingCall, _ event: DecisionID, _ end: EventEnd) {
    let call = waiting.call
    guard let last = end.settlement else {
      return port.reply(to: call, error: Wire.RouterError.notRouted(lastDecision(event, end)))
    }
    if last.result.isTaken, waiting.interest == .everything {
      return port.reply(to: call, Wire.SendEvent.Reply(settlement: Wire.Settlement(last, names)))
    }
    let settlement = Wire.Settlement(last, names)
    let decision = Wire.RouteDecision(end.decision, settlement.decisionID, names)
    let earlier = end.earlierSettlements.map { Wire.Settlement($0, names) }
    let attempts = earlier.isEmpty ? [settlement] : earlier + [settlement]
    let error: Wire.RouterError
    switch last.result {
    case .acknowledged, .launched:
      let reply = Wire.SendEvent.Reply(decision: decision, settlement: settlement, attempts: attempts)
      return port.reply(to: call, reply)
    case .declined, .sceneClosed:
      error = .declined(decision: decision, settlement: settlement, attempts: attempts)
    case .timeout: error = .timedOut(decision: decision, settlement: settlement, attempts: attempts)
    case .launchFailed: error = .launchFailed(decision: decision, settlement: settlement, attempts: attempts)
    case .shutdown: error = .serviceStopping(decision)
    }
    port.reply(to: call, error: error)
  }

  private func lastDecision(_ event: DecisionID, _ end: EventEnd) -> Wire.RouteDecision {
    Wire.RouteDecision(end.decision, names.text(.decision, event.rawValue), names)
  }
}
