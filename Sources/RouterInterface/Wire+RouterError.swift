package import Varlink

extension Wire {
  /// The error a call ended in: one of the router's, or one that every service has.
  package enum RouterError: Error, Sendable, Equatable {
    /// The scene, or the handle, is unknown.
    case noSuchScene(NoSuchScene)
    /// The scene has no such registration.
    case noSuchRegistration(NoSuchRegistration)
    /// The application, or the handle, is unknown.
    case noSuchApplication(NoSuchApplication)
    /// The delivery is unknown, or already settled.
    case noSuchDelivery(NoSuchDelivery)
    /// The open request is unknown, or already answered.
    case noSuchOpenRequest(NoSuchOpenRequest)
    /// The application, or the declaration, is single-scene and has its scene already.
    case sceneAlreadyOpen(SceneAlreadyOpen)
    /// Another connection already takes open requests for the application.
    case applicationAlreadyDeclared(ApplicationAlreadyDeclared)
    /// No event with this id is remembered.
    case noSuchEvent(NoSuchEvent)
    /// No rule found a target.
    case notRouted(NotRouted)
    /// The last target there was declined, or closed.
    case declined(Declined)
    /// The last target there was did not settle the event in time.
    case timedOut(TimedOut)
    /// The application of the last target could not be started, or did not open the scene.
    case launchFailed(LaunchFailed)
    /// The service is going away and has not learned the end of the event.
    case serviceStopping(ServiceStopping)
    /// A limit of the service was hit.
    case limitExceeded(LimitExceeded)

    /// `org.varlink.service.InterfaceNotFound`.
    case interfaceNotFound(String)
    /// `org.varlink.service.MethodNotFound`.
    case methodNotFound(String)
    /// `org.varlink.service.MethodNotImplemented`.
    case methodNotImplemented(String)
    /// `org.varlink.service.InvalidParameter`: where it is, from the parameters on.
    case invalidParameter(String)
    /// `org.varlink.service.PermissionDenied`.
    case permissionDenied
    /// `org.varlink.service.ExpectedMore`.
    case expectedMore

    /// An error this version does not know, or not with these parameters, by its qualified name.
    case unrecognized(String)
  }
}

// MARK: - Decoding

extension Wire.RouterError {
  /// Reads the error of a reply; nil if the call was carried out.
  package init?(_ reply: Reply) {
    guard let name = reply.error else { return nil }
    do throws(ParameterError) {
      self = try Self.routerError(name, in: reply)
    } catch {
      self = .unrecognized(name.stringValue ?? "")
    }
  }

  private static func routerError(_ name: JSONValue, in reply: Reply) throws(ParameterError) -> Self {
    if name.equals(Wire.NoSuchScene.error) { return .noSuchScene(try reply.decodeParameters()) }
    if name.equals(Wire.NoSuchRegistration.error) { return .noSuchRegistration(try reply.decodeParameters()) }
    if name.equals(Wire.NoSuchApplication.error) { return .noSuchApplication(try reply.decodeParameters()) }
    if name.equals(Wire.NoSuchDelivery.error) { return .noSuchDelivery(try reply.decodeParameters()) }
    if name.equals(Wire.NoSuchOpenRequest.error) { return .noSuchOpenRequest(try reply.decodeParameters()) }
    if name.equals(Wire.SceneAlreadyOpen.error) { return .sceneAlreadyOpen(try reply.decodeParameters()) }
    if name.equals(Wire.ApplicationAlreadyDeclared.error) {
      return .applicationAlreadyDeclared(try reply.decodeParameters())
    }
    if name.equals(Wire.NoSuchEvent.error) { return .noSuchEvent(try reply.decodeParameters()) }
    if name.equals(Wire.NotRouted.error) { return .notRouted(try reply.decodeParameters()) }
    if name.equals(Wire.Declined.error) { return .declined(try reply.decodeParameters()) }
    if name.equals(Wire.TimedOut.error) { return .timedOut(try reply.decodeParameters()) }
    if name.equals(Wire.LaunchFailed.error) { return .launchFailed(try reply.decodeParameters()) }
    if name.equals(Wire.ServiceStopping.error) { return .serviceStopping(try reply.decodeParameters()) }
    if name.equals(Wire.LimitExceeded.error) { return .limitExceeded(try reply.decodeParameters()) }
    return try serviceError(name, in: reply)
  }

  private static func serviceError(_ name: JSONValue, in reply: Reply) throws(ParameterError) -> Self {
    if name.equals("org.varlink.service.PermissionDenied") { return .permissionDenied }
    if name.equals("org.varlink.service.ExpectedMore") { return .expectedMore }
    guard let parameters = reply.parameters else { return .unrecognized(name.stringValue ?? "") }
    var object = try ObjectReader(parameters)
    if name.equals("org.varlink.service.InterfaceNotFound") {
      return .interfaceNotFound(try object.required("interface"))
    }
    if name.equals("org.varlink.service.MethodNotFound") {
      return .methodNotFound(try object.required("method"))
    }
    if name.equals("org.varlink.service.MethodNotImplemented") {
      return .methodNotImplemented(try object.required("method"))
    }
    if name.equals("org.varlink.service.InvalidParameter") {
      return .invalidParameter(try object.required("parameter"))
    }
    return .unrecognized(name.stringValue ?? "")
  }
}

// MARK: - For people

extension Wire.RouterError: CustomStringConvertible {
  /// A sentence that tells what happened.
  package var description: String {
    switch self {
    case .noSuchScene(let error):
      error.sceneID.map { "There is no scene '\($0)'." } ?? "The scene is not open any more."
    case .noSuchRegistration(let error):
      "The scene has no registration '\(error.registrationID)'."
    case .noSuchApplication(let error):
      error.applicationID.map { "There is no application '\($0)'." }
        ?? "The application is not declared any more."
    case .noSuchDelivery(let error):
      error.result.map { "The delivery '\(error.deliveryID)' is settled already: \($0)." }
        ?? "There is no delivery '\(error.deliveryID)'."
    case .noSuchOpenRequest(let error):
      error.result.map { "The open request '\(error.openRequestID)' has ended already: \($0)." }
        ?? "There is no open request '\(error.openRequestID)'."
    case .sceneAlreadyOpen(let error):
      "The application '\(error.applicationID)' already has the one scene it can have, '\(error.sceneID)'."
    case .applicationAlreadyDeclared(let error):
      "The application '\(error.applicationID)' is already declared"
        + (error.processID.map { " by process \($0)." } ?? " over another connection.")
    case .noSuchEvent(let error): "No event '\(error.eventID)' is remembered."
    case .notRouted: "Nothing takes the event."
    case .declined(let error) where error.outcome.settlement.result == "sceneClosed":
      "The scene was closed before it took the event."
    case .declined(let error): Self.sentence("The event was declined", error.outcome)
    case .timedOut(let error): Self.sentence("The event was not taken in time", error.outcome)
    case .launchFailed(let error): Self.sentence("No scene was opened for the event", error.outcome)
    case .serviceStopping: "The router is stopping; what became of the event is not known."
    case .limitExceeded(let error): "The limit '\(error.limit)' is exceeded: at most \(error.maximum)."
    case .interfaceNotFound(let interface): "The service has no interface '\(interface)'."
    case .methodNotFound(let method): "The service has no method '\(method)'."
    case .methodNotImplemented(let method): "The service does not implement the method '\(method)'."
    case .invalidParameter(let parameter): "The service does not accept the parameter '\(parameter)'."
    case .permissionDenied: "The service does not permit this."
    case .expectedMore: "The method needs the 'more' flag."
    case .unrecognized(let name): "The service answered with the error '\(name)'."
    }
  }

  private static func sentence(_ fact: String, _ outcome: Wire.EventOutcome) -> String {
    outcome.settlement.reason.map { "\(fact): \($0)." } ?? "\(fact)."
  }
}
