import RouterInterface
import SceneRouting
import VarlinkServer

extension RouterService {
  func declare(_ call: Wire.DeclareApplicationCall, _ id: CallID) -> [Effect] {
    let declaration = ApplicationDeclaration(call)
    let declared = router.declare(
      declaration,
      takenEventIDs: call.takenEventIDs,
      by: client(of: id),
      now: MonotonicClock.now
    )
    switch declared {
    case .failure(let error):
      refuse(id, error, about: call.applicationID)
      return []
    case .success(let effects):
      streams[id.connection] = .application(declaration.applicationID)
      applications.open(declaration.applicationID, id, makeHandle(), generation: router.registry.generation)
      return effects
    }
  }

  func replaceFiles(with files: FileDeclarations) {
    apply(router.replaceFiles(with: files, now: MonotonicClock.now))
  }

  func declineOpenRequest(_ call: Wire.DeclineOpenRequestCall, _ id: CallID) -> [Effect] {
    guard let application = applications.application(with: call.applicationHandle) else {
      refuse(id, .noSuchApplication)
      return []
    }
    let declined = ids.openRequest(call.openRequestID).map { request in
      router.declineOpenRequest(
        request,
        byApplication: application,
        reason: call.reason.map(PrivateParts.removed(fromText:)),
        now: MonotonicClock.now
      )
    }
    return reply(id, afterSettling: declined ?? .failure(.noSuchOpenRequest(nil)), about: call.openRequestID)
  }
}

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
