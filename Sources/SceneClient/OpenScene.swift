import RouterInterface
import VarlinkClient

/// An open scene: a window that events can be delivered to.
///
/// It is open until ``close()``, or until neither it nor one of its streams is in use any more, or until the task that
/// iterates over one of them is cancelled.
public final class OpenScene: Sendable, Identifiable {
  /// Identifies the scene, for everybody.
  public let id: String
  /// The state of the registry that has the scene; decisions of this or a later one have seen it.
  public let generation: Int64

  let router: RouterConnection
  /// The capability for all calls about the scene.
  let handle: String
  private let replies: VarlinkReplies<Wire.OpenScene.Reply>

  init(
    _ replies: VarlinkReplies<Wire.OpenScene.Reply>,
    router: RouterConnection
  ) async throws(RouterError) {
    guard case .opened(let opened)? = try await replies.nextReply(within: router.timeout) else {
      throw .unexpectedReply
    }
    id = opened.sceneID
    generation = opened.generation
    handle = opened.sceneHandle
    self.router = router
    self.replies = replies
  }

  /// The events delivered to the scene, until it is closed.
  ///
  /// Takes from the same source as ``messages``, and passes over all else.
  public var deliveries: RouterStream<Delivery> {
    RouterStream(replies) { [handle, router] reply in
      guard case .delivery(let delivery) = reply else { return nil }
      return Delivery(delivery, sceneHandle: handle, router: router)
    }
  }

  /// All that the router reports to the scene, until it is closed.
  public var messages: RouterStream<SceneMessage> {
    RouterStream(replies) { [handle, router] reply in
      switch reply {
      case .delivery(let delivery): .delivery(Delivery(delivery, sceneHandle: handle, router: router))
      case .withdrawn(let withdrawal): .withdrawn(Withdrawal(withdrawal))
      case .closed(let reason): .closed(ClosingReason(rawValue: reason))
      case .opened, .unrecognized: nil
      }
    }
  }
}

/// What the router reports to a scene.
public enum SceneMessage: Sendable {
  /// An event for the scene, to be acknowledged or declined.
  case delivery(Delivery)
  /// A delivery that is no longer to be answered.
  case withdrawn(Withdrawal)
  /// The scene is closed; nothing follows.
  case closed(ClosingReason)
}

// MARK: - Changes

extension OpenScene {
  /// Adds a registration, or replaces the one with the same id.
  ///
  /// - Parameters:
  ///   - id: chosen by the client, unique within the scene.
  ///   - preferring: identifiers that the view wants to be chosen for over other scenes.
  ///   - allowing: identifiers that the view accepts.
  /// - Returns: the generation of the registry that has the change: any decision of this or a later one has seen it.
  /// - Throws: a ``RouterError``, such as `limitExceeded`.
  @discardableResult
  public func setRegistration(
    _ id: String,
    preferring: [String] = [],
    allowing: [String] = []
  ) async throws(RouterError) -> Int64 {
    let registration = Registration(id: id, preferring: preferring, allowing: allowing)
    return try await router.call(
      Wire.SetRegistration(sceneHandle: handle, registration: registration.wire)
    ).generation
  }

  /// Takes a registration away, and returns the generation of the registry that has the change.
  ///
  /// - Throws: a ``RouterError`` with the code `noSuchRegistration` if there is none with this id.
  @discardableResult
  public func removeRegistration(_ id: String) async throws(RouterError) -> Int64 {
    try await router.call(Wire.RemoveRegistration(sceneHandle: handle, registrationID: id)).generation
  }

  /// Changes the title, cut after 1 KiB, and returns the generation of the registry that has the change.
  @discardableResult
  public func update(title: String) async throws(RouterError) -> Int64 {
    try await router.call(Wire.UpdateScene(sceneHandle: handle, title: title.limited)).generation
  }

  /// Notes that the scene has become the one the user works in: of several that would do, it comes first from now on.
  @discardableResult
  public func becomeActive() async throws(RouterError) -> Int64 {
    try await router.call(Wire.UpdateScene(sceneHandle: handle, isActive: true)).generation
  }

  /// Closes the scene; what was delivered and not settled goes to the next best target.
  ///
  /// The streams end after a last message, ``SceneMessage/closed(_:)``.
  ///
  /// - Throws: a ``RouterError`` with the code `noSuchScene` if it is closed already.
  @discardableResult
  public func close() async throws(RouterError) -> Int64 {
    try await router.call(Wire.CloseScene(sceneHandle: handle)).generation
  }
}
