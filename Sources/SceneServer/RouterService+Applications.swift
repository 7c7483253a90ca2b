import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

extension RouterService {
  func declare(_ call: Wire.DeclareApplication, _ id: CallID) {
    let declaration = ApplicationDeclaration(call)
    let refusal = router.declare(
      declaration,
      user: user(of: id),
      processID: processID(of: id),
      effects: &effects
    )
    if let refusal { return refuse(id, refusal, about: .application(declaration.applicationID)) }
    let handle = makeHandle()
    applications[declaration.applicationID] = ApplicationStream(call: id, handle: handle)
    applicationHandles[handle] = declaration.applicationID
    streams[id.connection] = .application(declaration.applicationID)
    port.reply(
      to: id,
      Wire.DeclareApplication.Reply.declared(
        Wire.ApplicationDeclared(
          applicationHandle: handle.text,
          generation: Int64(router.registry.generation)
        )
      ),
      continues: true
    )
  }

  func declineOpenRequest(_ call: Wire.DeclineOpenRequest, _ id: CallID) {
    guard let handle = Handle(call.applicationHandle), let application = applicationHandles[handle]
    else {
      return refuse(id, .noSuchApplication)
    }
    let subject = Subject.openRequest(call.openRequestID)
    guard let number = names.number(.openRequest, call.openRequestID) else {
      return refuse(id, .noSuchOpenRequest(nil), about: subject)
    }
    let refusal = router.declineOpenRequest(
      OpenRequestID(rawValue: number),
      byApplication: application,
      reason: call.reason,
      now: clock.monotonic(),
      effects: &effects
    )
    if let refusal { return refuse(id, refusal, about: subject) }
    port.reply(to: id, NoParameters())
  }
}
