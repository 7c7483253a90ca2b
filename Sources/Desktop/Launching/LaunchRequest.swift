package import DesktopEntries

package struct LaunchRequest: Sendable {
  package var entry: DesktopEntry
  /// Replaces `%k` in a command line.
  package var location: String?
  /// `main`, or the identifier of an action of the entry.
  package var declarationID: String
  package struct Target: Hashable, Sendable {
    package var url: String
    package var position: TextPosition?

    package init(_ url: String, at position: TextPosition? = nil) {
      (self.url, self.position) = (url, position)
    }
  }

  /// Empty for an application that asks the router for events.
  package var targets: [Target]
  package var activationToken: ActivationToken?
  package var variables: LaunchVariables
  /// A launch that takes longer fails.
  package var timeLimit: Duration

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

  var urls: [String] { targets.map(\.url) }

  private var scene: DesktopEntry.Scene? { entry.scenes.first { $0.declarationID == declarationID } }

  var exec: ExecLine? { scene?.actionExec ?? entry.exec }

  var names: ExecLine.Names {
    ExecLine.Names(
      name: entry.name,
      icon: entry.icon,
      location: location,
      machine: LaunchEnvironment.machineName
    )
  }

  /// Each file with a position gets a program of its own, if the entry says how to open it.
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

/// Lets one program come to the front.
package struct ActivationToken: Hashable, Sendable {
  /// Compositors forget a token after this time.
  static let lifetime = Duration.seconds(30)

  package var text: String
  package var received: ContinuousClock.Instant

  package init(_ text: String, received: ContinuousClock.Instant = .now) {
    self.text = text
    self.received = received
  }

  func isValid(at now: ContinuousClock.Instant) -> Bool {
    !text.isEmpty && received.duration(to: now) <= Self.lifetime
  }
}

/// A value with a control character counts as missing, because systemd refuses these.
///
/// A missing `SCENED_SOCKET` is inherited unchanged; every other missing variable is removed.
package struct LaunchVariables: Hashable, Sendable {
  package var socket: String?
  /// The program answers this request with its first scene.
  package var openRequestID: String?
  package var declarationID: String?
  package var eventID: String?

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

  /// `set` has `NAME=VALUE`, `unset` names.
  typealias Changes = (set: [String], unset: [String])

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
