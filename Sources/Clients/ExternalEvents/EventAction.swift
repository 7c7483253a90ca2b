import FoundationEssentials
import SceneClient

enum EventAction<Input> {
  case immediate((Input) throws -> Void)
  case waiting((Input) async throws -> Void)

  func with(_ input: @escaping () -> Input) -> EventAction<Void> {
    switch self {
    case .immediate(let action): .immediate { try action(input()) }
    case .waiting(let action): .waiting { try await action(input()) }
    }
  }
}

/// In the order of the window's body.
struct EventActions {
  private let actions: [EventAction<Void>]

  /// Empty if no view handles events of this kind.
  init(_ traits: WindowTraits, for event: ExternalEvent) {
    switch event.content {
    case .url(let text):
      let url = URL(string: text)
      actions = url.map { url in traits.urlActions.map { $0.with { (url, event) } } } ?? []
    case .activity(let activity):
      actions = traits.activityActions.filter { $0.type == activity.activityType }
        .map { $0.action.with { UserActivity(activity) } }
    }
  }

  /// Calls nothing and returns `nil` if one of the actions is `async`.
  func performAtOnce() -> ExternalEvent.Verdict? {
    var verdict = ExternalEvent.Verdict.unhandled
    for action in actions {
      guard case .immediate = action else { return nil }
    }
    for case .immediate(let action) in actions {
      do {
        try action(())
        verdict = .taken
      } catch {
        verdict.note(error)
      }
    }
    return verdict
  }

  /// The event counts as taken as soon as one action has returned without an error.
  func perform(for event: ExternalEvent) async {
    var verdict = ExternalEvent.Verdict.unhandled
    for action in actions {
      do {
        switch action {
        case .immediate(let action): try action(())
        case .waiting(let action): try await action(())
        }
        event.decide(.taken)
      } catch {
        verdict.note(error)
      }
    }
    event.decide(verdict)
  }
}
