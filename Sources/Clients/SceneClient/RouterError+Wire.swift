import RouterInterface

extension RouterError {
  init(_ error: Wire.RouterErrorReply) {
    switch error {
    case .noSuchScene(let id):
      let sentence = id.map { "There is no scene '\($0)'." } ?? "The scene is not open any more."
      self.init(.noSuchScene(id: id), sentence)
    case .noSuchActivity(let scene):
      let sentence = "The scene '\(scene)' shows no activity that can be continued elsewhere."
      self.init(.noSuchActivity(scene: scene), sentence)
    case .noSuchRegistration(let id):
      self.init(.noSuchRegistration(id: id), "The scene has no registration '\(id)'.")
    case .noSuchApplication(let id):
      let sentence =
        id.map { "There is no application '\($0)'." } ?? "The application is not declared any more."
      self.init(.noSuchApplication(id: id), sentence)
    case .noSuchDelivery(let id, let result):
      let sentence =
        result.map { "The delivery '\(id)' is settled already: \($0)." } ?? "There is no delivery '\(id)'."
      self.init(.noSuchDelivery(id: id, result: result.map(Settlement.Result.init)), sentence)
    case .noSuchOpenRequest(let id, let result):
      let sentence =
        result.map { "The open request '\(id)' has ended already: \($0)." }
        ?? "There is no open request '\(id)'."
      self.init(.noSuchOpenRequest(id: id, result: result.map(Settlement.Result.init)), sentence)
    case .sceneAlreadyOpen(let application, let scene):
      let sentence = "The application '\(application)' already has the one scene it can have, '\(scene)'."
      self.init(.sceneAlreadyOpen(application: application, scene: scene), sentence)
    case .applicationAlreadyDeclared(let application, let process):
      let whom = process.map { "by process \($0)" } ?? "over another connection"
      let sentence = "The application '\(application)' is already declared \(whom)."
      self.init(.applicationAlreadyDeclared(application: application, process: process), sentence)
    case .noSuchEvent(let id): self.init(.noSuchEvent(id: id), "No event '\(id)' is remembered.")
    case .limitExceeded(let limit, let maximum):
      let sentence =
        limit == "fileDescriptors"
        ? "The router may open only \(maximum) file descriptors, which is too few for another connection (ulimit -n)."
        : "The limit '\(limit)' is exceeded: at most \(maximum)."
      self.init(.limitExceeded(limit: limit, maximum: maximum), sentence)
    case .invalidParameter(let path):
      self.init(.invalidParameter(path: path), "The service does not accept the parameter '\(path)'.")
    case .permissionDenied: self.init(.permissionDenied, "The service does not permit this.")
    case .interfaceNotFound(let name):
      self.init(.notSupported(name), "The service has no interface '\(name)'.")
    case .methodNotFound(let name): self.init(.notSupported(name), "The service has no method '\(name)'.")
    case .methodNotImplemented(let name):
      self.init(.notSupported(name), "The service does not implement the method '\(name)'.")
    case .expectedMore: self.init(.protocolViolation, "The method needs the 'more' flag.")
    case .serviceStopping: self.init(.serviceStopping, EventOutcome.serviceStopping(nil).description)
    case .notRouted, .declined, .timedOut, .launchFailed:
      self.init(.protocolViolation, EventOutcome(error)?.description ?? "")
    }
  }
}
