import Glibc
package import SessionBus

/// Identifies a launch; unique in a process.
struct LaunchID: Hashable, Sendable {
  let number: UInt64
}

/// The outcome of a launch.
package enum LaunchOutcome: Hashable, Sendable {
  /// All programs were executed, and no program failed right after its start.
  ///
  /// The programs are in the order of their commands.
  case started([StartedProgram])
  /// At least one program could not be executed, or failed right after its start.
  case failed(LaunchFailure)

  /// Turns the outcome of a terminal into the outcome of the program that was to run in the terminal.
  ///
  /// If the terminal was executed and then failed, the result names the terminal and the program.
  func inTerminal(_ program: String) -> LaunchOutcome {
    guard case .failed(let failure) = self, failure.isOfExecutedProgram else { return self }
    return .failed(.ofTerminal(program: program, failure))
  }
}

/// A program that was started.
package enum StartedProgram: Hashable, Sendable {
  /// A child of this process.
  case process(Int32)
  /// A unit of the user's manager, by its name.
  case unit(String)
  /// An application that answered on the bus, by its name on the bus.
  case service(String)
}

/// Why the start of a program failed, or why the program ended right after its start.
package enum LaunchFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The entry has no command line.
  case noCommand(id: String)
  /// The program takes files, but the URL names no file.
  ///
  /// The text of this failure does not contain the URL, because URLs can hold secrets.
  case notAFile(program: String)
  /// An argument cannot be passed to the program.
  ///
  /// No argument can contain a NUL.
  case unusableArgument(program: String)
  /// The program needs a terminal, but there is none.
  case noTerminal(program: String, MissingTerminal)
  /// The terminal in which the program was to run has failed.
  indirect case ofTerminal(program: String, LaunchFailure)
  /// No program with this name or path exists.
  case notFound(program: String)
  /// The file is not a program, or this user may not execute the file.
  case notExecutable(path: String)
  /// The system refused to execute the program.
  case notExecuted(path: String, reason: String)
  /// The working directory is missing, or cannot be entered.
  case noWorkingDirectory(program: String, path: String)
  /// The program ended right after its start, with this status.
  case exited(program: String, status: Int32)
  /// The program was killed by this signal right after its start.
  case killed(program: String, signal: Int32)
  /// The unit of a program has failed.
  ///
  /// `lastLine` is the last line that the unit's processes wrote; nil if the journal has no such line.
  indirect case ofUnit(unit: String, lastLine: String?, LaunchFailure)
  /// A child of scened has failed.
  ///
  /// The child writes its messages to the output of scened.
  indirect case ofChild(LaunchFailure)
  /// The user has masked the unit, so that it cannot start.
  case masked(unit: String)
  /// systemd refuses to start the unit for a while, because the unit was started too often in a short time.
  case startLimit(unit: String)
  /// systemd did not start the unit; `result` is the reason in systemd's words.
  case notStarted(unit: String, result: String)
  /// The desktop id cannot be a name on the bus.
  case noBusName(id: String)
  /// The bus or the application refused the call.
  case refused(name: String, BusError)
  /// The application did not take its name on the bus in time, or it did not answer the call in time.
  case noAnswer(name: String)
  /// The manager of the user's services refused to start an entry or a unit, or sent an unusable answer.
  case manager(name: String, BusError)
  /// The time limit was reached before systemd started the program.
  case timedOut(id: String)

  /// The reason, as a sentence.
  package var description: String {
    switch self {
    case .noCommand(let id): "'\(id)' has no command line."
    case .notAFile(let program): "'\(program)' opens only files, and the link names no file of this machine."
    case .unusableArgument(let program): "An argument of '\(program)' contains a NUL."
    case .noTerminal(let program, let missing): "'\(program)' needs a terminal, but \(missing)."
    case .ofTerminal(let program, let failure): "The terminal for '\(program)' failed: \(failure)"
    case .notFound(let program): "There is no program '\(program)'."
    case .notExecutable(let path): "'\(path)' is not executable."
    case .notExecuted(let path, let reason): "'\(path)' could not be executed: \(reason)."
    case .noWorkingDirectory(let program, let path): "'\(program)' cannot start in the directory '\(path)'."
    case .exited(let program, let status): "'\(program)' ended at once with status \(status)."
    case .killed(let program, let signal):
      "'\(program)' was killed at once by signal \(signal) (\(Self.name(ofSignal: signal)))."
    case .ofUnit(let unit, let line, let failure):
      failure.description + (line.map { " It last wrote '\($0)'." } ?? "")
        + " More: journalctl --user-unit '\(unit)'"
    case .ofChild(let failure): failure.description + " Its messages are in the output of scened."
    case .masked(let unit): "'\(unit)' is masked."
    case .startLimit(let unit):
      "'\(unit)' was started too often in a short time; systemd refuses to start it for a while."
    case .notStarted(let unit, let result): "systemd did not start '\(unit)': \(result)."
    case .noBusName(let id):
      "'\(id)' cannot be a name on the bus; rename the entry, or remove DBusActivatable from it."
    case .refused(let name, let error): "The call of '\(name)' over D-Bus failed: \(error)"
    case .noAnswer(let name): "'\(name)' did not answer on the bus in time."
    case .manager(let name, let error): "systemd did not start '\(name)': \(error)"
    case .timedOut(let id): "'\(id)' was not started in time."
    }
  }

  /// Whether this failure ends the events of the launch, so that no other application gets them.
  ///
  /// Only a missing terminal ends the events. If another application took them, the user might not learn that a
  /// terminal is missing.
  package var endsEvents: Bool { if case .noTerminal = self { true } else { false } }

  /// Whether a program was executed and then failed.
  var isOfExecutedProgram: Bool {
    switch self {
    case .exited, .killed, .notStarted, .ofUnit, .ofChild: true
    default: false
    }
  }

  private static func name(ofSignal signal: Int32) -> String {
    unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "unknown"
  }
}

/// The terminals that were searched for and not found.
package enum MissingTerminal: Hashable, Sendable, CustomStringConvertible {
  /// The terminal that scened's option `--terminal` names.
  case ofOption(_ program: String)
  /// The usual terminals, and the value of `TERMINAL` if the variable is set.
  case usual(_ variable: String?)

  /// Names the missing terminals, and says what the user can do.
  ///
  /// The text is the end of the sentence "'PROGRAM' needs a terminal, but …".
  package var description: String {
    switch self {
    case .ofOption(let program): "there is no program '\(program)', which scened's option --terminal names"
    case .usual(let variable):
      "there is no xdg-terminal-exec, no x-terminal-emulator and "
        + (variable.map { "no program '\($0)', which TERMINAL names" } ?? "TERMINAL is not set")
        + "; install a terminal, such as xterm, or set TERMINAL in the environment of the session"
    }
  }
}
