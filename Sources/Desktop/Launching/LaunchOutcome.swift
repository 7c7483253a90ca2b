import Glibc
package import SessionBus

/// Unique in a process.
struct LaunchID: Hashable, Sendable {
  let number: UInt64
}

package enum LaunchOutcome: Hashable, Sendable {
  /// In the order of their commands; no program failed right after its start.
  case started([StartedProgram])
  case failed(LaunchFailure)

  /// The outcome of a terminal becomes that of the program that was to run in it.
  func inTerminal(_ program: String) -> LaunchOutcome {
    guard case .failed(let failure) = self, failure.isOfExecutedProgram else { return self }
    return .failed(.ofTerminal(program: program, failure))
  }
}

package enum StartedProgram: Hashable, Sendable {
  case process(Int32)
  case unit(String)
  /// By its name on the bus.
  case service(String)
}

package enum LaunchFailure: Error, Hashable, Sendable, CustomStringConvertible {
  case noCommand(id: String)
  /// Does not have the URL, because URLs can hold secrets.
  case notAFile(program: String)
  case unusableArgument(program: String)
  case noTerminal(program: String, MissingTerminal)
  indirect case ofTerminal(program: String, LaunchFailure)
  case notFound(program: String)
  case notExecutable(path: String)
  case notExecuted(path: String, reason: String)
  case noWorkingDirectory(program: String, path: String)
  case exited(program: String, status: Int32)
  case killed(program: String, signal: Int32)
  /// `lastLine` is nil if the journal has no line of the unit's processes.
  indirect case ofUnit(unit: String, lastLine: String?, LaunchFailure)
  indirect case ofChild(LaunchFailure)
  case masked(unit: String)
  case startLimit(unit: String)
  /// `result` is the reason in systemd's words.
  case notStarted(unit: String, result: String)
  case noBusName(id: String)
  case refused(name: String, BusError)
  case noAnswer(name: String)
  case manager(name: String, BusError)
  /// Before systemd started the program.
  case timedOut(id: String)

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

  /// If another application took the events, the user might not learn that a terminal is missing.
  package var endsEvents: Bool { if case .noTerminal = self { true } else { false } }

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

package enum MissingTerminal: Hashable, Sendable, CustomStringConvertible {
  case ofOption(_ program: String)
  /// With the value of `TERMINAL`.
  case usual(_ variable: String?)

  /// The end of the sentence "'PROGRAM' needs a terminal, but …".
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
