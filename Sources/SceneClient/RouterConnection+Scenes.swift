import RouterInterface

extension RouterConnection {
  /// Opens a scene, so that events can be delivered to it.
  ///
  /// - Parameters:
  ///   - application: the application it belongs to.
  ///   - declaration: the declaration it is an instance of, if any; it need not be declared.
  ///   - title: for people; cut after 1 KiB.
  ///   - registrations: the interests of its views.
  ///   - request: the request that the scene answers, if any.
  ///   - maxPendingDeliveries: how many unsettled deliveries to see at once, at least 1; more wait in the router. Nil is
  ///     16.
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
    let context = Wire.SceneContext(
      applicationID: application,
      declarationID: declaration,
      title: title?.limited,
      registrations: registrations.map(\.wire)
    )
    let call = Wire.OpenScene(
      context: context,
      openRequestID: request?.id,
      maxPendingDeliveries: maxPendingDeliveries.map(Int64.init)
    )
    return try await OpenScene(replies(to: call), router: self)
  }

  /// Declares the scenes that an application can open, and takes requests to open them.
  ///
  /// Replaces what files declare of the same application, for as long as the object is in use.
  ///
  /// - Parameters:
  ///   - id: identifies the application; a reverse-DNS name.
  ///   - scenes: the kinds of scenes, in the order in which they are tried.
  ///   - claims: the events it stands for; nil means none.
  ///   - isSingleScene: whether it has one scene at most, which then gets every event of the application.
  /// - Returns: the application.
  /// - Throws: a ``RouterError``, such as `applicationAlreadyDeclared`.
  public func declareApplication(
    _ id: String,
    scenes: [SceneDeclaration],
    claims: Claims? = nil,
    isSingleScene: Bool = false
  ) async throws(RouterError) -> DeclaredApplication {
    let call = Wire.DeclareApplication(
      applicationID: id,
      scenes: scenes.map(\.wire),
      claims: claims?.wire,
      isSingleScene: isSingleScene ? true : nil
    )
    return try await DeclaredApplication(id: id, replies(to: call), router: self)
  }
}
