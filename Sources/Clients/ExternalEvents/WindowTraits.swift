import FoundationEssentials
import SceneClient

/// The traits of a window: everything that the modifiers of its views add.
public struct WindowTraits {
  var showing: Set<String> = []
  var preferring: Set<String> = []
  var allowing: Set<String> = []
  var urlActions: [EventAction<(URL, ExternalEvent)>] = []
  var activityActions: [(type: String, action: EventAction<UserActivity>)] = []
  /// The activities of all views, in the order of the body.
  var activities: [Activity] = []
  /// The activity of the window: one of ``activities``.
  var currentActivity: Activity?
  var title: String?
  var isActive = false

  /// The number of nested contents whose bodies are being read.
  var depth = 0
  /// The limit of ``depth``: more than any window needs, and less than the stack has room for.
  static let maximumDepth = 500

  /// All URLs and identifiers that the views of the window show, prefer and allow.
  ///
  /// A single registration has all of them, so that one call to the router can change them.
  var registration: Registration {
    Registration(
      id: "window",
      showing: showing.sorted(),
      preferring: preferring.sorted(),
      allowing: allowing.sorted()
    )
  }
}
