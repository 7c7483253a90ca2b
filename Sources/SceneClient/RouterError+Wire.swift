import RouterInterface
import Varlink
import VarlinkClient

extension RouterError {
  /// A reply that is no answer to the call.
  static let unexpectedReply = RouterError(
    .protocolViolation,
    "The router's reply does not belong to the call."
  )

  /// The error for the caller that a call ended in.
  init(_ error: VarlinkClientError) {
    switch error {
    case .cannotConnect: self.init(.cannotConnect, "The router cannot be reached. \(error)")
    case .connectionFailed, .closedByService, .closed:
      self.init(.connectionLost, "The connection to the router has ended. \(error)")
    case .cancelled: self.init(.cancelled, "\(error)")
    case .protocolViolation, .unreadableReply: self.init(.protocolViolation, "\(error)")
    case .callTooLong:
      let maximum = Int64(FrameSplitter.messageLimit)
      self.init(.limitExceeded(limit: "messageLength", maximum: maximum), "\(error)")
    case .errorReply(let message):
      self.init(message.decoded { Wire.RouterError($0) } ?? .unrecognized(message.name))
    }
  }

  private init(_ error: Wire.RouterError) {
    self.init(Code(error), error.description)
  }
}

extension RouterError.Code {
  fileprivate init(_ error: Wire.RouterError) {
    self =
      switch error {
      case .noSuchScene(let error): .noSuchScene(id: error.sceneID)
      case .noSuchRegistration(let error): .noSuchRegistration(id: error.registrationID)
      case .noSuchApplication(let error): .noSuchApplication(id: error.applicationID)
      case .noSuchDelivery(let error):
        .noSuchDelivery(id: error.deliveryID, result: error.result.map(Settlement.Result.init(rawValue:)))
      case .noSuchOpenRequest(let error):
        .noSuchOpenRequest(
          id: error.openRequestID,
          result: error.result.map(Settlement.Result.init(rawValue:))
        )
      case .sceneAlreadyOpen(let error):
        .sceneAlreadyOpen(application: error.applicationID, scene: error.sceneID)
      case .applicationAlreadyDeclared(let error):
        .applicationAlreadyDeclared(application: error.applicationID, process: error.processID)
      case .noSuchEvent(let error): .noSuchEvent(id: error.eventID)
      case .serviceStopping: .serviceStopping
      case .limitExceeded(let error): .limitExceeded(limit: error.limit, maximum: error.maximum)
      case .invalidParameter(let path): .invalidParameter(path: path)
      case .permissionDenied: .permissionDenied
      case .interfaceNotFound(let name), .methodNotFound(let name), .methodNotImplemented(let name):
        .notSupported(name)
      case .notRouted, .declined, .timedOut, .launchFailed, .expectedMore: .protocolViolation
      case .unrecognized(let name): .unrecognized(name)
      }
  }
}
