import Glibc
import SceneClient
import Subprocess
import SystemPackage

/// A command that is run for each event of a scene.
///
/// The event is its standard input, as JSON, and in its environment. If it ends with status 0 the event was taken.
struct EventProgram: Sendable {
  private let name: String
  private let program: FilePath
  private let arguments: [String]

  /// Finds the program that the first word of the command names: a path, or one in `$PATH`.
  init(_ command: [String]) async throws(EventProgramError) {
    name = command[0]
    arguments = Array(command.dropFirst())
    do {
      program =
        name.contains("/")
        ? FilePath(name) : try await Executable.name(name).resolveExecutablePath(in: .inherit)
    } catch {
      throw EventProgramError(description: "There is no program '\(name)' for --exec.")
    }
    if let code = Host.refusal(of: X_OK, program.string) {
      throw EventProgramError(
        description: "The program '\(name)' of --exec cannot be run: \(Host.text(ofError: code))."
      )
    }
  }

  /// Runs the command for a delivery; returns why the event was not taken, `nil` if it was.
  func refusal(of delivery: Delivery, to scene: String) async -> String? {
    do {
      let result = try await Subprocess.run(
        .path(program),
        arguments: Arguments(arguments),
        environment: .inherit.updating(Self.variables(delivery, scene)),
        input: .inputWriter,
        output: .currentStandardOutput,
        error: .currentStandardError
      ) { execution in
        // A command that does not read its input may take the event all the same.
        _ = try? await execution.standardInputWriter.write(delivery.event.json)
        try? await execution.standardInputWriter.finish()
      }
      switch result.terminationStatus {
      case .exited(0): return nil
      case .exited(let status): return "\(name) ended with status \(status)"
      case .signaled(let signal): return "\(name) was ended by signal \(signal)"
      }
    } catch {
      return "\(name) could not be run: \(error)"
    }
  }

  /// The event in the environment, but for what an environment cannot hold.
  private static func variables(_ delivery: Delivery, _ scene: String) -> [Environment.Key: String?] {
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
    return variables.mapValues { value in
      value.flatMap { $0.utf8.contains(0) ? nil : $0 }
    }
  }
}

/// Why a command cannot be run for events, as a sentence.
struct EventProgramError: Error, CustomStringConvertible {
  let description: String
}
