import ArgumentParser
import CProcess
import Glibc
import SceneClient
import Subprocess
import SystemPackage

/// A command that is run for each event of a scene.
///
/// It gets the event as JSON on standard input and in environment variables, and takes it by exit status 0. It runs in
/// a process group of its own, which gets SIGTERM when the task is cancelled, and SIGKILL two seconds later.
struct EventProgram: Sendable {
  private let name: String
  private let program: FilePath
  private let arguments: [String]

  /// A `name` without a slash is looked for in `$PATH`.
  ///
  /// - Throws: an error if the program is missing, or this user may not run it.
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

  /// Returns why the event is declined; nil if the command has taken it.
  ///
  /// If the task is cancelled, the command and its children end first.
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
        // A command may take the event without reading the input.
        _ = try? await execution.standardInputWriter.write(delivery.event.json)
        try? await execution.standardInputWriter.finish()
      }
      // Children that ignore SIGTERM may still run.
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

  /// A value that contains a NUL is left out.
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
  /// Before the parent's process id, the program and its arguments.
  private static let marker = "--become-event-program"

  /// Replaces this process with the command if the first argument is ``marker``.
  ///
  /// So the command gets SIGTERM from the kernel when its parent ends, even by SIGKILL; a process can ask for this
  /// signal only for itself.
  static func becomeIfAsked() {
    let arguments = CommandLine.arguments
    guard arguments.count > 3, arguments[1] == marker, let parent = CInt(arguments[2]) else { return }
    let code = unsafe scened_become_program(parent, CommandLine.unsafeArgv + 3)
    Terminal.showError("\(arguments[3]) could not be run: \(Host.text(ofError: -code)).".printable)
    // Shells use this status for a command that cannot be executed.
    exit(126)
  }
}

struct EventProgramError: Error, CustomStringConvertible {
  let description: String
}

struct ProgramOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Run this command for each event, without a shell.", valueName: "command"))
  var exec: String?

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("Arguments of the command, after all options and '--'.", valueName: "argument")
  )
  var arguments: [String] = []

  func validate() throws {
    if exec == "" { throw ValidationError("The command of --exec is empty.") }
    if exec == nil, !arguments.isEmpty {
      throw ValidationError("The arguments after '--' belong to a command, but --exec is missing.")
    }
  }

  func program() async throws(EventProgramError) -> EventProgram? {
    guard let exec else { return nil }
    return try await EventProgram(exec, arguments)
  }
}
