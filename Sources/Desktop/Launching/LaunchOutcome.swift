import Glibc
package import SessionBus

/// Identifies a launch; no two of a process are the same.
struct LaunchID: Hashable, Sendable {
  let number: UInt64
}

/// What became of a launch.
package enum LaunchOutcome: Hashable, Sendable {
  /// All programs were executed and have not failed at once, in the order of their commands.
  case started([StartedProgram])
  /// One of them was not, or has.
  case failed(LaunchFailure)
}

/// A program that was started.
package enum StartedProgram: Hashable, Sendable {
  /// A child of this process.
  case process(Int32)
  /// A unit of the user's manager.
  case unit(String)
  /// The owner of a name on the bus.
  case service(String)
}

/// Why a program was not started, or ended at once.
package enum LaunchFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The entry has no command line.
  case noCommand
  /// The program takes files, and this URL names none.
  case notAFile(url: String)
  /// An argument has a NUL, or is not UTF-8 where systemd is to start the program.
  case unusableArgument
  /// The program needs a terminal, and none is configured.
  case noTerminal
  /// There is no such program.
  case notFound(program: String)
  /// The file is no program, or this user may not execute it.
  case notExecutable(path: String)
  /// The system refused to execute it.
  case notExecuted(path: String, reason: String)
  /// The directory to start in is missing, or cannot be entered.
  case noWorkingDirectory(path: String)
  /// It ended at once with this status.
  case exited(status: Int32)
  /// It was killed at once by this signal.
  case killed(signal: Int32)
  /// The user does not want the unit to start.
  case masked(unit: String)
  /// The unit has been started too often in a short time, and systemd waits before it starts it again.
  case startLimit(unit: String)
  /// systemd did not start the unit, in its word for why.
  case notStarted(unit: String, result: String)
  /// The desktop id is no name for the bus.
  case noBusName(id: String)
  /// The bus or the application refused.
  case refused(name: String, BusError)
  /// The application did not appear on the bus, or does not answer there.
  case noAnswer(name: String)
  /// The manager of the user's services does not answer as it should.
  case manager(BusError)
  /// The time limit was reached before systemd had started the program.
  case timedOut

  /// The reason, as a sentence.
  package var description: String {
    switch self {
    case .noCommand: "The desktop entry has no command line."
    case .notAFile(let url): "The program opens files only, and '\(url)' is none."
    case .unusableArgument: "An argument cannot be passed on: it has a NUL, or is not UTF-8."
    case .noTerminal: "The program needs a terminal; start scened with --terminal."
    case .notFound(let program): "There is no program '\(program)'."
    case .notExecutable(let path): "'\(path)' is not executable."
    case .notExecuted(let path, let reason): "'\(path)' could not be executed: \(reason)."
    case .noWorkingDirectory(let path): "The program cannot start in '\(path)'."
    case .exited(let status): "The program ended at once with status \(status)."
    case .killed(let signal):
      "The program was killed at once by signal \(signal) (\(Self.name(ofSignal: signal)))."
    case .masked(let unit): "'\(unit)' is masked."
    case .startLimit(let unit): "'\(unit)' was started too often in a short time; systemd waits for a while."
    case .notStarted(let unit, let result): "systemd did not start '\(unit)': \(result)."
    case .noBusName(let id):
      "'\(id)' has no name that D-Bus could start; rename it, or remove DBusActivatable."
    case .refused(let name, let error): "D-Bus did not start '\(name)': \(error)"
    case .noAnswer(let name): "'\(name)' did not answer on the bus in time."
    case .manager(let error): "systemd does not start programs: \(error)"
    case .timedOut: "The program was not started in time."
    }
  }

  private static func name(ofSignal signal: Int32) -> String {
    unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "unknown"
  }
}
