package import DesktopEntries

/// What is to be started, and for what.
package struct LaunchRequest: Sendable {
  /// The application.
  package var entry: DesktopEntry
  /// The path of the entry's file, for `%k`.
  package var location: String?
  /// Which of the entry's scenes: `main`, or the identifier of an action.
  package var declarationID: String
  /// What the program opens, as arguments; none for an application that asks the router for its events.
  package var urls: [String]
  /// What lets the program come to the front.
  package var activationToken: ActivationToken?
  /// What the program is told by variables.
  package var variables: LaunchVariables
  /// How long the launch may take, until it has failed.
  package var timeLimit: Duration

  /// Makes a request.
  package init(
    _ entry: DesktopEntry,
    location: String? = nil,
    declarationID: String = "main",
    urls: [String] = [],
    activationToken: ActivationToken? = nil,
    variables: LaunchVariables = LaunchVariables(),
    timeLimit: Duration = .seconds(30)
  ) {
    self.entry = entry
    self.location = location
    self.declarationID = declarationID
    self.urls = urls
    self.activationToken = activationToken
    self.variables = variables
    self.timeLimit = timeLimit
  }

  /// The command line: the action's, if it has one.
  var exec: ExecLine? {
    entry.scenes.first { $0.declarationID == declarationID }?.actionExec ?? entry.exec
  }

  /// The argument lists of the programs to start, each in the terminal if it needs one.
  func commands(terminal: ExecLine?) -> Result<[[[UInt8]]], LaunchFailure> {
    guard let exec else { return .failure(.noCommand) }
    let names = ExecLine.Names(name: entry.name, icon: entry.icon, location: location)
    let commands: [[[UInt8]]]
    switch exec.expansion(opening: urls, names: names) {
    case .commands(let all): commands = all
    case .notAFile(let url): return .failure(.notAFile(url: url))
    }
    // It would end the argument early.
    if commands.joined().contains(where: { $0.contains(0) }) { return .failure(.unusableArgument) }
    guard entry.runsInTerminal else { return .success(commands) }
    guard let terminal, case .commands(let lists) = terminal.expansion(opening: [], names: names) else {
      return .failure(.noTerminal)
    }
    return .success(commands.map { lists[0] + $0 })
  }
}

/// What a compositor gives one program, so that it can come to the front.
package struct ActivationToken: Hashable, Sendable {
  /// Compositors forget tokens after this time.
  static let lifetime = Duration.seconds(30)

  /// The token.
  package var text: String
  /// When it came to the router.
  package var received: ContinuousClock.Instant

  /// Makes a token.
  package init(_ text: String, received: ContinuousClock.Instant = .now) {
    self.text = text
    self.received = received
  }

  func isValid(at now: ContinuousClock.Instant) -> Bool {
    !text.isEmpty && received.duration(to: now) <= Self.lifetime
  }
}

/// What a program is told by variables of its environment.
///
/// A value with a control character is left out, as systemd takes none. What is not set here is not there for the
/// program either, whatever the environment has; only `SCENED_SOCKET` is then left as it is.
package struct LaunchVariables: Hashable, Sendable {
  /// `SCENED_SOCKET`: where the router listens.
  package var socket: String?
  /// `SCENED_OPEN_REQUEST`: what the program answers with its first scene.
  package var openRequestID: String?
  /// `SCENED_DECLARATION`: which kind of scene it is to open.
  package var declarationID: String?
  /// `SCENED_EVENT`: for which event it was started.
  package var eventID: String?

  /// Makes variables.
  package init(
    socket: String? = nil,
    openRequestID: String? = nil,
    declarationID: String? = nil,
    eventID: String? = nil
  ) {
    self.socket = socket
    self.openRequestID = openRequestID
    self.declarationID = declarationID
    self.eventID = eventID
  }

  /// Those to set, as `NAME=VALUE`, and the names of those to remove.
  func changes(token: String?) -> (set: [String], unset: [String]) {
    let all: [(name: String, value: String?)] = [
      ("SCENED_SOCKET", socket), ("SCENED_OPEN_REQUEST", openRequestID),
      ("SCENED_DECLARATION", declarationID), ("SCENED_EVENT", eventID),
      ("XDG_ACTIVATION_TOKEN", token), ("DESKTOP_STARTUP_ID", token),
    ]
    var (set, unset): ([String], [String]) = ([], [])
    for (name, value) in all {
      if let value, value.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) {
        set.append("\(name)=\(value)")
      } else if name != "SCENED_SOCKET" {
        unset.append(name)
      }
    }
    return (set, unset)
  }
}
