import ArgumentParser
import SceneClient

/// An exit status of the tool; scripts rely on the numbers.
enum CommandStatus: Int32 {
  case taken = 0
  case error = 1
  case findings = 2
  case notRouted = 3
  case declined = 4
  case timedOut = 5
  case launchFailed = 6
  case outcomeUnknown = 7

  init(_ outcome: EventOutcome) {
    switch outcome {
    case .taken: self = .taken
    case .notRouted: self = .notRouted
    case .declined: self = .declined
    case .timedOut: self = .timedOut
    case .launchFailed: self = .launchFailed
    case .serviceStopping: self = .outcomeUnknown
    }
  }

  init(_ error: RouterError) {
    switch error.code {
    case .connectionLost, .outcomeUnknown, .serviceStopping, .cancelled, .noAnswer: self = .outcomeUnknown
    default: self = .error
    }
  }

  var exitCode: ExitCode { ExitCode(rawValue) }
}
