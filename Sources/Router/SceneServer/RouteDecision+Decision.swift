import RouterInterface
import SceneRouting

extension RouteDecision {
  init(_ decision: borrowing Decision, _ id: String, _ ids: PublicIDs, trace: Trace? = nil) {
    var target = RouteDecision.Target.nothing
    var scene: String?
    switch decision.destination {
    case .none: break
    case .newScene: target = .newScene
    case .scene(let id):
      target = .scene
      scene = ids.text(id)
    }
    self.init(
      decisionID: id,
      generation: Int64(decision.generation),
      target: target,
      rule: decision.rule.map { .init(rawValue: $0.rawValue) },
      matchedPattern: decision.matchedPattern,
      matchedString: decision.matchedString,
      matchedField: decision.matchedField.map { .init(rawValue: $0.rawValue) },
      sceneID: scene,
      applicationID: decision.applicationID,
      applicationBecause: decision.applicationReason.map { .init(rawValue: $0.rawValue) },
      applicationSource: decision.applicationSource,
      declarationID: decision.declarationID,
      registrationIDs: scene == nil ? [] : decision.registrationIDs,
      statedTrace: trace?.steps.map { TraceStep($0, ids) },
      traceOmitted: trace?.isComplete == true ? 0 : nil
    )
  }
}

extension TraceStep {
  init(_ step: Trace.Step, _ ids: PublicIDs) {
    self.init(
      rule: .init(rawValue: step.rule.rawValue),
      sceneID: step.sceneID.map { ids.text($0) },
      applicationID: step.applicationID,
      declarationID: step.declarationID,
      registrationID: step.registrationID,
      pattern: step.pattern,
      matched: step.matched,
      rejectedBecause: step.rejectedBecause
    )
  }
}

extension Settlement {
  init(_ settlement: borrowing AttemptEnd, _ id: String, _ ids: PublicIDs) {
    self.init(
      decisionID: id,
      deliveryID: settlement.deliveryID.map { ids.text($0) },
      openRequestID: settlement.openRequestID.map { ids.text($0) },
      sceneID: settlement.sceneID.map { ids.text($0) },
      result: .init(rawValue: settlement.result.rawValue),
      reason: settlement.reason
    )
  }
}
