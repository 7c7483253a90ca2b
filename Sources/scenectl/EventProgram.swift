import SceneClient
import Subprocess
import SystemPackage

/// A command that is run for each event of a scene.
///
/// The event is its standard input, as JSON, and in its environment. If it ends with status 0 the event was taken.
struct EventProgram: Sendable {
  let command: [String]

  /// Runs the command for a delivery; returns why the event was not taken, `nil` if it was.
  func refusal(of delivery: Delivery, to scene: String) async -> String? {
    let activity = delivery.event.activity
    let variables: [Environment.Key: String?] = [
      "SCENED_SCENE": scene,
      "SCENED_DELIVERY": delivery.id,
      "SCENED_URL": delivery.event.url,
      "SCENED_CONTENT_TYPE": delivery.event.contentType,
      "SCENED_ACTIVITY_TYPE": activity?.activityType,
      "SCENED_TARGET_CONTENT_IDENTIFIER": activity?.targetContentIdentifier,
      "SCENED_WEBPAGE_URL": activity?.webpageURL,
      "SCENED_TITLE": activity?.title,
      "SCENED_USER_INFO": activity?.userInfo?.json,
      "XDG_ACTIVATION_TOKEN": delivery.activationToken,
    ]
    do {
      let result = try await Subprocess.run(
        command[0].contains("/") ? .path(FilePath(command[0])) : .name(command[0]),
        arguments: Arguments(Array(command.dropFirst())),
        environment: .inherit.updating(variables),
        input: .string(delivery.event.json),
        output: .currentStandardOutput,
        error: .currentStandardError
      )
      switch result.terminationStatus {
      case .exited(0): return nil
      case .exited(let status): return "\(command[0]) ended with status \(status)"
      case .signaled(let signal): return "\(command[0]) was ended by signal \(signal)"
      }
    } catch {
      return "\(command[0]) could not be run: \(error)"
    }
  }
}
