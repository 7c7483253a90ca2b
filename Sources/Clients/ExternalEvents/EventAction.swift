import FoundationEssentials
import SceneClient

/// An action of a view, called with an event.
enum EventAction<Input> {
  case immediate((Input) throws -> Void)
  case waiting((Input) async throws -> Void)

  /// Returns an action that needs no input, because it gets the input from a closure.
  ///
  /// When the returned action is called, it calls `input` and hands the result to this action.
  func with(_ input: @escaping () -> Input) -> EventAction<Void> {
    switch self {
    case .immediate(let action): .immediate { try action(input()) }
    case .waiting(let action): .waiting { try await action(input()) }
    }
  }
}

/// The actions of a window for one event, in the order in which the window's body lists them.
struct EventActions {
  private let actions: [EventAction<Void>]

  /// Selects the actions for `event`.
  ///
  /// There are no actions if no view handles events of this kind.
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

  /// Calls the actions if none of them is `async`, and returns the verdict on the event.
  ///
  /// If one of the actions is `async`, calls nothing and returns `nil`.
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

  /// Calls the actions, one after the other.
  ///
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
