import Dispatch
import QueueExecution
import SessionBus

/// What the manager of the user's services is asked for, over the bus.
///
/// Source: org.freedesktop.systemd1(5).
enum UserManager {
  static let name = "org.freedesktop.systemd1"
  private static let path = "/org/freedesktop/systemd1"
  private static let interface = "org.freedesktop.systemd1.Manager"
  private static let properties = "org.freedesktop.DBus.Properties"

  /// The environment with which it starts programs.
  ///
  /// A bus that the manager has just started holds the call back until the manager has its name there, but only one that
  /// may start a service.
  static let environmentCall = BusCall(
    "Get",
    of: properties,
    at: path,
    in: name,
    [.string(interface), .string("Environment")]
  )

  /// Has it send signals to this connection.
  static let subscribeCall = call("Subscribe", [])

  static func call(_ member: String, _ arguments: [BusValue]) -> BusCall {
    BusCall(member, of: interface, at: path, in: name, arguments, startsService: false)
  }

  /// Starts a unit that is there, as systemd does for a bus.
  static func startCall(_ unit: String) -> BusCall { call("StartUnit", [.string(unit), .string("replace")]) }

  /// The end of the job that starts `unit`.
  static func jobRemoved(of unit: String) -> SignalMatch {
    SignalMatch("JobRemoved", of: interface, at: path, in: name, argument: SignalMatch.Argument(2, unit))
  }

  /// What changes about `unit`.
  static func propertiesChanged(of unit: String) -> SignalMatch {
    let path = ObjectPath.path(below: "\(path)/unit", for: unit) ?? path
    return SignalMatch("PropertiesChanged", of: properties, at: path, in: name)
  }

  /// The environment in the reply to ``environmentCall``.
  static func environment(in reply: [BusValue]) -> LaunchEnvironment? {
    guard case .variant(let value)? = reply.first, let assignments = value.elements else { return nil }
    return LaunchEnvironment(assignments.compactMap(\.text), isOfManager: true)
  }

  /// Whether a call failed because there is no manager.
  static func isMissing(_ error: BusError) -> Bool {
    switch error {
    case .unavailable: true
    case .refused(let name, _):
      // Where a bus without a manager knows of one, it is to be started by `/bin/false`.
      name == "org.freedesktop.DBus.Error.ServiceUnknown"
        || name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
    default: false
    }
  }
}
