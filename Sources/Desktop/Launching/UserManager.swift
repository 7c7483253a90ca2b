import Dispatch
import Glibc
package import QueueExecution
package import SessionBus

/// The calls to the user's service manager, and the manager's signals.
///
/// Source: org.freedesktop.systemd1(5).
enum UserManager {
  static let name = "org.freedesktop.systemd1"
  private static let path = "/org/freedesktop/systemd1"
  private static let interface = "org.freedesktop.systemd1.Manager"
  private static let properties = "org.freedesktop.DBus.Properties"

  /// The call that reads the environment with which the manager starts programs.
  ///
  /// Over a bus: for a moment after the start of the bus, the manager can lack its name there. The bus then holds this call
  /// until the manager has its name, because ``BusCall/startsService`` is true.
  static let environmentCall = BusCall(
    "Get",
    of: properties,
    at: path,
    in: name,
    [.string(interface), .string("Environment")]
  )

  /// Asks the manager to send signals to this connection.
  static let subscribeCall = call("Subscribe", [])

  static func call(_ member: String, _ arguments: [BusValue]) -> BusCall {
    BusCall(member, of: interface, at: path, in: name, arguments, startsService: false)
  }

  /// Returns the call that starts an existing unit.
  ///
  /// systemd uses the same job mode, `replace`, when it starts a service for the bus.
  static func startCall(_ unit: String) -> BusCall { call("StartUnit", [.string(unit), .string("replace")]) }

  /// Returns the match for the signal that reports the end of a job of `unit`.
  static func jobRemoved(of unit: String) -> SignalMatch {
    SignalMatch("JobRemoved", of: interface, at: path, in: name, argument: SignalMatch.Argument(2, unit))
  }

  /// Matches changes of the properties of `unit`.
  static func propertiesChanged(of unit: String) -> SignalMatch {
    let path = ObjectPath.path(below: "\(path)/unit", for: unit) ?? path
    return SignalMatch("PropertiesChanged", of: properties, at: path, in: name)
  }

  /// Returns the environment in the reply to ``environmentCall``.
  static func environment(in reply: [BusValue]) -> LaunchEnvironment? {
    guard case .variant(let value)? = reply.first, let assignments = value.elements else { return nil }
    return LaunchEnvironment(assignments.compactMap(\.text), isOfManager: true)
  }

  /// Whether a call failed because the session bus is missing, or the manager is missing on the bus.
  static func isMissing(_ error: BusError) -> Bool {
    switch error {
    case .unavailable: true
    case .refused(let name, _):
      // The manager's service file can have the command `/bin/false`. If no manager runs, the bus runs this command,
      // which fails. The bus then replies with a `Spawn` error.
      name == "org.freedesktop.DBus.Error.ServiceUnknown"
        || name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
    default: false
    }
  }
}

extension BusConnection {
  /// Makes a connection to the user's service manager over the manager's own socket, as systemctl(1) does.
  ///
  /// - Returns: Nil if the directory of the socket is unknown.
  package static func ofUserManager(on executor: QueueExecutor) -> BusConnection? {
    guard let directory = unsafe getenv("XDG_RUNTIME_DIR"), unsafe directory.pointee != 0 else { return nil }
    return BusConnection(
      on: executor,
      address: BusAddress.ofSocket(unsafe String(cString: directory) + "/systemd/private"),
      isPeer: true
    )
  }
}
