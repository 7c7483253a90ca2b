/// An event on its way to a scene.
package struct Delivery: Hashable, Sendable {
  /// Identifies the delivery; what it is settled by.
  package var id: DeliveryID
  /// Identifies the event.
  package var decisionID: DecisionID
  /// The scene it goes to.
  package var sceneID: SceneID
  /// What to deliver.
  package var event: Event
  /// The registrations of the scene that made it match.
  package var registrationIDs: [String]
  /// What its sender identifies it by.
  package var eventID: String?
  /// For the scene's window.
  package var activationToken: String?
  /// The time left to settle it, in microseconds.
  package var timeoutUSec: UInt64
}

/// A request to an application to open a scene.
package struct OpenRequest: Hashable, Sendable {
  /// Identifies the request; what it is answered by.
  package var id: OpenRequestID
  /// Identifies the first event that waits for the scene.
  package var decisionID: DecisionID
  /// The application that is asked.
  package var applicationID: String
  /// The kind of scene.
  package var declarationID: String
  /// The first event that waits for the scene.
  package var event: Event
  /// What the sender of that event identifies it by.
  package var eventID: String?
  /// For the scene's window.
  package var activationToken: String?
  /// How long ago the event came with it, in microseconds.
  package var ageUSec: UInt64
  /// The time left for the first event to be taken, in microseconds.
  package var timeoutUSec: UInt64
}

/// Something that follows from a change, for the server to carry out in the order given.
package enum Effect: Hashable, Sendable {
  /// Show the delivery to its scene.
  case deliver(Delivery)
  /// Ask an application for a scene.
  case requestScene(OpenRequest)
  /// Call ``Router/takeStart(of:now:)`` soon: an application that no connection declares is asked for a scene.
  case start(application: String)
  /// Report to a scene that a delivery is no longer to be settled.
  case withdrawDelivery(DeliveryID, from: SceneID, WithdrawalReason)
  /// Report to an application that a request is no longer to be answered.
  case withdrawOpenRequest(OpenRequestID, fromApplication: String, WithdrawalReason)
  /// Report to a scene that its current activity was taken; `by` is who took it, in the taker's words.
  case activityTaken(SceneID, activityType: String, by: String?)
  /// A decision was made for an event.
  case decided(DecisionID, Event, Decision)
  /// An attempt at an event ended.
  case settled(Settlement)
  /// Call ``Router/resume(_:now:)`` soon: the last attempt at the event failed, and the next is to be made.
  case resume(DecisionID)
  /// An event ended; nothing more comes of it.
  case ended(SentEvent, EventEnd)
  /// A scene opened, or what is known of it changed.
  case sceneChanged(SceneID)
  /// A scene closed.
  case sceneClosed(SceneID)
  /// An application was declared, or its declaration changed.
  case applicationChanged(String)
  /// An application is no longer declared.
  case applicationRemoved(String)
}
