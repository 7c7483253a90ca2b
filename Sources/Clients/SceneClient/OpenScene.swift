import RouterInterface
import Synchronization
import VarlinkClient

/// An open scene: a window to which events can be delivered.
///
/// The scene is closed in three cases:
/// - ``close()`` is called.
/// - Nothing uses the object or one of its streams any more.
/// - A task that iterates over one of the streams is cancelled.
///
/// If the connection is lost, the scene is opened again over the next connection.
public final class OpenScene: Sendable, Identifiable {
  private let replies: LastingReplies<State>
  private let state: State

  init(_ state: State, over router: RouterConnection) async throws(RouterError) {
    self.state = state
    replies = try await LastingReplies(state, over: router)
  }

  /// Identifies the scene to all clients; the id changes each time that the scene is opened again.
  public var id: String { state.opened?.sceneID ?? "" }
  /// The first generation of the router's registry that contains the scene.
  ///
  /// A decision takes the scene into account if its ``RouteDecision/generation`` is at least this number.
  public var generation: Int64 { state.opened?.generation ?? 0 }
  /// The secret that authorizes this process to speak for the scene.
  var handle: String { state.opened?.sceneHandle ?? "" }
  private var router: RouterConnection { replies.router }

  /// The deliveries to the scene, until the scene is closed.
  ///
  /// The stream drops all other messages. Each message goes either to this stream or to ``messages``, so use only
  /// one of these streams.
  public var deliveries: RouterStream<Delivery> {
    RouterStream(replies) { reply, number in
      guard case .delivery(let delivery) = reply else { return nil }
      return Delivery(delivery, to: self.state, over: self.router, connection: number)
    }
  }

  /// All messages of the router to the scene, until the scene is closed.
  ///
  /// Each message goes either to this stream or to ``deliveries``, so use only one of these streams.
  public var messages: RouterStream<SceneMessage> {
    RouterStream(replies) { reply, number in
      switch reply {
      case .delivery(let delivery):
        .delivery(Delivery(delivery, to: self.state, over: self.router, connection: number))
      case .withdrawn(let withdrawal): .withdrawn(withdrawal)
      case .continued(let continuation): .continued(continuation)
      case .closed(let reason): .closed(ClosingReason(rawValue: reason))
      case .opened: .reopened
      case .unrecognized: nil
      }
    }
  }
}

extension Wire.OpenSceneCall.Reply: LastingReply {
  var closingReason: String? { if case .closed(let reason) = self { reason } else { nil } }
}

/// A message of the router to a scene.
public enum SceneMessage: Sendable {
  /// An event for the scene, to be acknowledged or declined.
  case delivery(Delivery)
  /// A report that a delivery needs no answer any more.
  case withdrawn(Withdrawal)
  /// A report that another program has taken the scene's current activity and continues the activity elsewhere.
  case continued(Continuation)
  /// A report that the connection was lost, and that the scene is open again with a new id.
  ///
  /// The deliveries that the scene has already got stay with the scene, and count as taken.
  case reopened
  /// A report that the scene is closed; no message follows.
  case closed(ClosingReason)
}

// MARK: - Changes

extension OpenScene {
  /// Adds a registration, or replaces the registration with this id.
  ///
  /// - Parameters:
  ///   - id: identifies the registration within the scene; chosen by the client.
  ///   - showing: the absolute URLs of the documents that the view shows.
  ///   - preferring: identifiers of events that the view prefers. For these events the scene comes before scenes
  ///     that only allow the events.
  ///   - allowing: identifiers of events that the view allows.
  /// - Returns: the first generation of the registry that has the change. Decisions on this or a later generation
  ///   take the change into account.
  /// - Throws: a ``RouterError``, such as `limitExceeded`. The code is `invalidParameter` if a text in `showing` is
  ///   no absolute URL.
  @discardableResult
  public func setRegistration(
    _ id: String,
    showing: [String] = [],
    preferring: [String] = [],
    allowing: [String] = []
  ) async throws(RouterError) -> Int64 {
    let registration = Registration(id: id, showing: showing, preferring: preferring, allowing: allowing)
    return try await change { values in
      values.registrations.removeAll { $0.id == id }
      values.registrations.append(registration)
    } by: { handle throws(RouterError) in
      let completed = router.complete([registration], others: state.count(without: id))
      guard let registration = completed.first else { return generation }
      return try await router.call(
        Wire.SetRegistrationCall(sceneHandle: handle, registration: registration)
      ).generation
    }
  }

  /// Removes a registration.
  ///
  /// - Returns: the generation of the registry after the change.
  /// - Throws: a ``RouterError`` with the code `noSuchRegistration` if no registration has this id.
  @discardableResult
  public func removeRegistration(_ id: String) async throws(RouterError) -> Int64 {
    try await change { values in
      values.registrations.removeAll { $0.id == id }
    } by: { handle throws(RouterError) in
      try await router.call(Wire.RemoveRegistrationCall(sceneHandle: handle, registrationID: id)).generation
    }
  }

  /// Changes the title.
  ///
  /// - Parameter title: the new title; cut after 1 KiB.
  /// - Returns: the generation of the registry after the change.
  /// - Throws: a ``RouterError``.
  @discardableResult
  public func update(title: String) async throws(RouterError) -> Int64 {
    try await change { values in
      values.title = title.limited
    } by: { handle throws(RouterError) in
      try await router.call(Wire.UpdateSceneCall(sceneHandle: handle, title: title.limited)).generation
    }
  }

  /// Replaces the scene's current activity; nil ends the activity.
  ///
  /// The activity also ends with the scene. If the activity is eligible for Handoff, other programs can see, take and
  /// continue it.
  public func setActivity(_ activity: Activity?) async throws(RouterError) {
    try await change { values in
      values.activity = activity
    } by: { handle throws(RouterError) in
      _ = try await router.call(Wire.SetActivityCall(sceneHandle: handle, activity: activity?.wire))
    }
  }

  /// Tells the router that the user now works in the scene, which then comes first among equally good targets of an
  /// event.
  ///
  /// - Returns: the generation of the registry after the change.
  @discardableResult
  public func becomeActive() async throws(RouterError) -> Int64 {
    router.link.withLock { $0.activeScene = self }
    return try await change { _ in
    } by: { handle throws(RouterError) in
      try await router.call(Wire.UpdateSceneCall(sceneHandle: handle, isActive: true)).generation
    }
  }

  /// Closes the scene.
  ///
  /// Unsettled deliveries go to the next best targets. The streams end after a last message,
  /// ``SceneMessage/closed(_:)``.
  ///
  /// - Returns: the generation of the registry after the change.
  /// - Throws: a ``RouterError`` with the code `noSuchScene` if the scene is closed already, or with the code
  ///   `connectionLost` if the router is gone. In both cases the scene is closed.
  @discardableResult
  public func close() async throws(RouterError) -> Int64 {
    replies.willClose()
    do throws(RouterError) {
      return try await router.call(Wire.CloseSceneCall(sceneHandle: handle)).generation
    } catch {
      replies.close()
      throw error
    }
  }

  /// Repeats `call` over the next connection if the router has not answered before the loss of this one.
  ///
  /// `note` makes the same change to the values with which the scene is opened again.
  private func change<Result>(
    _ note: @escaping @Sendable (inout State.Values) -> Void,
    by call: (_ handle: String) async throws(RouterError) -> Result
  ) async throws(RouterError) -> Result {
    let change = state.begin(note)
    var isAccepted = false
    defer { state.end(change, isAccepted: isAccepted) }
    return try await router.repeating { (number) throws(RouterError) in
      do throws(RouterError) {
        let result = try await call(handle)
        isAccepted = true
        return result
      } catch {
        // The handle belongs to a lost connection; `closed` makes `repeating` try again with that of the reopened
        // scene.
        if case .noSuchScene = error.code, !router.isCurrent(number) { throw .closed }
        throw error
      }
    }
  }

  /// The values with which the scene is opened again.
  final class State: LastingCall {
    struct Values: Sendable {
      var title: String?
      var registrations: [Registration]
      var activity: Activity?
    }

    /// Not answered by the router yet.
    private struct Change: Sendable {
      let id: Int
      let note: @Sendable (inout Values) -> Void
    }

    private struct Contents: Sendable {
      var accepted: Values
      var changes: [Change] = []
      var lastChange = 0
      /// The one that the scene answers; nil after the scene has got its event.
      var request: OpenRequest?
      /// Of the open request for which the router started this program; nil after the scene is open.
      var startRequestID: String?
      /// Made from an open request whose router is gone; nil after the scene has got it.
      var adopted: Wire.EventDelivered?
      var shown = ShownEvents()
      var opened: Wire.SceneOpened?

      /// Includes the changes that the router has not answered, because it will probably accept them.
      var values: Values { changes.reduce(into: accepted) { $1.note(&$0) } }
    }

    private let contents: Mutex<Contents>
    private let applicationID: String
    private let declarationID: String?
    private let maxPendingDeliveries: Int?

    init(
      application: String,
      declaration: String?,
      answering request: OpenRequest?,
      startRequestID: String?,
      _ values: Values,
      maxPendingDeliveries: Int?
    ) {
      applicationID = application
      declarationID = declaration
      self.maxPendingDeliveries = maxPendingDeliveries
      contents = Mutex(Contents(accepted: values, request: request, startRequestID: startRequestID))
    }

    var opened: Wire.SceneOpened? { contents.withLock(\.opened) }

    func count(without id: String) -> Int {
      contents.withLock { $0.values.registrations.reduce(0) { $0 + ($1.id == id ? 0 : $1.count) } }
    }

    func call(over router: RouterConnection, reportsShown: Bool) -> Wire.OpenSceneCall {
      let (values, request, shown) = contents.withLock { contents in
        if let request = contents.request, !router.isCurrent(request.connection) {
          (contents.request, contents.adopted) = (nil, Wire.EventDelivered(request))
          if let id = request.eventID { contents.shown.note(id, request.id) }
        }
        return (contents.values, contents.request?.id ?? contents.startRequestID, contents.shown.ids)
      }
      let context = SceneContext(
        applicationID: applicationID,
        declarationID: declarationID,
        title: values.title,
        registrations: router.complete(values.registrations)
      )
      return Wire.OpenSceneCall(
        context: context,
        openRequestID: request,
        maxPendingDeliveries: maxPendingDeliveries.map(Int64.init),
        takenEventIDs: reportsShown ? shown : []
      )
    }

    func note(_ first: Wire.OpenSceneCall.Reply) -> Bool {
      guard case .opened(let opened) = first else { return false }
      contents.withLock { ($0.opened, $0.startRequestID) = (opened, nil) }
      return true
    }

    func takeOwnReply() -> Wire.OpenSceneCall.Reply? {
      contents.withLock { contents in
        defer { contents.adopted = nil }
        return contents.adopted.map { .delivery($0) }
      }
    }

    /// False for a delivery whose event the scene has already got.
    ///
    /// If the library reconnects, also false for a withdrawal by a router that stops, whose event is not forgotten.
    func passes(_ reply: Wire.OpenSceneCall.Reply, over router: RouterConnection) -> Bool {
      switch reply {
      case .delivery(let delivery):
        return contents.withLock { contents in
          if contents.request?.decisionID == delivery.decisionID { contents.request = nil }
          guard let id = delivery.eventID else { return true }
          if contents.shown.contains(id) { return false }
          contents.shown.note(id, delivery.deliveryID)
          router.noteShown(id, delivery.deliveryID, by: applicationID)
          return true
        }
      case .withdrawn(let withdrawal):
        if router.reconnects, withdrawal.isAtShutdown { return false }
        if let id = withdrawal.deliveryID { forget(id, over: router) }
        return true
      case .opened, .continued, .closed, .unrecognized: return true
      }
    }

    func answer(_ reply: Wire.OpenSceneCall.Reply, over router: RouterConnection) async {
      guard case .delivery(let delivery) = reply, let opened else { return }
      let call = Wire.AcknowledgeDeliveryCall(
        sceneHandle: opened.sceneHandle,
        deliveryID: delivery.deliveryID
      )
      // After a loss of the connection, this process reports the event to the next router as taken, so errors do not
      // matter.
      try? await router.callOneway(call)
    }

    /// The next router must not hear that a declined or withdrawn event is taken, because another target may get it.
    func forget(_ deliveryID: String, over router: RouterConnection) {
      contents.withLock { $0.shown.forget(deliveryID) }
      router.forgetShown(deliveryID, by: applicationID)
    }

    /// Sets the new activity, too, if the activity changes before the router has answered.
    func restore(over router: RouterConnection) async {
      var restored: Activity?
      while true {
        let (activity, handle) = contents.withLock { ($0.values.activity, $0.opened?.sceneHandle ?? "") }
        if activity == restored { return }
        restored = activity
        // A refused activity would be refused again, and after a loss `restore` is called again, so errors do not
        // matter.
        _ = try? await router.call(Wire.SetActivityCall(sceneHandle: handle, activity: activity?.wire))
      }
    }

    func isOwn(_ error: RouterError) -> Bool {
      guard case .sceneAlreadyOpen(_, let scene) = error.code else { return false }
      // Before the first reply, this scene does not know its id, and the one in the error may be its own.
      return opened.map { scene == $0.sceneID } ?? true
    }

    /// Called before the change is sent; returns the change's id.
    func begin(_ note: @escaping @Sendable (inout Values) -> Void) -> Int {
      contents.withLock { contents in
        contents.lastChange += 1
        contents.changes.append(Change(id: contents.lastChange, note: note))
        return contents.lastChange
      }
    }

    func end(_ id: Int, isAccepted: Bool) {
      contents.withLock { contents in
        guard let index = contents.changes.firstIndex(where: { $0.id == id }) else { return }
        let change = contents.changes.remove(at: index)
        if isAccepted { change.note(&contents.accepted) }
      }
    }
  }
}
