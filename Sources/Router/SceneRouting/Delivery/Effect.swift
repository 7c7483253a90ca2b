/// An event on its way to a scene.
package struct Delivery: Hashable, Sendable {
  /// Identifies the delivery when the scene settles it.
  package var id: DeliveryID
  /// Identifies the event.
  package var decisionID: DecisionID
  /// The scene that gets the event.
  package var sceneID: SceneID
  /// The event to deliver.
  package var event: Event
  /// The ids of those registrations of the scene that match the event.
  package var registrationIDs: [String]
  /// The id that the sender gave the event.
  package var eventID: String?
  /// The token with which the scene raises its window.
  package var activationToken: String?
  /// The time left to settle the delivery, in microseconds.
  package var timeoutUSec: UInt64
  /// The program that sent the event; `nil` if the program is not known.
  package var sender: Sender?
}

/// A request to an application to open a scene.
package struct OpenRequest: Hashable, Sendable {
  /// Identifies the request when the application answers it.
  package var id: OpenRequestID
  /// Identifies the first event that waits for the scene.
  package var decisionID: DecisionID
  /// The application that is asked for a scene.
  package var applicationID: String
  /// The declaration of the new scene.
  package var declarationID: String
  /// The first event that waits for the scene.
  package var event: Event
  /// The id that the sender gave the first event.
  package var eventID: String?
  /// The token with which the new scene raises its window.
  package var activationToken: String?
  /// The age of the first event when this request was made, in microseconds.
  ///
  /// The activation token is at least this old, because it came with the first event.
  package var ageUSec: UInt64
  /// The time left to take the first event, in microseconds.
  package var timeoutUSec: UInt64
  /// The program that sent the first event; `nil` if the program is not known.
  package var sender: Sender?
}

/// A consequence of a call.
///
/// The server carries out the effects in the order given.
package enum Effect: Hashable, Sendable {
  /// Show the delivery to its scene.
  case deliver(Delivery)
  /// Ask an application to open a scene.
  case requestScene(OpenRequest)
  /// Start an application: call ``Router/takeStart(of:now:)`` soon.
  ///
  /// An event waits for a scene of the application, but no connected program has declared the application.
  case start(application: String)
  /// Report to a scene that a delivery has been withdrawn.
  case withdrawDelivery(DeliveryID, from: SceneID, WithdrawalReason)
  /// Report to an application that a request has been withdrawn.
  case withdrawOpenRequest(OpenRequestID, fromApplication: String, WithdrawalReason)
  /// Report to a scene that a client took the scene's current activity to continue the activity elsewhere.
  ///
  /// `by` is the name that the client gave.
  case activityTaken(SceneID, activityType: String, by: String?)
  /// A decision was made for an event.
  case decided(DecisionID, Event, Decision)
  /// An attempt at an event ended.
  case settled(Settlement)
  /// Call ``Router/resume(_:now:)`` soon, because an attempt at the event failed.
  ///
  /// The call makes the next attempt or ends the event.
  case resume(DecisionID)
  /// After a restart of the router, its scenes and declarations have returned, or the time to wait for them is over.
  ///
  /// Call ``Router/decideHeld(now:)`` soon, and repeat the call until it returns `nil`.
  case returned
  /// An event ended. No more effects concern it.
  case ended(SentEvent, EventEnd)
  /// A scene opened, or its description changed.
  case sceneChanged(SceneID)
  /// A scene closed.
  case sceneClosed(SceneID)
  /// An application was declared, or its declaration changed.
  case applicationChanged(String)
  /// An application is no longer declared.
  case applicationRemoved(String)
}
