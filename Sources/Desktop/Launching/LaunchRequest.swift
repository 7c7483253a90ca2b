package import DesktopEntries

/// A request to start an application.
package struct LaunchRequest: Sendable {
  /// The application.
  package var entry: DesktopEntry
  /// The path of the entry's file, which replaces `%k` in a command line.
  package var location: String?
  /// The scene to open: `main`, or the identifier of an action of the entry.
  package var declarationID: String
  /// A URL to open, as an argument of the program.
  package struct Target: Hashable, Sendable {
    /// The URL.
    package var url: String
    /// The position in the file that the URL names.
    package var position: TextPosition?

    /// Makes a target.
    package init(_ url: String, at position: TextPosition? = nil) {
      (self.url, self.position) = (url, position)
    }
  }

  /// The URLs to open; empty for an application that asks the router for events.
  package var targets: [Target]
  /// The token with which the program can come to the front.
  package var activationToken: ActivationToken?
  /// The variables that scened sets in the program's environment.
  package var variables: LaunchVariables
  /// The longest time for the launch.
  ///
  /// A launch that takes longer fails.
  package var timeLimit: Duration

  /// Makes a request.
  package init(
    _ entry: DesktopEntry,
    location: String? = nil,
    declarationID: String = "main",
    opening targets: [Target] = [],
    activationToken: ActivationToken? = nil,
    variables: LaunchVariables = LaunchVariables(),
    timeLimit: Duration = .seconds(30)
  ) {
    self.entry = entry
    self.location = location
    self.declarationID = declarationID
    self.targets = targets
    self.activationToken = activationToken
    self.variables = variables
    self.timeLimit = timeLimit
  }

  /// The URLs to open, without positions.
  var urls: [String] { targets.map(\.url) }

  private var scene: DesktopEntry.Scene? { entry.scenes.first { $0.declarationID == declarationID } }

  /// The requested action's command line if there is one, else the entry's command line.
  var exec: ExecLine? { scene?.actionExec ?? entry.exec }

  /// The name, icon and location for the field codes `%c`, `%i` and `%k`, and the name of this machine.
  var names: ExecLine.Names {
    ExecLine.Names(
      name: entry.name,
      icon: entry.icon,
      location: location,
      machine: LaunchEnvironment.machineName
    )
  }

  /// Returns the argument lists of the programs to start.
  ///
  /// If the entry says how to open a file at a position, each file with a position gets a program of its own. The usual
  /// command line opens all other files and URLs.
  func commands() -> Result<[[[UInt8]]], LaunchFailure> {
    guard let exec else { return .failure(.noCommand(id: entry.id)) }
    let names = names
    var usual: [String] = []
    var expansions: [ExecLine.Expansion] = []
    for target in targets {
      if let position = target.position, let line = scene?.execAtPosition,
        FileURL.path(of: target.url, onMachine: names.machine) != nil
      {
        expansions.append(line.expansion(opening: [target.url], at: position, names: names))
      } else {
        usual.append(target.url)
      }
    }
    if expansions.isEmpty || !usual.isEmpty {
      expansions.insert(exec.expansion(opening: usual, names: names), at: 0)
    }
    var commands: [[[UInt8]]] = []
    for expansion in expansions {
      switch expansion {
      case .commands(let some): commands += some
      case .notAFile: return .failure(.notAFile(program: exec.program))
      }
    }
    // A NUL would end the argument early.
    if commands.joined().contains(where: { $0.contains(0) }) {
      return .failure(.unusableArgument(program: exec.program))
    }
    return .success(commands)
  }
}

/// A token with which a compositor lets one program come to the front.
package struct ActivationToken: Hashable, Sendable {
  /// The time after which compositors forget a token.
  static let lifetime = Duration.seconds(30)

  /// The token.
  package var text: String
  /// When the router received the token.
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

/// The variables with which the router tells a program about its launch.
///
/// A value with a control character counts as missing, because systemd refuses control characters. If the value of
/// `SCENED_SOCKET` is missing, the program inherits this variable unchanged. Any other variable without a value is
/// removed from the program's environment.
package struct LaunchVariables: Hashable, Sendable {
  /// `SCENED_SOCKET`: the path of the router's socket.
  package var socket: String?
  /// `SCENED_OPEN_REQUEST`: the open request that the program answers with its first scene.
  package var openRequestID: String?
  /// `SCENED_DECLARATION`: the declaration of the scene to open.
  package var declarationID: String?
  /// `SCENED_EVENT`: the event for which the program was started.
  package var eventID: String?

  /// Makes a set of variables.
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

  /// The variables to set, as `NAME=VALUE`, and the names of the variables to remove.
  typealias Changes = (set: [String], unset: [String])

  /// Returns the changes to the program's environment; `token` is the text of the activation token.
  func changes(token: String?) -> Changes {
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
