import FoundationEssentials
import SceneClient

/// What all views of a window say together; modifiers write it.
public struct WindowTraits {
  var preferring: Set<String> = []
  var allowing: Set<String> = []
  var urlActions: [EventAction<URL>] = []
  var activityActions: [(type: String, action: EventAction<UserActivity>)] = []
  /// What the user is doing, in the order of the body.
  var activities: [Activity] = []
  /// The one of them that is the window's own.
  var currentActivity: Activity?
  var title: String?
  var isActive = false

  /// How many contents the modifiers that are being read are nested in.
  var depth = 0
  /// More contents within each other than any window has, and fewer than the stack has room for.
  static let maximumDepth = 500

  /// The union of what all views prefer and allow, as one registration: each change of it is one call.
  var registration: Registration {
    Registration(id: "window", preferring: preferring.sorted(), allowing: allowing.sorted())
  }
}
