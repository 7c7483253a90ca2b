package struct ShownDelivery: Hashable, Sendable {
  package var id: DeliveryID
  package var decisionID: DecisionID
  package var sceneID: SceneID
  package var event: Event
  package var registrationIDs: [String]
  package var eventID: String?
  /// The scene raises its window with it.
  package var activationToken: String?
  /// The time left to settle the delivery.
  package var timeoutUSec: UInt64
  /// `nil` if the program is not known.
  package var sender: Sender?
}

/// The request names the first event that waits for the scene.
package struct SceneRequest: Hashable, Sendable {
  package var id: OpenRequestID
  package var decisionID: DecisionID
  package var applicationID: String
  package var declarationID: String
  package var event: Event
  package var eventID: String?
  package var activationToken: String?
  /// The age of the event; the activation token is at least this old, because it came with the event.
  package var ageUSec: UInt64
  /// The time left to take the event.
  package var timeoutUSec: UInt64
  package var sender: Sender?
}

/// The server applies the effects in the order given.
package enum Effect: Hashable, Sendable {
  case deliver(ShownDelivery)
  case requestScene(SceneRequest)
  /// An event waits for an application that no connection declares: call ``Router/takeStart(of:now:)`` soon.
  case start(application: String)
  case withdrawDelivery(DeliveryID, from: SceneID, Withdrawal.Reason)
  case withdrawOpenRequest(OpenRequestID, fromApplication: String, Withdrawal.Reason)
  /// A client took the activity to continue it elsewhere; `by` is the name that the client gave.
  case activityTaken(SceneID, activityType: String, by: String?)
  case decided(DecisionID, Event, Decision)
  case settled(AttemptEnd)
  /// Call ``Router/resume(_:now:)`` soon, because an attempt at the event failed.
  case resume(DecisionID)
  /// The wait after a restart is over: call ``Router/decideHeld(now:)`` soon, and again until it returns `nil`.
  case returned
  /// No more effects concern the event.
  case ended(SentEvent, EventEnd)
  case sceneChanged(SceneID)
  case sceneClosed(SceneID)
  case applicationChanged(String)
  case applicationRemoved(String)
}
