import FoundationEssentials
import SceneClient

/// The traits of a window: everything that the modifiers of its views add.
public struct WindowTraits {
  var showing: Set<String> = []
  var preferring: Set<String> = []
  var allowing: Set<String> = []
  var urlActions: [EventAction<(URL, ExternalEvent)>] = []
  var activityActions: [(type: String, action: EventAction<UserActivity>)] = []
  /// In the order of the body.
  var activities: [Activity] = []
  /// One of ``activities``.
  var currentActivity: Activity?
  var title: String?
  var isActive = false

  /// The number of nested contents whose bodies are being read.
  var depth = 0
  /// More than any window needs, and less than the stack has room for.
  static let maximumDepth = 500

  /// A single registration, so that one call to the router can change all of it.
  var registration: Registration {
    Registration(
      id: "window",
      showing: showing.sorted(),
      preferring: preferring.sorted(),
      allowing: allowing.sorted()
    )
  }
}
