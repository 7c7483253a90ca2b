import RouterInterface
import SceneRouting

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
