import RouterInterface

extension RouterConnection {
  /// Opens a scene, so that events can be delivered to it.
  ///
  /// - Parameters:
  ///   - application: the id of the scene's application.
  ///   - declaration: the id of the scene's declaration, if any. The application need not have declared this id.
  ///   - title: a title for people; cut after 1 KiB.
  ///   - registrations: the registrations of the scene's views.
  ///   - request: the open request that the scene answers, if any.
  ///   - maxPendingDeliveries: the largest number of unsettled deliveries that the scene has at any time, at
  ///     least 1. Further deliveries wait in the router. Nil means 16.
  /// - Returns: the scene.
  /// - Throws: a ``RouterError``, such as `sceneAlreadyOpen` or `limitExceeded`.
  public func openScene(
    application: String,
    declaration: String? = nil,
    title: String? = nil,
    registrations: [Registration] = [],
    answering request: OpenRequest? = nil,
    maxPendingDeliveries: Int? = nil
  ) async throws(RouterError) -> OpenScene {
    try await openScene(
      application: application,
      declaration: declaration,
      title: title,
      registrations: registrations,
      answering: request,
      startedFor: nil,
      maxPendingDeliveries: maxPendingDeliveries
    )
  }

  /// `startRequestID` is the id of the open request for which the router started this program (`SCENED_OPEN_REQUEST`).
  package func openScene(
    application: String,
    declaration: String? = nil,
    title: String? = nil,
    registrations: [Registration] = [],
    answering request: OpenRequest? = nil,
    startedFor startRequestID: String?,
    maxPendingDeliveries: Int? = nil
  ) async throws(RouterError) -> OpenScene {
    let state = OpenScene.State(
      application: application,
      declaration: declaration,
      answering: request,
      startRequestID: startRequestID,
      OpenScene.State.Values(title: title?.limited, registrations: registrations),
      maxPendingDeliveries: maxPendingDeliveries
    )
    return try await OpenScene(state, over: self)
  }

  /// Declares the scenes that an application can open, and takes requests to open scenes.
  ///
  /// Until it ends (see ``DeclaredApplication``), this declaration replaces the one in the application's desktop entry.
  ///
  /// - Parameters:
  ///   - id: identifies the application; a reverse-DNS name.
  ///   - scenes: the kinds of scenes, in the order in which the router tries them.
  ///   - claims: the events that the application claims; nil means none.
  ///   - isSingleScene: whether the application has at most one scene, which then gets every event of the application.
  /// - Returns: the application.
  /// - Throws: a ``RouterError``, such as `applicationAlreadyDeclared`.
  public func declareApplication(
    _ id: String,
    scenes: [SceneDeclaration],
    claims: Claims? = nil,
    isSingleScene: Bool = false
  ) async throws(RouterError) -> DeclaredApplication {
    let call = Wire.DeclareApplicationCall(
      applicationID: id,
      scenes: scenes.map(\.wire),
      claims: claims,
      isSingleScene: isSingleScene ? true : nil
    )
    return try await DeclaredApplication(DeclaredApplication.State(call), over: self)
  }
}
