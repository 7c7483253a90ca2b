import CProcess
import Glibc
import SceneClient
import Subprocess
import SystemPackage

/// A command that is run for each event of a scene.
///
/// The command gets the event as JSON on standard input, and in its environment. Exit status 0 takes the event. The
/// command runs in a process group of its own. When the task that waits for the command is cancelled, the group gets
/// SIGTERM, and SIGKILL after two seconds.
struct EventProgram: Sendable {
  private let name: String
  private let program: FilePath
  private let arguments: [String]

  /// Finds the program: a `name` with a slash is a path, any other name is looked for in `$PATH`.
  ///
  /// - Throws: if there is no such program, or this user may not run it.
  init(_ name: String, _ arguments: [String]) async throws(EventProgramError) {
    self.name = name
    self.arguments = arguments
    do {
      program =
        name.contains("/")
        ? FilePath(name) : try await Executable.name(name).resolveExecutablePath(in: .inherit)
    } catch {
      throw EventProgramError(description: "There is no program '\(name)' for --exec.")
    }
    if let code = Host.refusal(of: X_OK, program) {
      throw EventProgramError(
        description: "The program '\(name)' of --exec cannot be run: \(Host.text(ofError: code))."
      )
    }
  }

  /// Runs the command for a delivery; returns the reason for declining the event, nil if the command took it.
  ///
  /// If the task is cancelled, the command and its children are ended before this returns.
  func refusal(of delivery: Delivery, to scene: String) async -> String? {
    if let code = Host.refusal(of: X_OK, program) {
      return "\(name) could not be run: \(Host.text(ofError: code))"
    }
    do {
      let result = try await Subprocess.run(
        .path("/proc/self/exe"),
        arguments: Arguments([Self.marker, "\(getpid())", program.string] + arguments),
        environment: .inherit.updating(Self.variables(delivery, scene)),
        platformOptions: Self.options,
        input: .inputWriter,
        output: .currentStandardOutput,
        error: .currentStandardError
      ) { execution in
        // A failed write is no reason to decline: a command may take the event without reading its input.
        _ = try? await execution.standardInputWriter.write(delivery.event.json)
        try? await execution.standardInputWriter.finish()
      }
      // The command has ended, but children of it that ignore SIGTERM may still run.
      if Task.isCancelled { kill(-result.processIdentifier.value, SIGKILL) }
      switch result.terminationStatus {
      case .exited(0): return nil
      case .exited(let status): return "\(name) ended with status \(status)"
      case .signaled(let signal): return "\(name) was ended by signal \(signal)"
      }
    } catch {
      return "\(name) could not be run: \(error)"
    }
  }

  private static var options: PlatformOptions {
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [
      .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(2))
    ]
    return options
  }

  /// Returns the environment variables of the event, without values that contain a NUL.
  private static func variables(_ delivery: Delivery, _ scene: String) -> [Environment.Key: String?] {
    let activity = delivery.event.activity
    let variables: [Environment.Key: String?] = [
      "SCENED_SCENE": scene,
      "SCENED_DELIVERY": delivery.id,
      "SCENED_EVENT_ID": delivery.eventID,
      "SCENED_URL": delivery.event.url,
      "SCENED_CONTENT_TYPE": delivery.event.contentType,
      "SCENED_LINE": delivery.event.line.map(String.init),
      "SCENED_COLUMN": delivery.event.column.map(String.init),
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

extension EventProgram {
  /// The first argument of a process that is to become a command; the parent's process id, the program and the
  /// program's arguments follow.
  private static let marker = "--become-event-program"

  /// Replaces this process by the command if its first argument is ``marker``.
  ///
  /// This process first asks the kernel to send it SIGTERM when its parent ends. Only the process itself can ask for
  /// this. A parent that is ended by SIGKILL cannot end the command.
  static func becomeIfAsked() {
    let arguments = CommandLine.arguments
    guard arguments.count > 3, arguments[1] == marker, let parent = CInt(arguments[2]) else { return }
    let code = unsafe scened_become_program(parent, CommandLine.unsafeArgv + 3)
    Terminal.showError("\(arguments[3]) could not be run: \(Host.text(ofError: -code)).".printable)
    // Shells use this status for a command that cannot be executed.
    exit(126)
  }
}

/// Why a command cannot be run for events, as a sentence.
struct EventProgramError: Error, CustomStringConvertible {
  let description: String
}
