import RouterInterface
import SceneRouting
import Varlink

// MARK: - From the wire

extension ApplicationDeclaration {
  init(_ call: Wire.DeclareApplicationCall) {
    self.init(
      applicationID: call.applicationID,
      scenes: call.scenes.map(\.stated),
      claims: call.claims ?? Claims(),
      isSingleScene: call.isSingleScene ?? false
    )
  }
}

// MARK: - To the wire

extension CurrentActivity {
  init(_ current: SceneActivity, _ scene: SceneDescription) {
    let activity = current.activity.withoutUserInfo
    self.init(scene: scene, activity: activity, sinceUSec: current.sinceUSec)
  }
}

extension Wire.RouteDecision {
  init(_ decision: borrowing Decision, _ id: String, _ ids: PublicIDs, trace: Trace? = nil) {
    var target = "none"
    var scene: String?
    switch decision.destination {
    case .none: break
    case .newScene: target = "newScene"
    case .scene(let id):
      target = "scene"
      scene = ids.text(id)
    }
    self.init(
      decisionID: id,
      generation: Int64(decision.generation),
      target: target,
      rule: decision.rule?.rawValue,
      matchedPattern: decision.matchedPattern,
      matchedString: decision.matchedString,
      matchedField: decision.matchedField?.rawValue,
      sceneID: scene,
      applicationID: decision.applicationID,
      applicationBecause: decision.applicationReason?.rawValue,
      applicationSource: decision.applicationSource,
      declarationID: decision.declarationID,
      registrationIDs: scene == nil ? [] : decision.registrationIDs,
      trace: trace?.steps.map { Wire.TraceStep($0, ids) },
      traceOmitted: trace?.isComplete == true ? 0 : nil
    )
  }
}

extension Wire.TraceStep {
  init(_ step: Trace.Step, _ ids: PublicIDs) {
    self.init(
      rule: step.rule.rawValue,
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

extension Wire.Settlement {
  init(_ settlement: borrowing AttemptEnd, _ id: String, _ ids: PublicIDs) {
    self.init(
      decisionID: id,
      deliveryID: settlement.deliveryID.map { ids.text($0) },
      openRequestID: settlement.openRequestID.map { ids.text($0) },
      sceneID: settlement.sceneID.map { ids.text($0) },
      result: settlement.result.rawValue,
      reason: settlement.reason
    )
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

extension SceneDescription {
  init(_ scene: ListedScene, _ router: borrowing Router, _ ids: PublicIDs) {
    self.init(
      context: scene.context,
      runtime: Runtime(
        sceneID: ids.text(scene.id),
        processID: scene.processID.map { Int64($0) },
        openedUSec: scene.openedUSec,
        activeUSec: scene.activeUSec,
        pendingDeliveries: Int64(router.pendingDeliveryCount(of: scene.id))
      )
    )
  }
}

extension ApplicationDescription {
  init(_ application: ListedApplication) {
    let declaration = application.declaration
    let path: String? = if case .file(let path, _, _) = declaration.source { path } else { nil }
    self.init(
      id: declaration.applicationID,
      scenes: declaration.scenes,
      claims: declaration.claims,
      isSingleScene: declaration.isSingleScene,
      desktopID: application.desktopID,
      source: path == nil ? .connection : .file,
      path: path,
      isRunning: application.isRunning
    )
  }
}

extension Wire.RouterErrorReply {
  /// `subject` is the refused id or name in the caller's spelling.
  init(_ error: CallError, about subject: String?, _ ids: PublicIDs) {
    self =
      switch error {
      case .invalidParameter(let path): .invalidParameter(path)
      case .limitExceeded(let limit, let maximum):
        .limitExceeded(limit: limit.rawValue, maximum: Int64(maximum))
      case .noSuchScene: .noSuchScene(subject)
      case .noSuchActivity: .noSuchActivity(subject ?? "")
      case .noSuchRegistration(let registration): .noSuchRegistration(registration)
      case .noSuchApplication: .noSuchApplication(subject?.asApplicationID)
      case .noSuchDelivery(let result):
        .noSuchDelivery(deliveryID: subject ?? "", result: result?.rawValue)
      case .noSuchOpenRequest(let end):
        .noSuchOpenRequest(openRequestID: subject ?? "", result: end?.rawValue)
      case .sceneAlreadyOpen(let application, let scene):
        .sceneAlreadyOpen(applicationID: application, sceneID: ids.text(scene))
      case .applicationAlreadyDeclared(let processID):
        .applicationAlreadyDeclared(
          applicationID: subject?.asApplicationID ?? "",
          processID: processID.map { Int64($0) }
        )
      case .noSuchEvent: .noSuchEvent(subject ?? "")
      case .serviceStopping: .serviceStopping(decision: nil, isShown: false)
      }
  }
}
