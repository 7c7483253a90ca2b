import FoundationEssentials
import SceneClient

/// What all views of a window say together; modifiers write it.
public struct WindowTraits {
  var preferring: Set<String> = []
  var allowing: Set<String> = []
  var urlActions: [EventAction<URL>] = []
  var activityActions: [(type: String, action: EventAction<UserActivity>)] = []
  var title: String?
  var isActive = false

  /// The union of what all views prefer and allow, as one registration: each change of it is one call.
  var registration: Registration {
    Registration(id: "window", preferring: preferring.sorted(), allowing: allowing.sorted())
  }

  /// The actions for an event, each with the event in the form that it takes; none if no view handles such an event.
  func actions(for event: Event) -> [() async throws -> Void] {
    switch event.content {
    case .url(let text):
      guard let url = URL(string: text) else { return [] }
      return urlActions.map { action in { try await action.perform(url) } }
    case .activity(let activity):
      return activityActions.filter { $0.type == activity.activityType }.map { entry in
        { try await entry.action.perform(UserActivity(activity)) }
      }
    }
  }
}

/// What is called with an event.
enum EventAction<Input> {
  case immediate((Input) throws -> Void)
  case waiting((Input) async throws -> Void)

  func perform(_ input: Input) async throws {
    switch self {
    case .immediate(let action): try action(input)
    case .waiting(let action): try await action(input)
    }
  }
}
