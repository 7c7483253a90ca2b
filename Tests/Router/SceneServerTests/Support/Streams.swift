import RouterInterface
import TestSupport
import Varlink

/// An open scene, with its own connection.
final class OpenedScene {
  let client: WireClient
  let opened: Wire.SceneOpened
  private let router: RouterUnderTest

  var id: String { opened.sceneID }
  var handle: String { opened.sceneHandle }

  init(_ call: Wire.OpenSceneCall, _ router: RouterUnderTest) throws {
    client = try router.connect()
    guard case .opened(let opened) = try client.call(call, .more), client.continues else {
      throw Overdue("The first reply is not that the scene is open.")
    }
    self.opened = opened
    self.router = router
  }

  func next() throws -> Wire.OpenSceneCall.Reply { try client.reply(to: Wire.OpenSceneCall.self) }

  /// Returns the next reply, which must be a delivery.
  func delivery() throws -> Wire.EventDelivered {
    let reply = try next()
    guard case .delivery(let delivery) = reply else { throw Overdue("No delivery came, but \(reply).") }
    return delivery
  }

  /// Takes the next delivery and acknowledges it.
  @discardableResult
  func acknowledgeNext() throws -> Wire.EventDelivered {
    let delivery = try delivery()
    try router.call(acknowledgement(of: delivery))
    return delivery
  }

  func acknowledgement(of delivery: Wire.EventDelivered) -> Wire.AcknowledgeDeliveryCall {
    Wire.AcknowledgeDeliveryCall(sceneHandle: handle, deliveryID: delivery.deliveryID)
  }

  func decline(_ delivery: Wire.EventDelivered, reason: String? = nil) throws {
    try router.call(
      Wire.DeclineDeliveryCall(sceneHandle: handle, deliveryID: delivery.deliveryID, reason: reason)
    )
  }

  /// Closes the scene with a call.
  @discardableResult
  func close() throws -> Wire.CloseSceneCall.Reply {
    try router.call(Wire.CloseSceneCall(sceneHandle: handle))
  }
}

/// A declared application, with its own connection.
final class DeclaredApplication {
  let client: WireClient
  let declared: Wire.ApplicationDeclared
  private let router: RouterUnderTest

  var handle: String { declared.applicationHandle }

  init(_ call: Wire.DeclareApplicationCall, _ router: RouterUnderTest) throws {
    client = try router.connect()
    guard case .declared(let declared) = try client.call(call, .more), client.continues else {
      throw Overdue("The first reply is not that the application is declared.")
    }
    self.declared = declared
    self.router = router
  }

  func next() throws -> Wire.DeclareApplicationCall.Reply {
    try client.reply(to: Wire.DeclareApplicationCall.self)
  }

  /// Returns the next reply, which must be a request for a scene.
  func request() throws -> Wire.SceneRequested {
    let reply = try next()
    guard case .openRequest(let request) = reply else { throw Overdue("No open request came, but \(reply).") }
    return request
  }

  func decline(_ request: Wire.SceneRequested, reason: String? = nil) throws {
    try router.call(
      Wire.DeclineOpenRequestCall(
        applicationHandle: handle,
        openRequestID: request.openRequestID,
        reason: reason
      )
    )
  }
}

/// A monitor with its own connection.
///
/// The initializer reads the snapshot.
final class RunningMonitor {
  let client: WireClient
  /// The parts of the snapshot, joined.
  private(set) var snapshot: RegistrySnapshot

  init(_ call: Wire.MonitorCall, _ router: RouterUnderTest) throws {
    client = try router.connect()
    try client.send(call, .more)
    snapshot = RegistrySnapshot(scenes: [], applications: [], generation: 0, isComplete: false)
    while !snapshot.isComplete {
      let reply = try next()
      guard case .snapshot(let part) = reply else { throw Overdue("No snapshot came, but \(reply).") }
      snapshot = RegistrySnapshot(
        scenes: snapshot.scenes + part.scenes,
        applications: snapshot.applications + part.applications,
        generation: part.generation,
        isComplete: part.isComplete
      )
    }
  }

  func next() throws -> Wire.MonitorCall.Reply { try client.reply(to: Wire.MonitorCall.self) }

  /// Skips replies until a reply meets the condition, and returns this reply.
  func next(where isWanted: (Wire.MonitorCall.Reply) -> Bool) throws -> Wire.MonitorCall.Reply {
    while true {
      let reply = try next()
      if isWanted(reply) { return reply }
    }
  }
}
