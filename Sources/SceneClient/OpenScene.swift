import RouterInterface
import Synchronization
import VarlinkClient

/// An open scene: a window that events can be delivered to.
///
/// It is open until ``close()``, or until neither it nor one of its streams is in use any more, or until the task that
/// iterates over one of them is cancelled. If the connection is lost, the scene is opened again over the next one.
public final class OpenScene: Sendable, Identifiable {
  private let replies: LastingReplies<Wire.OpenScene>
  private let state: State

  init(_ replies: LastingReplies<Wire.OpenScene>, _ state: State) {
    self.replies = replies
    self.state = state
  }

  /// Identifies the scene, for everybody; another one after each time that it was opened again.
  public var id: String { state.opened?.sceneID ?? "" }
  /// The state of the registry that has the scene; decisions of this or a later one have seen it.
  public var generation: Int64 { state.opened?.generation ?? 0 }
  /// The capability for all calls about the scene.
  var handle: String { state.opened?.sceneHandle ?? "" }
  private var router: RouterConnection { replies.router }

  /// The events delivered to the scene, until it is closed.
  ///
  /// Takes from the same source as ``messages``, and passes over all else.
  public var deliveries: RouterStream<Delivery> {
    RouterStream(replies) { reply in
      guard case .delivery(let delivery) = reply else { return nil }
      return Delivery(delivery, sceneHandle: self.handle, router: self.router)
    }
  }

  /// All that the router reports to the scene, until it is closed.
  public var messages: RouterStream<SceneMessage> {
    RouterStream(replies) { reply in
      switch reply {
      case .delivery(let delivery):
        .delivery(Delivery(delivery, sceneHandle: self.handle, router: self.router))
      case .withdrawn(let withdrawal): .withdrawn(Withdrawal(withdrawal))
      case .closed(let reason): .closed(ClosingReason(rawValue: reason))
      case .opened: .reopened
      case .continued, .unrecognized: nil
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
  /// The connection was lost, and the scene is open again with a new id; deliveries not settled count no more.
  case reopened
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
    return try await change { values in
      values.registrations.removeAll { $0.id == id }
      values.registrations.append(registration)
    } by: { handle throws(RouterError) in
      try await router.call(Wire.SetRegistration(sceneHandle: handle, registration: registration.wire))
        .generation
    }
  }

  /// Takes a registration away, and returns the generation of the registry that has the change.
  ///
  /// - Throws: a ``RouterError`` with the code `noSuchRegistration` if there is none with this id.
  @discardableResult
  public func removeRegistration(_ id: String) async throws(RouterError) -> Int64 {
    try await change { values in
      values.registrations.removeAll { $0.id == id }
    } by: { handle throws(RouterError) in
      try await router.call(Wire.RemoveRegistration(sceneHandle: handle, registrationID: id)).generation
    }
  }

  /// Changes the title, cut after 1 KiB, and returns the generation of the registry that has the change.
  @discardableResult
  public func update(title: String) async throws(RouterError) -> Int64 {
    try await change { values in
      values.title = title.limited
    } by: { handle throws(RouterError) in
      try await router.call(Wire.UpdateScene(sceneHandle: handle, title: title.limited)).generation
    }
  }

  /// Notes that the scene has become the one the user works in: of several that would do, it comes first from now on.
  @discardableResult
  public func becomeActive() async throws(RouterError) -> Int64 {
    router.link.withLock { $0.activeScene = self }
    return try await change { _ in
    } by: { handle throws(RouterError) in
      try await router.call(Wire.UpdateScene(sceneHandle: handle, isActive: true)).generation
    }
  }

  /// Closes the scene; what was delivered and not settled goes to the next best target.
  ///
  /// The streams end after a last message, ``SceneMessage/closed(_:)``.
  ///
  /// - Throws: a ``RouterError`` with the code `noSuchScene` if it is closed already.
  @discardableResult
  public func close() async throws(RouterError) -> Int64 {
    router.remove(replies)
    return try await router.call(Wire.CloseScene(sceneHandle: handle)).generation
  }

  /// Makes a change, over the next connection if this one is lost, or if the scene was opened again meanwhile.
  private func change(
    _ note: (inout State.Values) -> Void,
    by call: (_ handle: String) async throws(RouterError) -> Int64
  ) async throws(RouterError) -> Int64 {
    let former = state.values.withLock { values in
      defer { note(&values) }
      return values
    }
    while true {
      let handle = handle
      do throws(RouterError) {
        return try await call(handle)
      } catch {
        let isReopened = self.handle != handle
        switch error.code {
        case .connectionLost where router.reconnects:
          if !isReopened { try await router.reconnect(isolation: nil) }
        case .noSuchScene where isReopened: break
        default:
          state.values.withLock { ($0.title, $0.registrations) = (former.title, former.registrations) }
          throw error
        }
      }
    }
  }

  /// What the scene is opened again with, and by which handle it is known.
  final class State: Sendable {
    struct Values: Sendable {
      var title: String?
      var registrations: [Registration]
      var openRequestID: String?
      var opened: Wire.SceneOpened?
    }

    let values: Mutex<Values>
    private let applicationID: String
    private let declarationID: String?

    init(application: String, declaration: String?, _ values: Values) {
      applicationID = application
      declarationID = declaration
      self.values = Mutex(values)
    }

    var opened: Wire.SceneOpened? { values.withLock(\.opened) }

    func call(maxPendingDeliveries: Int?) -> Wire.OpenScene {
      let values = values.withLock(\.self)
      let context = Wire.SceneContext(
        applicationID: applicationID,
        declarationID: declarationID,
        title: values.title,
        registrations: values.registrations.map(\.wire)
      )
      return Wire.OpenScene(
        context: context,
        openRequestID: values.openRequestID,
        maxPendingDeliveries: maxPendingDeliveries.map(Int64.init)
      )
    }

    /// Notes the reply to the call; a request is answered once.
    func open(_ reply: Wire.OpenScene.Reply) -> Bool {
      guard case .opened(let opened) = reply else { return false }
      values.withLock { ($0.opened, $0.openRequestID) = (opened, nil) }
      return true
    }
  }
}
