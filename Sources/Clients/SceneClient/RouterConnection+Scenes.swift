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
    let state = OpenScene.State(
      application: application,
      declaration: declaration,
      answering: request?.id,
      OpenScene.State.Values(title: title?.limited, registrations: registrations)
    )
    let replies = try await LastingReplies<Wire.OpenScene>(self) { reply in
      reply == .closed(ClosingReason.shutdown.rawValue)
    } open: { reply in
      state.open(reply)
    } reopened: { router in
      await state.restoreActivity(over: router)
    } call: {
      state.call(maxPendingDeliveries: maxPendingDeliveries)
    }
    return OpenScene(replies, state)
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
    let state = DeclaredApplication.State()
    let replies = try await LastingReplies(self) { reply in
      reply == .closed(ClosingReason.shutdown.rawValue)
    } open: { reply in
      state.open(reply)
    } call: {
      call
    }
    return DeclaredApplication(id: id, replies, state)
  }
}
